"""A tournament from its beginning to its end, with matches that are not really played: what is due, and what is not."""

from collections import Counter

import pytest

from watch_your_back.agents import find
from watch_your_back.game import Game
from watch_your_back.match.events import PlayerFailed, Reason, Usage
from watch_your_back.tournament.entering import changes, enter
from watch_your_back.tournament.intake import Candidate, Fitness
from watch_your_back.tournament.running import Benched, MatchPlayed, RoundPaired, Tournament
from watch_your_back.tournament.settings import Settings, SettingsError
from watch_your_back.tournament.staging import stage
from watch_your_back.tournament.standing import read_standing
from watch_your_back.tournament.store import Entrant, Store, StoreError
from watch_your_back.tournament.tasks import MatchResult, MatchTask

GAME = Game.load("watch_your_back")
SETTINGS = Settings(GAME, seed=3)


class FakeWorkers:
    """Plays matches in no time: the agent whose name comes first wins, unless its sources say something else."""

    def __init__(self, broken=(), void=lambda task, attempt: False):
        self.broken, self.void = set(broken), void
        self.played = Counter()
        self.seeds = {}

    def run(self, tasks):
        for task in tasks:
            self.played[task.id] += 1
            self.seeds[task.id] = task.seed
            yield self.result(task)

    def each(self, call, items, in_order=False):
        for item in items:
            yield item, Fitness(True, ())

    def result(self, task: MatchTask):
        names = [agent.name for agent in task.agents]
        failing = [slot for slot in (0, 1) if names[slot] in self.broken]
        failures = [PlayerFailed(-1, task.slots.index(s), "import", Reason.COULD_NOT_START, "oops") for s in failing]
        winner = names.index(min(names)) if not failing else 1 - failing[0] if len(failing) == 1 else None
        void = self.void(task, self.played[task.id])
        reason = "referee error" if void else "could not start" if failing else "eliminated"
        used = (Usage(), Usage())
        winner = None if void else winner
        about = (winner, reason, "", void, 9, task.slots, used, ("full", "full"), (0.0, 0.0))
        return MatchResult(task.id, *about, tuple(failures), b"", "x", 0.1, "here")


@pytest.fixture
def store(tmp_path):
    """An empty store."""
    with Store(tmp_path / "t.db", write=True) as opened:
        yield opened


def begin(store, settings=SETTINGS, names="abcd"):
    """Enter agents that play."""
    for name in names:
        staged = stage(find("random"), name, store.folder)
        store.enter(Entrant(name, "random", staged.sources, staged.agent, "plays", "", ()))
    store.settle(settings)


def played(store, workers=None, stop_after=None):
    """What happens until the end, or until so many matches were played."""
    workers = workers or FakeWorkers()
    happened = []
    for happening in Tournament(store).play(workers):
        happened.append(happening)
        if stop_after is not None and sum(isinstance(each, MatchPlayed) for each in happened) == stop_after:
            break
    return happened


def ids(happened):
    """Of the matches that were played."""
    return [each.fixture.id for each in happened if isinstance(each, MatchPlayed)]


def test_everything_is_played_once(store):
    """And then there is nothing left to do."""
    begin(store)
    assert Tournament(store).remaining() == 12
    happened = played(store)
    assert len(set(ids(happened))) == len(happened) == 12
    assert Tournament(store).remaining() == 0
    assert played(store) == []
    standing = read_standing(store)
    assert [(line.entrant.name, line.points) for line in standing.lines] == [("a", 6), ("b", 4), ("c", 2), ("d", 0)]


def test_a_run_goes_on_where_it_stopped(store):
    """Whatever was played is not played again, and the seeds are the same."""
    begin(store)
    workers = FakeWorkers()
    first = ids(played(store, workers, stop_after=5))
    rest = ids(played(store, workers))
    assert len(first) == 5
    assert set(first).isdisjoint(rest)
    assert len(first + rest) == 12
    assert workers.seeds["a/b/1"] == workers.seeds["b/a/1"] != workers.seeds["a/c/1"]


def test_a_void_match_is_played_again_and_not_counted(store):
    """Until it is none any more."""
    begin(store)
    workers = FakeWorkers(void=lambda task, attempt: task.id == "a/b/1" and attempt < 3)
    played(store, workers)
    assert workers.played["a/b/1"] == 3
    assert sum(workers.played.values()) == 14
    assert (read_standing(store).matches, read_standing(store).void) == (12, 2)
    assert Tournament(store).given_up() == 0


