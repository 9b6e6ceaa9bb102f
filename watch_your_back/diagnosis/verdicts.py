"""From what was seen of an agent to findings: plain sentences, each with what to change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from watch_your_back.diagnosis.advice import CALLS, FAULTS, advice, place
from watch_your_back.diagnosis.findings import Finding
from watch_your_back.diagnosis.matches import OPPONENTS, Case, Fixture, Played
from watch_your_back.diagnosis.questions import Again, Pass, Start, Trouble, after_pass
from watch_your_back.diagnosis.trying import likeness
from watch_your_back.match.events import Reason

__all__ = ["of_matches", "of_passes", "of_repetitions", "of_starts"]

_CLOSE = 0.85
"""The share of a limit from which on a slower machine is a danger."""


def of_starts(case: Case, starts: Sequence[Start]) -> Iterator[Finding]:
    """Whether the player of each side could be made."""
    sides = case.game.sides
    faults = [(side, start.fault) for side, start in zip(sides, starts, strict=True) if start.fault]
    if not faults:
        cost = max(starts, key=lambda start: start.cpu_s)
        spent = f"{cost.cpu_s:.2f} s of CPU time, {cost.memory_mb:.0f} MB"
        yield Finding("ok", "start", f"It is imported and made as {' and as '.join(sides)} ({spent}).")
        return
    same = len(faults) == 2 and len({(fault.call, fault.detail) for _, fault in faults}) == 1
    for side, fault in faults[:1] if same else faults:
        command = case.command(Fixture(sides.index(side), OPPONENTS[0], case.seed))
        what = "It cannot be started" if same else f"It cannot be started as {side}"
        if len(faults) == 1:
            what += f" (as {sides[1 - sides.index(side)]} it can)"
        if CALLS.get(fault.call):
            what += f": it fails {CALLS[fault.call]}"
        yield Finding("error", "start", _sentence(what, fault.detail), "", fault.traceback, command)


def of_matches(case: Case, played: Sequence[Played]) -> Iterator[Finding]:
    """What the matches show: failures first, then the use of the limits, the output, and what did not come up."""
    groups: dict[object, list[Played]] = {}
    for each in played:
        if each.failure is not None:
            groups.setdefault(likeness(each.failure), []).append(each)
    for group in sorted(groups.values(), key=len, reverse=True):
        yield _failure(case, group, played)
    if played and not groups:
        yield Finding("ok", "legal", f"It acts legally and without a fault {_in_matches(len(played))}.")
    for each in played:
        if each.afterwards is not None:
            yield _told_the_end(case, each)
            break
    yield from _opponents(played)
    yield from _limits(case, played)
    yield from _output(played)
    yield from _experience(case, played)


def of_passes(case: Case, passes: Mapping[int, Pass]) -> Iterator[Finding]:
    """What came of telling the player of each side that its opponent passed."""
    troubles = [(side, each.trouble) for side, each in passes.items() if each.trouble is not None]
    if not troubles and any(each.told for each in passes.values()):
        yield Finding("ok", "pass", "It goes on playing when it is told that the opponent passed, update(None).")
    sides = case.game.sides
    alike = len({(trouble.reason, trouble.call) for _, trouble in troubles}) == 1
    for side, trouble in troubles[:1] if alike else troubles:
        who = "" if len(troubles) == 2 and alike else f" as {sides[side]}"
        if trouble.call == "update":
            what = f"It fails{who} when it is told that the opponent passed, update(None)"
        else:
            does = f"{FAULTS[trouble.reason]} {CALLS.get(trouble.call, '')}"
            what = f"It {does}{who} after it was told that the opponent passed, update(None)"
        yield Finding(
            "error",
            "pass",
            _sentence(what, trouble.detail),
            "An opponent without a legal move passes: seldom, but then the match is lost. Return from update() at once "
            "where the action is None, after counting the turn.",
            _shown(trouble),
            case.command_without_matches(),
        )


def of_repetitions(case: Case, played: Played, again: Again, elsewhere: Again | None) -> Iterator[Finding]:
    """What came of playing a match again with the same seed, and then with another order of sets of strings."""
    command = case.command(played.fixture)
    for each in (again, elsewhere):
        if each is not None and each.trouble is not None:
            trouble = each.trouble
            what = (
                f"It {FAULTS[trouble.reason]} {CALLS.get(trouble.call, '')} when it plays a match again that went well"
            )
            yield Finding("error", "repeat", _sentence(what, trouble.detail), "", _shown(trouble), command)
            return
    if again.differs is not None:
        yield Finding(
            "note",
            "repeat",
            f"It does not play the same match again with the same seed: another action at ply {again.differs}.",
            "To find a fault again, draw from the module random (or numpy.random), which the referee seeds, or from a "
            "generator that is made from the argument seed of __init__(self, colour, seed); a search that stops by the "
            "clock goes differently each time.",
            command=command,
        )
    elif elsewhere is not None and elsewhere.differs is not None:
        yield Finding(
            "note",
            "repeat",
            f"Its action at ply {elsewhere.differs} depends on the order of a set, which is another one in each run of "
            "Python unless PYTHONHASHSEED is fixed.",
            "The referee fixes it, other programs do not: choose from a list or a sorted set.",
            command=command,
        )
    else:
        yield Finding("ok", "repeat", "It plays the same match again with the same seed.")
    if again.end is not None and again.end.call == "update":
        yield Finding(
            "warning",
            "end",
            _sentence("It fails when it is told of the last action of a match that it has lost", again.end.detail),
            "Here that costs nothing, but the published referee tells of it too, and stops with the traceback.",
            again.end.traceback,
            command,
        )


def _failure(case: Case, group: Sequence[Played], played: Sequence[Played]) -> Finding:
    first = group[0]
    failure, state, side = first.failure, first.recent[-1], first.fixture.side
    assert failure is not None
    what = FAULTS[failure.reason]
    if failure.reason != Reason.ILLEGAL_ACTION:
        what += f" {CALLS.get(failure.call, '')}"
    seen, of = Counter(each.fixture.side for each in group), Counter(each.fixture.side for each in played)
    sides, other = case.game.sides, 1 - side
    hints = advice(failure.reason, failure.detail, first.recent, side)
    if len(seen) == 2 or not of[other]:
        how_often = _in_matches(len(group), len(played))
    else:
        how_often = f"as {sides[side]} {_in_matches(len(group), of[side])}, never as {sides[other]}"
        hints += f" Only as {sides[side]}: look for what the player does for one colour only." if of[side] > 1 else ""
    where = f"{'the first time ' if len(group) > 1 else ''}{place(state)}"
    sentence = _sentence(f"It {what} {how_often}, {where}", failure.detail)
    detail = "\n".join(part for part in (state.text(), failure.traceback) if part)
    return Finding("error", str(failure.reason), sentence, hints.strip(), detail, case.command(first.fixture))


def _told_the_end(case: Case, played: Played) -> Finding:
    assert played.afterwards is not None
    what = f"It fails {CALLS.get(played.afterwards.call, '')} when it is told the result of a match"
    sentence = _sentence(what, played.afterwards.detail)
    advice = "That costs nothing, since the match is over, but finish() does not do what it is for."
    return Finding("warning", "end", sentence, advice, played.afterwards.traceback, case.command(played.fixture))


def _opponents(played: Sequence[Played]) -> Iterator[Finding]:
    for each in played:
        if each.opponent_failure is not None or each.ended.void:
            why = each.opponent_failure.detail if each.opponent_failure else each.ended.detail
            what = f"A match against {each.fixture.opponent} tells nothing, since the opponent or the referee failed"
            yield Finding("warning", "referee", _sentence(what, why), "Try wyb doctor, or larger limits.")
            return


def _limits(case: Case, played: Sequence[Played]) -> Iterator[Finding]:
    whole = [each for each in played if each.failure is None]
    if not whole:
        return
    side_usage = [each.ended.usage[each.fixture.side] for each in whole]
    cpu_s = max(usage.cpu_s for usage in side_usage)
    memory_mb = max(usage.memory_mb for usage in side_usage)
    worst = max(whole, key=lambda each: each.ended.usage[each.fixture.side].cpu_s)
    slowest = max(each.slowest_s for each in whole)
    scope = f"in the worst of {len(whole)} matches" if len(whole) > 1 else "in the match"
    time, memory = case.limits.cpu_s, case.limits.memory_mb
    shares = [cpu_s / time if time else 0.0, memory_mb / memory if memory else 0.0]
    spent = f"{cpu_s:.1f} s for {worst.turns} turns of its own, at most {slowest:.2f} s for one"
    parts = [f"{shares[0]:.0%} of the time limit ({spent})" if time else f"{cpu_s:.1f} s of CPU time ({spent})"]
    parts.append(f"{shares[1]:.0%} of the memory limit ({memory_mb:.0f} MB)" if memory else f"{memory_mb:.0f} MB")
    close = max(shares) >= _CLOSE
    yield Finding(
        "warning" if close else "ok",
        "limits",
        f"It would use {' and '.join(parts)} {scope}.",
        "That is close: another machine may be slower, and a match longer. Leave a reserve." if close else "",
        "",
        case.command(worst.fixture) if close else (),
    )


def _output(played: Sequence[Played]) -> Iterator[Finding]:
    most = max((each.printed for each in played), default=0)
    if most:
        yield Finding(
            "note",
            "output",
            f"It prints up to {most:,} characters in a match.",
            "That does no harm and is kept in the record, but it costs time; wyb play -v shows it.",
        )


def _experience(case: Case, played: Sequence[Played]) -> Iterator[Finding]:
    whole = [each for each in played if each.failure is None and not each.ended.void]
    if not whole:
        return
    results = Counter(
        "drew" if each.ended.winner is None else "won" if each.ended.winner == each.fixture.side else "lost"
        for each in whole
    )
    counts = ", ".join(f"{word} {results[word]}" for word in ("won", "drew", "lost") if results[word])
    last = max((each.recent[-1] for each in whole), key=lambda state: state.ply)
    length = f"The longest match had {last.turns} turns"
    if last.turns != last.ply:
        length += f" of the {last.phase} phase"
    shrinks = max(each.shrinks for each in whole)
    times = {0: "", 1: ", and the board shrank once", 2: ", and the board shrank twice"}
    length += times.get(shrinks, f", and the board shrank {shrinks} times")
    yield Finding("note", "matches", f"Of its matches it {counts}. {length}.")
    if not any(each.passes for each in played) and any(after_pass(state) for each in whole for state in each.recent):
        yield Finding(
            "note",
            "untested",
            "It never came into a position without a legal move, so that is not tested.",
            "Make sure that action() returns None there.",
        )


def _sentence(what: str, detail: str) -> str:
    return f"{' '.join(what.split())}: {detail.rstrip('.')}."


def _in_matches(count: int, of: int | None = None) -> str:
    if of is None or count == of:
        return "in the match" if count == 1 else f"in all of {count} matches"
    return f"in {count} of {of} matches"


def _shown(trouble: Trouble) -> str:
    return "\n".join(part for part in (trouble.state.text(), trouble.traceback) if part)
