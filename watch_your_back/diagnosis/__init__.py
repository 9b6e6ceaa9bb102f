"""Finding out what is wrong with an agent before a match does.

An agent is started, plays against bundled opponents, and is brought into situations that matches seldom reach, through
the same confined processes as in a match. What comes of it is a stream of findings; nothing is printed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

from watch_your_back.agents import Agent
from watch_your_back.confine.confinement import Confinement
from watch_your_back.confine.environment import HASH_SEED
from watch_your_back.confine.limits import Limits
from watch_your_back.diagnosis.findings import Finding, Severity
from watch_your_back.diagnosis.matches import SLOW, Case, Played, fixtures
from watch_your_back.diagnosis.questions import play_again, start, tell_of_pass
from watch_your_back.diagnosis.verdicts import of_matches, of_passes, of_repetitions, of_starts
from watch_your_back.game import Game

__all__ = ["DEFAULT_LIMITS", "Finding", "Severity", "diagnose"]

DEFAULT_LIMITS = Limits(cpu_s=60.0, memory_mb=100.0)
"""What marking allowed a player in 2018."""


def diagnose(
    agent: Agent,
    game: Game,
    limits: Limits = DEFAULT_LIMITS,
    *,
    matches: int = 10,
    seed: int = 0,
    progress: Callable[[str], object] = lambda step: None,
    confinement: Confinement | None = None,
) -> Iterator[Finding]:
    """What there is to say about an agent, as it is found out: about as many matches later as asked for, and two.

    `progress` is called with what comes next. A `confinement` is left open for what its owner plays next.
    Raises ConfinementError when players cannot be run at all here.
    """
    case = Case(agent, game, limits, seed)
    with ExitStack() as stack:
        if confinement is None:
            confinement = stack.enter_context(closing(Confinement()))
        progress("starting it")
        starts = [start(case, side, confinement) for side in (0, 1)]
        yield from of_starts(case, starts)
        able = [side for side in (0, 1) if starts[side].fault is None]
        if not able:
            return
        played: list[Played] = []
        for number, fixture in enumerate(fixtures(matches, seed), 1):
            hopeless = any(
                each.failure is not None
                and each.failure.reason in SLOW
                and (each.fixture.side, each.fixture.opponent) == (fixture.side, fixture.opponent)
                for each in played
            )
            if fixture.side in able and not hopeless:
                progress(f"match {number} of {matches}: as {game.sides[fixture.side]} against {fixture.opponent}")
                played.append(case.play(fixture, confinement))
        yield from of_matches(case, played)
        progress("telling it that the opponent passed")
        yield from of_passes(case, {side: tell_of_pass(case, side, confinement) for side in able})
        example = _to_repeat(played)
        if example is not None:
            progress("playing a match again")
            again = play_again(case, example, confinement)
            elsewhere = None
            if again.differs is None and again.trouble is None:
                progress("playing a match again, with another order of sets")
                with closing(Confinement(hash_seed=HASH_SEED + 1)) as other:
                    elsewhere = play_again(case, example, other)
            yield from of_repetitions(case, example, again, elsewhere)


def _to_repeat(played: list[Played]) -> Played | None:
    """The cheapest match without a fault, preferably one that ended by an action of the opponent."""
    whole = [each for each in played if each.failure is None and each.opponent_failure is None and not each.ended.void]

    def cost(each: Played) -> tuple[bool, float]:
        side = each.fixture.side
        told = each.recent[-1].outcome is not None and each.recent[-2].to_move != side
        return not told, each.ended.usage[side].cpu_s

    return min(whole, key=cost, default=None)