def test_a_match_that_stays_void_is_given_up(store):
    """After it was played again three times, also by other runs; the others are not waited for."""
    begin(store)
    workers = FakeWorkers(void=lambda task, attempt: task.id == "a/b/1")
    played(store, workers, stop_after=14)
    played(store, workers)
    assert workers.played["a/b/1"] == 4
    assert read_standing(store).matches == 11
    assert (Tournament(store).given_up(), Tournament(store).remaining()) == (1, 0)


def test_an_agent_that_cannot_start_is_benched_and_named(store):
    """After its first three matches; what is left of them is not played, and what was counts for nobody."""
    settings = Settings(GAME, rounds=5)
    begin(store, settings)
    workers = FakeWorkers(broken="b")
    happened = played(store, workers)
    assert [each for each in happened if isinstance(each, Benched)] == [Benched("b", "oops")]
    assert sum(times for id, times in workers.played.items() if "b" in id.split("/")) == 3
    assert {line.entrant.name: line.total.matches for line in read_standing(store).lines} == {
        "a": 20,
        "c": 20,
        "d": 20,
        "b": 0,
    }
    (benched,) = [each for each in store.entrants() if each.state == "benched"]
    assert (benched.name, benched.why) == ("b", "oops")


def test_an_agent_that_starts_now_and_then_is_not_benched(store):
    """It loses the matches in which it does not."""
    begin(store, Settings(GAME, rounds=2))

    class Sometimes(FakeWorkers):
        def result(self, task):
            self.broken = {"b"} if sum(self.played.values()) % 2 else set()
            return super().result(task)

    assert not [each for each in played(store, Sometimes()) if isinstance(each, Benched)]
    assert read_standing(store).matches == 24


def test_a_replaced_agent_plays_all_its_matches_and_nobody_else_any(store):
    """A benched agent comes back mended: only what it takes part in is played."""
    begin(store)
    played(store, FakeWorkers(broken="b"))
    staged = stage(find("greedy"), "b", store.folder)
    store.enter(Entrant("b", "b.zip", staged.sources, staged.agent, "plays", "", ()))
    assert sorted(ids(played(store))) == sorted(
        f"{x}/{y}/1" for x in "abcd" for y in "abcd" if x != y and "b" in (x, y)
    )
    assert read_standing(store).matches == 12


def test_a_disqualified_agent_plays_no_more(store):
    """Its matches stay where they are, for the case that it comes back."""
    begin(store)
    played(store, stop_after=6)
    store.set_state("a", "disqualified", "copied")
    assert not [id for id in ids(played(store)) if "a" in id]
    assert read_standing(store).matches == 6
    store.set_state("a", "plays")
    played(store)
    assert read_standing(store).matches == 12


def test_a_copy_that_is_gone_is_said_so(store):
    """And nobody is benched for it."""
    begin(store)
    store.entrants()[1].agent.path.unlink()
    with pytest.raises(StoreError, match="the copy of b is gone"):
        Tournament(store)


def test_a_gauntlet(store):
    """Only the challenger's matches are played."""
    begin(store, Settings(GAME, "gauntlet", challengers=("c",)))
    assert len(ids(played(store))) == 6
    assert {line.entrant.name: line.total.matches for line in read_standing(store).lines} == {
        "c": 6,
        "a": 2,
        "b": 2,
        "d": 2,
    }


def test_a_swiss_tournament(store):
    """Rounds of pairs, each paired when the one before has been played, until the first is known."""
    begin(store, Settings(GAME, "swiss", rounds=3, seed=1), "abcdefgh")
    assert Tournament(store).remaining() == 24
    happened = played(store)
    assert [(each.round, each.pairs) for each in happened if isinstance(each, RoundPaired)] == [(1, 4), (2, 4), (3, 4)]
    rounds = [each.fixture.round for each in happened if isinstance(each, MatchPlayed)]
    assert rounds == sorted(rounds)
    standing = read_standing(store)
    assert (standing.lines[0].entrant.name, standing.lines[0].points) == ("a", 6)
    assert (standing.lines[-1].entrant.name, standing.lines[-1].points) == ("h", 0)
    assert Tournament(store).remaining() == 0


@pytest.mark.parametrize("stop_after", [1, 7, 8, 9, 20])
def test_a_swiss_tournament_goes_on_where_it_stopped(store, tmp_path, stop_after):
    """With the pairings that it would have had without a stop."""
    settings = Settings(GAME, "swiss", rounds=3, seed=1)
    begin(store, settings, "abcdefgh")
    stopped = ids(played(store, stop_after=stop_after)) + ids(played(store))
    with Store(tmp_path / "u.db", write=True) as other:
        begin(other, settings, "abcdefgh")
        assert ids(played(other)) == stopped


