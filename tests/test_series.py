"""Series of two agents: what is played, when it ends, and what is concluded from it."""

from dataclasses import replace
from itertools import count, islice

import pytest

from watch_your_back.agents import find
from watch_your_back.game import Game
from watch_your_back.match import Confinement, Limits
from watch_your_back.match.events import PlayerFailed, Reason, Usage
from watch_your_back.statistics import Pentanomial, Sprt, Tally
from watch_your_back.tournament import series as module
from watch_your_back.tournament.conclusions import Verdict, conclude, labels
from watch_your_back.tournament.openings import can_start_after, openings
from watch_your_back.tournament.series import Ending, Series, Setting
from watch_your_back.tournament.tasks import MatchResult
from watch_your_back.tournament.workers import Lost, Workers

GAME = Game.load("watch_your_back", turn_cap=4)
LIMITS = Limits(60, 100)
AGENTS = """\
import random

from watch_your_back.game import Game


class Player:
    resigns = 0.5

    def __init__(self, colour, game="watch_your_back", options=None):
        self.state = Game.load(game, **(options or {})).initial()
        self.chance = self.resigns

    def action(self, turns):
        if random.random() < self.chance:
            return "resign"
        self.chance = 0
        action = self.choose()
        self.state = self.state.play(action)
        return action

    def choose(self):
        return self.state.sample(random)

    def update(self, action):
        self.state = self.state.play(action)


class Strong(Player):
    resigns = 0.1


class Weak(Player):
    resigns = 0.7


class Same(Player):
    resigns = 0

    def choose(self):
        return max(self.state.legal_actions(), key=repr)

    def start(self, actions):
        for action in actions:
            self.update(action)


class Crash(Player):
    def choose(self):
        return [][0]


class Broken(Player):
    def __init__(self, colour):
        nothing_of_this_name


class BrokenBlack(Player):
    def __init__(self, colour):
        super().__init__(colour)
        if colour == "black":
            nothing_of_this_name


class Slow(Player):
    resigns = 0

    def choose(self):
        while True:
            pass
"""


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    """An agent of known behaviour, by the name of its class."""
    file = tmp_path_factory.mktemp("agents") / "known.py"
    file.write_text(AGENTS)
    return lambda name: find(f"{file}:{name}")


@pytest.fixture(scope="module")
def workers():
    """Two workers that all tests share."""
    with Workers(2) as workers:
        yield workers


def setting(one="random", other="greedy", **more):
    """Two agents, by their specs or found, and the same seed each time."""
    pair = tuple(find(each) if isinstance(each, str) else each for each in (one, other))
    return Setting(**({"game": GAME, "agents": pair, "limits": LIMITS, "seed": 7} | more))


class Told:
    """Stands in for workers: the results are made up by `tell`, called with the task and how many came before it."""

    def __init__(self, tell):
        self.tell = tell

    def each(self, call, items, *, in_order, until):
        assert in_order
        for number, item in enumerate(items):
            yield item, self.tell(item.task, number)


def result(task, winner=None, trail=None, reason="eliminated", **more):
    """The result of a task: by default a draw that went like no other match."""
    used = Usage(1.0, 1.0, 10.0, 5), Usage(2.0, 2.0, 20.0, 5)
    base = MatchResult(task.id, winner, reason, "", False, 10, task.slots, used, ("full", "full"), (0.1, 0.2), (), b"",
                       task.id if trail is None else trail, 1.5, "here")  # fmt: skip
    return base._replace(**more)


def played(series, tell):
    """The series, after it was played with these results."""
    list(series.play(Told(tell)))
    return series


def test_a_pair_is_two_matches_with_the_sides_swapped_and_all_else_the_same():
    """The same seed and the same opening, another one for each pair."""
    pairs = list(islice(setting(opening=3).pairs(), 20))
    for one, other in pairs:
        assert (one.first, other.first) == (0, 1)
        assert replace(other, id=one.id, first=0) == one
        assert len(one.opening) == 3
    assert len({task.id for pair in pairs for task in pair}) == 40
    assert len({one.seed for one, _ in pairs}) == len({one.opening for one, _ in pairs}) == 20
    assert pairs == list(islice(setting(opening=3).pairs(), 20))
    assert pairs[0][0].seed != next(setting(seed=8).pairs())[0].seed


def test_openings_are_legal_and_none_comes_twice_as_long_as_there_are_others():
    """Also no mirror image of an earlier one: 46 first squares are 23 and their images."""
    drawn = list(islice(openings(Game.load("watch_your_back"), 1, 1), 23))
    assert len({(min(x, 7 - x), y) for ((x, y),) in drawn}) == 23
    assert drawn == list(islice(openings(Game.load("watch_your_back"), 1, 1), 23))
    assert len(list(islice(openings(GAME, 1, 1), 60))) == 60
    state = GAME.initial()
    for action in next(openings(GAME, 26, 5)):
        state = state.play(state.check(action))
    assert state.outcome is None


