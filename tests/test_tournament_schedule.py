"""Who meets whom: complete, fair, the same every time, and no more often than need be."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as some

from watch_your_back.game import Game
from watch_your_back.tournament.matching import ALONE, match_all
from watch_your_back.tournament.schedule import count, fixtures, pair
from watch_your_back.tournament.settings import Settings, SettingsError
from watch_your_back.tournament.swiss import BYE_POINTS, pair_up, rank

GAME = Game.load("watch_your_back")


def names(number):
    """So many agents."""
    return [f"agent {index}" for index in range(number)]


@pytest.mark.parametrize("number", [2, 3, 4, 7, 10])
@pytest.mark.parametrize("rounds", [1, 3])
def test_in_a_round_robin_each_two_meet_twice_a_round(number, rounds):
    """Once on each side, with one seed for both and another one for every other pair."""
    settings = Settings(GAME, rounds=rounds, seed=5)
    schedule = list(fixtures(settings, names(number)))
    assert len({fixture.id for fixture in schedule}) == len(schedule) == count(settings, number)
    seated = Counter((fixture.round, fixture.seated) for fixture in schedule)
    pairs = list(combinations(names(number), 2))
    assert seated == {
        (round, order): 1
        for round in range(1, rounds + 1)
        for one, other in pairs
        for order in ((one, other), (other, one))
    }
    assert len({fixture.seed for fixture in schedule}) == len(schedule) / 2
    for first, second in zip(schedule[::2], schedule[1::2], strict=True):
        assert first.seed == second.seed
        assert first.seated == second.seated[::-1]


def test_rounds_come_one_after_the_other():
    """After each of them, everybody has met everybody equally often."""
    rounds = [fixture.round for fixture in fixtures(Settings(GAME, rounds=3), names(5))]
    assert rounds == sorted(rounds)


def test_ids_and_seeds_do_not_depend_on_who_else_plays():
    """So an agent can be added or replaced, and no other match changes."""
    few = {fixture.id: fixture for fixture in fixtures(Settings(GAME, seed=3), ["a", "b", "c"])}
    many = {fixture.id: fixture for fixture in fixtures(Settings(GAME, seed=3), ["a", "b", "c", "d", "e"])}
    assert few.items() <= many.items()
    assert "a/b/1" in few


def test_another_seed_is_another_tournament():
    """With the same matches."""
    one = list(fixtures(Settings(GAME, seed=1), names(4)))
    other = list(fixtures(Settings(GAME, seed=2), names(4)))
    assert [fixture.id for fixture in one] == [fixture.id for fixture in other]
    assert {fixture.seed for fixture in one}.isdisjoint(fixture.seed for fixture in other)


def test_in_a_gauntlet_only_the_challengers_meet_everybody():
    """Without a name it is the first agent; challengers do not meet each other."""
    settings = Settings(GAME, "gauntlet", rounds=2)
    schedule = list(fixtures(settings, names(4)))
    assert len(schedule) == count(settings, 4) == 12
    assert all("agent 0" in fixture.agents for fixture in schedule)
    settings = Settings(GAME, "gauntlet", challengers=("agent 1", "agent 3"))
    schedule = list(fixtures(settings, names(4)))
    assert len(schedule) == count(settings, 4) == 8
    assert {fixture.agents for fixture in schedule} == {
        (one, other) for one, other in combinations(names(4), 2) if len({one, other} & {"agent 1", "agent 3"}) == 1
    }


def test_a_challenger_that_is_not_there_is_said_so():
    """With the names that are."""
    with pytest.raises(SettingsError, match="the challenger 'x' is not among the agents: agent 0, agent 1"):
        list(fixtures(Settings(GAME, "gauntlet", challengers=("x",)), names(2)))


def swiss(number, rounds, rng):
    """The rounds of a Swiss tournament with random results."""
    points, met, byes, drawn = dict.fromkeys(names(number), 0.0), [], [], []
    for _ in range(rounds):
        drawn.append(pair_up(rank(points, 7), met, byes))
        for one, other in drawn[-1].pairs:
            won = rng.choice([0, 0.5, 1, 1.5, 2])
            points[one] += won
            points[other] += 2 - won
        if drawn[-1].bye:
            byes.append(drawn[-1].bye)
            points[drawn[-1].bye] += BYE_POINTS
        met += drawn[-1].pairs
    return drawn


@given(some.integers(2, 24), some.integers(1, 7), some.randoms(use_true_random=False))
def test_a_swiss_round_has_everybody_once(number, rounds, rng):
    """And at most one bye, for nobody twice before everybody had one."""
    drawn = swiss(number, rounds, rng)
    for each in drawn:
        seen = [name for agents in each.pairs for name in agents] + [each.bye] * (number % 2)
        assert sorted(seen) == sorted(names(number))
    byes = Counter(each.bye for each in drawn if each.bye)
    assert max(byes.values(), default=0) <= max(1, -(-rounds // number))


def largest(edges):
    """How many edges of a small graph have no vertex in common at most, by trying."""
    if not edges:
        return 0
    (one, other), *rest = edges
    return max(largest(rest), 1 + largest([edge for edge in rest if not {one, other} & {*edge}]))


@given(some.lists(some.tuples(some.integers(0, 8), some.integers(0, 8)), max_size=14))
def test_as_many_as_possible_are_matched(pairs):
    """In any graph, odd cycles and all; whoever was matched before still is."""
    edges = sorted({(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]})
    neighbours = [[b for a, b in edges + [edge[::-1] for edge in edges] if a == vertex] for vertex in range(9)]
    mates = [ALONE] * 9
    if edges:
        one, other = edges[0]
        mates[one], mates[other] = other, one
    match_all(neighbours, mates)
    matched = [(one, other) for one, other in enumerate(mates) if other != ALONE]
    assert all(mates[other] == one and other in neighbours[one] for one, other in matched)
    assert len(matched) == 2 * largest(edges)
    assert not edges or ALONE not in (mates[edges[0][0]], mates[edges[0][1]])


@given(some.integers(7, 12), some.randoms(use_true_random=False))
def test_nobody_meets_twice_while_that_can_be(half, rng):
    """In half as many rounds as there are opponents, nobody does."""
    drawn = swiss(2 * half, half, rng)
    meetings = Counter(frozenset(agents) for each in drawn for agents in each.pairs)
    assert set(meetings.values()) == {1}


def test_few_agents_meet_again_as_seldom_as_can_be():
    """Four agents in six rounds: everybody exactly twice."""
    drawn = swiss(4, 6, Random(1))
    assert set(Counter(frozenset(agents) for each in drawn for agents in each.pairs).values()) == {2}


def test_neighbours_in_the_ranking_meet():
    """The best against the second, and so on."""
    points = {"a": 4.0, "b": 0.5, "c": 3.0, "d": 1.0}
    assert rank(points, 1) == ["a", "c", "d", "b"]
    assert pair_up(rank(points, 1), []).pairs == (("a", "c"), ("d", "b"))
    assert pair_up(rank(points, 1), [("c", "a")]).pairs == (("a", "d"), ("c", "b"))


def test_the_first_round_is_drawn_from_the_seed():
    """The same for the same seed, whatever the order of the agents."""
    points = dict.fromkeys(names(20), 0.0)
    turned = dict.fromkeys(reversed(names(20)), 0.0)
    assert rank(points, 1) == rank(turned, 1)
    assert rank(points, 1) != rank(points, 2)


def test_a_pairing_has_two_matches():
    """One on each side, named after who plays which side in which round."""
    one, other = pair(Settings(GAME), 4, ("a", "b"))
    assert (one.id, one.seated, one.first) == ("a/b/4", ("a", "b"), 0)
    assert (other.id, other.seated, other.first) == ("b/a/4", ("b", "a"), 1)
    assert one.agents == other.agents == ("a", "b")