def test_in_a_swiss_round_an_odd_one_has_a_bye(store):
    """Worth two points; and so is an opponent that turns out not to start."""
    begin(store, Settings(GAME, "swiss", rounds=3, seed=1), "abcde")
    played(store)
    lines = read_standing(store).lines
    assert sum(line.byes for line in lines) == 3
    assert sum(line.points for line in lines) == 3 * 3 * 2


def test_in_a_swiss_tournament_nobody_is_paired_with_one_that_is_out(store):
    """Who was, has a bye instead; who comes back plays those matches that it was paired for."""
    settings = Settings(GAME, "swiss", rounds=4, seed=1)
    begin(store, settings, "abcdef")
    happened = played(store, FakeWorkers(broken="b"))
    assert Benched("b", "oops") in happened
    assert not [agents for agents in store.pairings(3) + store.pairings(4) if "b" in agents]
    assert sum(line.byes for line in read_standing(store).lines if line.entrant.state == "plays") == 4
    staged = stage(find("greedy"), "b", store.folder)
    store.enter(Entrant("b", "b", staged.sources, staged.agent, "plays", "", ()))
    assert all("b" in id for id in ids(played(store)))
    assert Tournament(store).remaining() == 0


def candidate(store, name, spec="random", why_not=""):
    """An agent as the intake hands it over."""
    if why_not:
        return Candidate(name, name, why_not=why_not)
    return Candidate(name, spec, *stage(find(spec), name, store.folder))


def taken(store, settings, *candidates, accepted=()):
    """Take the candidates in; what keeps that from going on, or None."""
    found = changes(store, settings, candidates, accepted)
    if refusal := found.refusal(accepted):
        return refusal
    for _ in enter(store, settings, candidates, found, FakeWorkers()):
        pass
    return None


def test_the_same_again_is_no_change(store):
    """And nothing is tried twice."""
    agents = [candidate(store, "a"), candidate(store, "b"), candidate(store, "c", why_not="damaged")]
    assert taken(store, SETTINGS, *agents) is None
    assert [each.state for each in store.entrants()] == ["plays", "plays", "unfit"]
    found = changes(store, SETTINGS, agents, ())
    assert list(enter(store, SETTINGS, agents, found, FakeWorkers())) == []
    assert taken(store, SETTINGS, *agents) is None


def test_changed_settings_are_refused_until_they_are_accepted(store):
    """In one line that says what has changed; under other conditions everything is played again."""
    agents = [candidate(store, "a"), candidate(store, "b")]
    taken(store, SETTINGS, *agents)
    played(store)
    more = Settings(GAME, seed=3, rounds=2)
    assert taken(store, more, *agents) == (
        "since this store was begun, the settings are others (rounds 1, now 2); "
        "add --accept-changes settings to go on with that"
    )
    assert taken(store, more, *agents, accepted=["settings"]) is None
    assert len(ids(played(store))) == 2
    other = Settings(Game.load("watch_your_back", turn_cap=9), seed=4, rounds=2)
    refusal = taken(store, other, *agents, accepted=["a"])
    assert "option turn_cap 512, now 9" in refusal
    assert "seed 3, now 4" in refusal
    assert refusal.endswith("then all matches are played again")
    assert taken(store, other, *agents, accepted=["settings"]) is None
    assert len(ids(played(store))) == 4


def test_changed_sources_are_refused_until_they_are_accepted(store):
    """And then the agent's own matches are played again."""
    names = ("a", "b", "c")
    taken(store, SETTINGS, *(candidate(store, name) for name in names))
    played(store)
    changed = [candidate(store, "a"), candidate(store, "b", "greedy"), candidate(store, "c")]
    assert taken(store, SETTINGS, *changed) == (
        "since this store was begun, b is changed; add --accept-changes b to go on with that: "
        "then all matches of what has changed are played again"
    )
    assert taken(store, SETTINGS, *changed, accepted=["b"]) is None
    assert sorted(ids(played(store))) == ["a/b/1", "b/a/1", "b/c/1", "c/b/1"]
    assert taken(store, SETTINGS, *changed) is None