def test_an_opening_that_ends_the_game_is_refused():
    """There is none of such a length."""
    with pytest.raises(ValueError, match="after 100 actions the game is over"):
        next(openings(GAME, 100, 1))


def test_who_can_start_after_an_opening_is_asked(agent):
    """Of its own process: the method may be there or not, and the agent may not start at all."""
    confinement = Confinement()
    able = [
        can_start_after(each, GAME, LIMITS, confinement) for each in map(agent, ("Strong", "Broken", "BrokenBlack"))
    ]
    able.append(can_start_after(find("random"), GAME, LIMITS, confinement))
    confinement.close()
    assert able == [False, None, False, True]


@pytest.mark.parametrize(
    ("one", "other", "verdict"), [("Strong", "Weak", "better"), ("Weak", "Strong", "worse"), ("Player", "Player", None)]
)
def test_the_better_one_of_two_agents_is_found(agent, workers, one, other, verdict):
    """From whatever side one looks; two equal ones are not told apart."""
    series = Series(setting(agent(one), agent(other)), pairs=16)
    numbers = [pair.number for pair in series.play(workers)]
    found = conclude(series)
    assert numbers == list(range(1, 17))
    assert (series.ending, series.totals.results.tally.matches) == (Ending.COMPLETE, 32)
    assert found.verdict == (verdict or Verdict.CANNOT_TELL)


def test_the_number_of_workers_changes_nothing(agent, workers):
    """Neither the matches nor where a test stops: results are read in the order of the schedule."""
    test = Sprt(0, 200)
    found = []
    with Workers(1) as one:
        for each in (one, workers):
            series = Series(
                setting(agent("Strong"), agent("Player")),
                decide=lambda totals: test.state(totals.pentanomial).decision != "continue",
            )
            ways = [(pair.trails, pair.scores) for pair in series.play(each)]
            found.append((ways, series.totals.results, series.totals.reasons, series.ending, conclude(series, test)))
    assert found[0] == found[1]
    assert found[0][3] == Ending.DECIDED
    assert found[0][4].verdict == Verdict.BETTER


def test_players_that_always_play_the_same_are_recognised(agent, workers):
    """After three pairs under different seeds, and one match once more."""
    series = Series(setting(agent("Same"), agent("Same")), pairs=50)
    assert len(list(series.play(workers))) == 3
    found = conclude(series)
    assert (series.ending, series.reproducible, found.verdict) == (Ending.DETERMINISTIC, True, Verdict.DETERMINISTIC)
    assert "play the same two matches under every seed" in found.sentence
    assert "--openings" in found.findings[0].sentence


def test_an_opening_makes_different_matches_of_players_that_always_play_the_same(agent, workers):
    """So they can be compared after all."""
    series = Series(setting(agent("Same"), agent("Same"), opening=2), pairs=4)
    list(series.play(workers))
    assert series.totals.distinct_matches().distinct == 8


def test_one_random_player_is_enough_to_go_on(agent, workers):
    """And a series that stops after three pairs for another reason is not taken for a deterministic one."""
    series = Series(setting(agent("Same"), "random"), pairs=4)
    assert len(list(series.play(workers))) == 4
    assert (series.ending, series.reproducible) == (Ending.COMPLETE, True)


def test_a_fault_is_counted_by_reason_and_side_and_told_with_the_first_traceback(agent, workers):
    """It loses the match, and the series goes on."""
    series = Series(setting(agent("Crash"), "random"), pairs=4)
    list(series.play(workers))
    (failures,) = series.totals.failures[0]
    assert (failures.reason, sum(failures.by_side)) == (Reason.EXCEPTION, failures.count)
    assert failures.count == series.totals.reasons["exception"] > 0
    assert "IndexError" in failures.first.traceback
    assert failures.task.slots[failures.first.side] == 0
    assert series.totals.failures[1] == []
    (finding,) = [finding for finding in conclude(series).findings if finding.kind == "failures"]
    assert f"{failures.count} of the {series.totals.results.tally.losses} match" in finding.sentence


@pytest.mark.parametrize(
    ("name", "told"), [("Broken", "could not start,"), ("BrokenBlack", "could not start as black,")]
)
def test_an_agent_that_cannot_start_ends_the_series(agent, workers, name, told):
    """After the first pair: hundreds of such matches would say nothing more."""
    series = Series(setting("random", agent(name)), pairs=50)
    list(series.play(workers))
    found = conclude(series)
    assert (series.ending, series.totals.pairs, found.verdict) == (Ending.COULD_NOT_START, 1, Verdict.COULD_NOT_START)
    assert f"known:{name} {told}" in found.sentence
    assert "NameError" in series.totals.failures[1][0].first.traceback


