"""From a plan and what is in the store to the agents that play: what is new, what has changed, and who is fit.

A store never mixes results that were had under different settings or by different versions of an agent: a change is
refused until it is accepted, and then the matches that it concerns are played again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from difflib import get_close_matches

from watch_your_back.diagnosis import Finding
from watch_your_back.tournament.intake import Candidate, Fitness, Smoke, smoke
from watch_your_back.tournament.settings import Settings, SettingsError
from watch_your_back.tournament.store import Entrant, Store
from watch_your_back.tournament.workers import Lost, Workers

__all__ = ["ALL", "SETTINGS", "Changes", "changes", "enter"]

SETTINGS, ALL = "settings", "all"
"""What can be accepted beside the names of agents."""

SMOKE_MATCHES = 2
"""One on each side."""

_LIMIT_NAMES = {"cpu_s": "time limit", "memory_mb": "memory limit"}


@dataclass(frozen=True, slots=True)
class Changes:
    """What is different from what is in the store: settings in words, and the names of agents.

    `anew` says that matches were played under other conditions. The unfit that came back mended are no change.
    """

    settings: tuple[str, ...] = ()
    anew: bool = False
    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()

    def refusal(self, accepted: Collection[str]) -> str:
        """What to tell the user about changes that are not accepted, in one line; empty if all are."""
        if ALL in accepted:
            return ""
        told, options = [], []
        if self.settings and SETTINGS not in accepted:
            told.append(f"the settings are others ({'; '.join(self.settings)})")
            options.append(SETTINGS)
        for what, names in (("changed", self.changed), ("new", self.new), ("gone", self.gone)):
            open_ones = [name for name in names if name not in accepted]
            if open_ones:
                told.append(f"{_listed(open_ones)} {'is' if len(open_ones) == 1 else 'are'} {what}")
                options += open_ones
        if not told:
            return ""
        how = (
            " ".join(f"--accept-changes {name}" for name in options) if len(options) < 4 else f"--accept-changes {ALL}"
        )
        cost = ""
        if self.anew or self.changed:
            cost = f": then all matches{'' if self.anew else ' of what has changed'} are played again"
        return f"since this store was begun, {', '.join(told)}; add {how} to go on with that{cost}"


def changes(store: Store, settings: Settings, candidates: Sequence[Candidate], accepted: Collection[str]) -> Changes:
    """What has changed. Raises SettingsError if something else is accepted than there is in the tournament."""
    known = {entrant.name: entrant for entrant in store.entrants()}
    entered = {candidate.name: candidate for candidate in candidates}
    for name in accepted:
        if name not in (SETTINGS, ALL) and name not in known and name not in entered:
            near = get_close_matches(name, [SETTINGS, ALL, *known, *entered], 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise SettingsError(f"there is no agent {name!r} whose changes could be accepted{hint}")
    before = store.settings
    if before is None:
        return Changes()
    state: dict[str, str] = {name: entrant.state for name, entrant in known.items()}
    played = [name for name in known if state[name] not in ("unfit", "withdrawn")]
    return Changes(
        settings=tuple(_differences(before, settings)),
        anew=_conditions(before) != _conditions(settings),
        new=tuple(name for name in entered if entered[name].agent and state.get(name, "withdrawn") == "withdrawn"),
        changed=tuple(name for name in played if name in entered and entered[name].sources != known[name].sources),
        gone=tuple(name for name in played if name not in entered and state[name] == "plays"),
    )


def enter(
    store: Store, settings: Settings, candidates: Sequence[Candidate], found: Changes, workers: Workers
) -> Iterator[Entrant]:
    """Bring the store up to date with changes that are accepted; the agents that are new or changed, as they are tried.

    Only after the last one is the tournament begun: what breaks off before is simply done again. Raises what `smoke`
    raises.
    """
    known = {entrant.name: entrant for entrant in store.entrants()}
    if found.anew:
        store.play_all_again()
    entered = {candidate.name for candidate in candidates}
    for name, entrant in known.items():
        if entrant.state == "plays" and name not in entered:
            store.set_state(name, "withdrawn", "no longer entered")
        elif entrant.state == "withdrawn" and name in entered:
            store.set_state(name, "plays")
    fresh = [each for each in candidates if each.name not in known or known[each.name].sources != each.sources]
    tasks = (
        Smoke(each.agent, settings.game, settings.limits, SMOKE_MATCHES, settings.seed)
        for each in fresh
        if each.agent is not None
    )
    tried = workers.each(smoke, tasks, in_order=True)
    for candidate in fresh:
        fitness = Fitness(False, ()) if candidate.agent is None else next(tried)[1]
        yield _entered(store, candidate, fitness)
    store.settle(settings)


def _entered(store: Store, candidate: Candidate, fitness: Fitness | Lost) -> Entrant:
    if isinstance(fitness, Lost):
        fitness = Fitness(False, (Finding("error", "start", f"It could not be tried: {fitness}."),))
    may_play, why = fitness.may_play, candidate.why_not or fitness.why_not
    findings = tuple(asdict(finding) for finding in fitness.findings)
    about = (candidate.name, candidate.spec, candidate.sources, candidate.agent)
    entrant = Entrant(*about, "plays" if may_play else "unfit", why, findings)
    store.enter(entrant)
    return entrant


def _conditions(settings: Settings) -> object:
    return settings.game, settings.rules_version, settings.limits, settings.seed, settings.require_tier


def _differences(before: Settings, now: Settings) -> Iterator[str]:
    old, new = _flat(before), _flat(now)
    for name in old | new:
        if old.get(name) != new.get(name):
            yield f"{name} {_shown(old.get(name))}, now {_shown(new.get(name))}"


def _flat(settings: Settings) -> dict[str, object]:
    told = settings.as_json()
    options, limits = told.pop("options"), told.pop("limits")
    return {
        **told,
        **{f"option {name}": value for name, value in options.items()},
        **{_LIMIT_NAMES.get(name, name): value for name, value in limits.items()},
    }


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _listed(names: Iterable[str]) -> str:
    shown = list(names)
    return ", ".join(shown[:5]) + (f" and {len(shown) - 5} more" if len(shown) > 5 else "")