def test_new_agents_and_those_that_are_gone_are_refused_until_they_are_accepted(store):
    """All at once, if there are many."""
    taken(store, SETTINGS, *(candidate(store, name) for name in "abc"))
    played(store)
    now = [candidate(store, name) for name in "abdefg"]
    refusal = taken(store, SETTINGS, *now)
    assert "d, e, f, g are new, c is gone; add --accept-changes all to go on" in refusal
    assert taken(store, SETTINGS, *now, accepted=["all"]) is None
    played(store)
    lines = {line.entrant.name: line for line in read_standing(store).lines}
    assert lines["c"].entrant.state == "withdrawn"
    assert lines["d"].total.matches == 10
    assert taken(store, SETTINGS, *now) is None


def test_an_agent_can_leave_and_come_back(store):
    """With the matches that it had played, if it is still the same."""
    agents = [candidate(store, name) for name in "abc"]
    taken(store, SETTINGS, *agents)
    played(store)
    assert taken(store, SETTINGS, *agents[:2], accepted=["c"]) is None
    assert read_standing(store).matches == 2
    assert "c is new" in taken(store, SETTINGS, *agents)
    assert taken(store, SETTINGS, *agents, accepted=["c"]) is None
    assert ids(played(store)) == []
    assert read_standing(store).matches == 6


def test_who_was_out_stays_out_after_an_absence(store):
    """A benched, disqualified or unfit agent that is no longer entered, and then is again, as it was."""
    agents = [candidate(store, name) for name in "abcd"]
    taken(store, SETTINGS, *agents, candidate(store, "e", why_not="damaged"))
    store.set_state("c", "benched", "why")
    store.set_state("d", "disqualified", "why")
    assert taken(store, SETTINGS, *agents[:2]) is None
    assert taken(store, SETTINGS, *agents, candidate(store, "e", why_not="damaged")) is None
    assert [each.state for each in store.entrants()] == ["plays", "plays", "benched", "disqualified", "unfit"]
    assert "c is changed" in taken(store, SETTINGS, *agents[:2], candidate(store, "c", "greedy"), agents[3])


def test_other_rules_are_a_change_of_the_settings(store):
    """What was played by an earlier version of them is not mixed with what is played by this one."""
    agents = [candidate(store, name) for name in "ab"]
    taken(store, Settings(GAME, seed=3, rules_version=0), *agents)
    with pytest.raises(StoreError, match="begun with version 0 of the rules of watch_your_back"):
        Tournament(store)
    assert "rules_version 0, now 1" in taken(store, SETTINGS, *agents)
    assert taken(store, SETTINGS, *agents, accepted=["settings"]) is None
    assert Tournament(store).remaining() == 2


def test_an_unfit_agent_can_come_back_mended(store):
    """Nothing was played by it, so nothing has to be accepted."""
    taken(store, SETTINGS, candidate(store, "a"), candidate(store, "b"), candidate(store, "c", why_not="damaged"))
    played(store)
    assert taken(store, SETTINGS, *(candidate(store, name) for name in "abc")) is None
    assert len(ids(played(store))) == 4


def test_what_was_broken_off_before_it_began_is_done_again(store):
    """Without anything to accept: there is nothing yet that could be mixed."""
    agents = [candidate(store, name) for name in "abc"]
    found = changes(store, SETTINGS, agents, ())
    next(enter(store, SETTINGS, agents, found, FakeWorkers()))
    assert store.settings is None
    assert taken(store, Settings(GAME, rounds=2), candidate(store, "a"), candidate(store, "b", "greedy")) is None
    assert Tournament(store).remaining() == 4


def test_accepting_what_is_not_there_is_a_mistake(store):
    """With the name that is near."""
    taken(store, SETTINGS, candidate(store, "alice"), candidate(store, "bob"))
    with pytest.raises(
        SettingsError, match="there is no agent 'alcie' whose changes could be accepted; did you mean alice"
    ):
        taken(store, SETTINGS, candidate(store, "alice"), candidate(store, "bob"), accepted=["alcie"])


def test_what_is_stored_tells_nothing_of_the_machine(store):
    """Files of agents in tracebacks are named as seen from their folders, as in records."""
    begin(store, names="ab")
    root = store.entrants()[1].agent.root

    class Talkative(FakeWorkers):
        def result(self, task):
            side = task.slots.index(1)
            failure = PlayerFailed(3, side, "action", Reason.EXCEPTION, f"no file {root}/x", f'File "{root}/player.py"')
            detail = f"black in action: no file {root}/x"
            return super().result(task)._replace(failures=(failure,), detail=detail, reason="exception")

    played(store, Talkative())
    assert set(store.rows("SELECT detail, traceback FROM failures")) == {("no file x", 'File "player.py"')}
    assert set(store.rows("SELECT detail FROM matches")) == {("black in action: no file x",)}