def test_the_time_ends_a_series_that_waits_for_slow_players(agent):
    """Although no match is over by then: they would take a minute."""
    with Workers(1) as workers:
        series = Series(setting(agent("Slow"), "random"), seconds=0.5)
        assert list(series.play(workers)) == []
    assert (series.ending, conclude(series).verdict) == (Ending.TIME_IS_UP, Verdict.NOTHING_PLAYED)


def test_the_time_ends_a_series_of_quick_players(workers):
    """With what is known by then."""
    series = Series(setting(), seconds=0.1)
    list(series.play(workers))
    assert series.ending == Ending.TIME_IS_UP


def test_nothing_is_decided_by_the_same_match_again_and_again():
    """Three like pairs wait for the probe, whatever a test says; the series goes on where it goes another way."""
    series = Series(setting(), decide=lambda totals: True)
    played(series, lambda task, number: result(task, 0, "a" if number < 6 else str(number)))
    assert (series.ending, series.reproducible, series.totals.pairs) == (Ending.DECIDED, False, 4)
    assert "not reproducible" in [finding.kind for finding in conclude(series).findings]


def test_void_matches_are_played_again_at_most_three_times(monkeypatch):
    """And the fourth result stands."""
    for void, tries in ((2, 3), (9, 4)):
        tried = count()

        def play(task, void=void, tried=tried):
            return result(task, void=next(tried) < void)

        monkeypatch.setattr(module, "play_task", play)
        task = next(setting().pairs())[0]
        assert module.play_fixture(module._Fixture(task)).void == (void == 9)
        assert next(tried) == tries


def test_a_pair_with_a_void_match_counts_for_nobody():
    """Nor does one whose worker was lost; it is said, and the next pairs count."""

    def tell(task, number):
        if number == 1:
            return result(task, 0, reason="referee error", detail="please report this:\nit broke", void=True)
        return Lost("its worker died") if number == 2 else result(task, 0)

    series = played(Series(setting(), pairs=10), tell)
    found = conclude(series)
    assert (series.ending, series.totals.pairs, len(series.void)) == (Ending.COMPLETE, 8, 2)
    assert series.totals.pentanomial == Pentanomial(0, 0, 0, 0, 8)
    (finding,) = [finding for finding in found.findings if finding.kind == "void"]
    assert finding.sentence == "2 pairs did not count: referee error: it broke."


def test_a_referee_that_always_fails_ends_the_series():
    """After three pairs, with what was wrong."""
    tell = lambda task, number: result(task, reason="referee error", detail="no zygote", void=True)  # noqa: E731
    series = played(Series(setting()), tell)
    found = conclude(series)
    assert (series.ending, len(series.void), found.verdict) == (Ending.VOID, 3, Verdict.NOTHING_PLAYED)
    assert found.sentence == "No match counts, since each was void: referee error: no zygote."


def test_a_referee_that_fails_now_and_then_does_not_end_the_series():
    """However often that is in all."""

    def tell(task, number):
        void = int(task.id.partition("-")[0]) % 2 == 1
        return result(task, number % 2, reason="referee error" if void else "eliminated", void=void)

    series = played(Series(setting(), pairs=10), tell)
    assert (series.ending, series.totals.pairs, len(series.void)) == (Ending.COMPLETE, 5, 5)


def test_results_are_counted_by_the_side_that_the_first_agent_played():
    """And in pairs."""
    winners = [0, 0, 0, None, 1, 0, None, 1, 1, 1]
    totals = played(Series(setting(), pairs=5), lambda task, number: _but_for_the_probe(task, number, winners)).totals
    assert totals.by_side == (Tally(2, 1, 2), Tally(2, 1, 2))
    assert totals.results.tally == Tally(4, 2, 4)
    assert totals.pentanomial == Pentanomial(1, 1, 1, 1, 1)


def _but_for_the_probe(task, number, winners):
    """The seventh match is the first one again, and must not count."""
    if number == 6:
        return result(task, 1, "another way")
    return result(task, winners[number - (number > 6)])


def test_what_was_used_is_told_for_each_agent_whatever_side_it_played():
    """Median and worst: in these matches the second side uses twice as much as the first."""
    totals = played(Series(setting(), pairs=1), lambda task, number: result(task)).totals
    for slot in (0, 1):
        assert (totals.cpu_s[slot].median, totals.cpu_s[slot].worst, totals.memory_mb[slot].worst) == (1.5, 2.0, 20.0)
        assert totals.slowest_turn_s[slot] == 0.2


def test_a_player_that_comes_close_to_a_limit_is_warned():
    """The worst match counts, and one that was over the limit is a failure of its own."""
    for cpu_s, kinds in ((2.2, {"close to a limit"}), (20.0, set()), (1.9, set())):
        series = played(Series(setting(limits=Limits(cpu_s, 100)), pairs=1), lambda task, number: result(task))
        assert {finding.kind for finding in conclude(series).findings} == kinds


def test_faults_after_the_end_do_not_count():
    """What `finish` raises loses nothing, even where the other one lost by the same reason."""
    late = PlayerFailed(10, 1, "finish", Reason.EXCEPTION, "late")
    cause = PlayerFailed(9, 0, "action", Reason.EXCEPTION, "cause")
    for failures, reason, counted in (
        ((late,), "eliminated", [0, 0]),
        ((cause, late), "exception", [1, 0]),
    ):
        tell = lambda task, number, f=failures, r=reason: result(task, 1 - task.first, failures=f, reason=r)  # noqa: E731
        totals = played(Series(setting(), pairs=1), tell).totals
        assert [each.count for slot in (0, 1) for each in totals.failures[slot]] == [1, 1][: 2 * counted[0]]


def test_matches_that_are_the_same_again_are_no_evidence():
    """They are told, and where counting each once decides nothing, nothing is decided."""

    def tell(task, number):
        odd = int(task.id.partition("-")[0]) % 10 == 1
        return result(task, task.first if odd else 0, f"{odd}")

    series = played(Series(setting(), pairs=40), tell)
    found = conclude(series)
    assert found.verdict == Verdict.CANNOT_TELL
    assert "the same ones again" in found.sentence
    assert found.once is not None
    (finding,) = [finding for finding in found.findings if finding.kind == "repeats"]
    assert "Only 4 of 80 matches are distinct" in finding.sentence
    assert "each distinct pair counted once" in finding.sentence


def test_a_test_that_accepts_that_there_is_no_difference_says_so():
    """Not better is not worse."""
    test = Sprt(0, 50)
    winners = [0, 1, None, None]
    series = Series(setting(), decide=lambda totals: test.state(totals.pentanomial).decision != "continue")
    found = conclude(played(series, lambda task, number: result(task, winners[number % 4])), test)
    assert (series.ending, found.verdict, found.more) == (Ending.DECIDED, Verdict.NOT_BETTER, None)
    assert "The test accepts a difference of 0 Elo and rejects 50." in found.sentence


def test_an_open_question_says_how_many_matches_it_would_take():
    """About so many, at the present score."""
    series = played(
        Series(setting(), pairs=10),
        lambda task, number: result(task, 1 if number in (1, 2, 3, 9, 10, 11, 17, 18) else 0),
    )
    found = conclude(series)
    assert found.verdict == Verdict.CANNOT_TELL
    assert found.more > 0
    assert "more matches" in found.sentence


def test_equals_are_told_as_such():
    """With the same number of points no number of matches would help."""
    series = played(Series(setting(), pairs=2), lambda task, number: result(task))
    assert conclude(series).sentence.startswith("Cannot tell yet: the points are shared equally.")


def test_two_pairs_are_too_few_for_a_verdict():
    """One of two equals wins four matches in a row often enough; three pairs are another matter."""
    for pairs, verdict in ((2, Verdict.CANNOT_TELL), (3, Verdict.BETTER)):
        found = conclude(played(Series(setting(), pairs=pairs), lambda task, number: result(task, 0)))
        assert found.verdict == verdict


def test_the_same_sources_are_noticed(agent):
    """As a version that was forgotten to be saved."""
    for other, expected in (("Strong", True), ("Weak", False)):
        series = Series(setting(agent("Strong"), agent(other)), pairs=1)
        kinds = [finding.kind for finding in conclude(played(series, lambda task, number: result(task))).findings]
        assert ("same sources" in kinds) == expected


def test_agents_of_the_same_name_are_told_apart(tmp_path):
    """By the folders that they are in, or by a letter."""
    for folder in ("new/team", "old/team", "new/bots", "old/bots"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "player.py").write_text(AGENTS)

    def named(*specs):
        one, other = (find(str(tmp_path / spec)) for spec in specs)
        return labels((one, other))

    assert named("new/team/player.py", "old/bots/player.py") == ("team/player", "bots/player")
    assert named("new/team/player.py", "old/team/player.py") == ("new/team/player", "old/team/player")
    assert named("new/team", "old/team") == ("new/team", "old/team")
    assert named("new/team", "new/bots") == ("team", "bots")
    assert named("new/team", "new/team:Strong") == ("team", "team:Strong")
    assert named("new/team", "new/team") == ("team (A)", "team (B)")


def test_a_series_that_is_left_keeps_what_it_knows():
    """As by Ctrl-C: the pairs that were read, and why there are no more."""
    series = Series(setting(), pairs=50)
    for pair in series.play(Told(lambda task, number: result(task, 0))):
        if pair.number == 5:
            break
    assert (series.ending, series.totals.pairs, conclude(series).strength.score.value) == (Ending.INTERRUPTED, 5, 1.0)
