"""Joint ratings: against other ways to the same numbers, in odd tournaments, and where the truth is known."""

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated import POINTS, round_robin, swiss, true_elo

from watch_your_back.statistics import Result, elo_text, rate, strength
from watch_your_back.statistics.results import Results, Tally

NAMES = "abcde"


def by_name(ratings):
    return {each.agent: each for each in ratings.agents}


def values(ratings):
    return {each.agent: each.elo.value for each in ratings.agents}


def decided(random, matches):
    """Matches without draws between five agents of which the later are the better."""
    drawn = []
    while len(drawn) < matches:
        a, b = random.sample(range(5), 2)
        drawn.append(Result(NAMES[a], NAMES[b], float(random.random() < 1 / (1 + math.exp((b - a) / 2)))))
    return drawn


def test_without_draws_and_first_mover_it_is_the_bradley_terry_model_of_choix():
    """Another package finds the same strengths, where the phantom matches weigh nothing."""
    import choix  # brings SciPy, which takes a second

    results = decided(Random(1), 300)
    won = [(each.first, each.second) if each.score else (each.second, each.first) for each in results]
    theirs = choix.opt_pairwise(5, [(NAMES.index(a), NAMES.index(b)) for a, b in won], alpha=0, tol=1e-12)
    ours = values(rate(results, first_mover=False, prior=1e-9))
    difference = np.array([ours[name] for name in NAMES]) / POINTS - theirs
    assert difference == pytest.approx(np.full(5, difference.mean()), abs=1e-5)


def test_of_two_agents_the_rating_is_the_elo_of_their_score():
    """The phantom matches aside: one number for one thing, in series and in tournaments."""
    results = [Result("new", "old", float(won), won) for won in [1] * 30 + [0] * 10]
    ours = values(rate(results, prior=1e-9, first_mover=False))
    assert ours["new"] - ours["old"] == pytest.approx(strength(Results(Tally(30, 0, 10))).elo.value)


def log_likelihood(parameters, results):
    """Straight from the definition of the model, with the phantom matches of the default prior."""
    *strengths, advantage, log_draws = parameters
    of = dict(zip(NAMES, strengths, strict=True))

    def chances(x, draws):
        weights = np.array([math.exp(-x / 2), draws, math.exp(x / 2)])
        return weights / weights.sum()

    total = sum(
        math.log(chances(of[a] - of[b] + advantage, math.exp(log_draws))[round(2 * score)])
        for a, b, score, _ in results
    )
    total += sum(math.log(chances(each, 0)[0]) + math.log(chances(each, 0)[2]) for each in strengths)
    equals = chances(advantage, math.exp(log_draws))
    return total + (math.log(equals[0]) + math.log(equals[2])) / 2


def climb(function, start):
    """The top of a smooth hill, by steps along one axis after another that shrink when none of them helps."""
    at, step = np.array(start, dtype=float), 0.5
    best = function(at)
    while step > 1e-5:
        moved = False
        for axis in range(len(at)):
            for sign in (step, -step):
                tried = at.copy()
                tried[axis] += sign
                if (value := function(tried)) > best:
                    at, best, moved = tried, value, True
        step = step if moved else step / 2
    return at


def test_with_draws_and_first_mover_it_is_the_top_of_the_likelihood():
    """A search that knows nothing but the definition of the model ends at the same place."""
    results = [
        Result(NAMES[int(each.first)], NAMES[int(each.second)], each.score, each.pair)
        for each in round_robin(Random(2), [-0.8, -0.2, 0.0, 0.3, 0.9], 2, advantage=0.5, draws=0.5)
    ]
    top = climb(lambda at: log_likelihood(at, results), np.zeros(7))
    ratings = rate(results)
    draws = math.exp(top[-1])
    scale = POINTS * 2 / (2 + draws)
    ours = values(ratings)
    assert [ours[name] - ours["a"] for name in NAMES] == pytest.approx((top[:5] - top[0]) * scale, abs=0.1)
    assert ratings.advantage.value == pytest.approx(top[5] * scale, abs=0.1)
    assert ratings.draw_rate == pytest.approx(draws / (2 + draws), abs=1e-4)


TOURNAMENTS = st.lists(
    st.builds(
        lambda ab, score, label: Result(NAMES[ab[0]], NAMES[ab[1]], score, label),
        st.permutations(range(5)),
        st.sampled_from([0.0, 0.5, 1.0]),
        st.integers(0, 3),
    ),
    max_size=25,
)


@given(TOURNAMENTS, st.randoms())
def test_any_tournament_has_ratings_that_do_not_depend_on_order(results, random):
    """Whoever met whom, everything is finite or None, and the same for the matches in another order."""
    ratings = rate(results, agents=NAMES, resamples=100)
    shuffled = random.sample(results, len(results))
    again = rate(shuffled, agents=random.sample(NAMES, 5), resamples=100)
    assert again.agents == ratings.agents
    assert (again.los == ratings.los).all()
    for agent in ratings.agents:
        numbers = [number for number in agent.elo if number is not None]
        assert all(map(math.isfinite, numbers))
        assert agent.ranks[0] <= agent.rank <= agent.ranks[1]
    assert ratings.los + ratings.los.T == pytest.approx(np.ones((5, 5)))
    assert sum(each.tally.matches for each in ratings.agents) == 2 * len(results)


@settings(max_examples=20)
@given(TOURNAMENTS)
def test_with_all_results_reversed_so_are_the_ratings(results):
    """Who moved second moved first and won what it lost: the order is turned round."""
    turned = [Result(each.first, each.second, 1 - each.score, each.pair) for each in results]
    ours, theirs = (values(rate(each, agents=NAMES, resamples=100)) for each in (results, turned))
    assert [ours[name] for name in NAMES] == pytest.approx([-theirs[name] for name in NAMES], abs=1e-4)


def test_one_win_more_is_a_better_rating():
    """Turning a loss into a win raises an agent's rating."""
    results = decided(Random(3), 60)
    lost = next(at for at, each in enumerate(results) if each.first == "a" and each.score == 0)
    better = [*results[:lost], results[lost]._replace(score=1.0), *results[lost + 1 :]]
    assert values(rate(better))["a"] > values(rate(results))["a"] + 5


def test_the_same_seed_gives_the_same_intervals_and_another_seed_similar_ones():
    """Reproducible to the last digit; 1,000 resamples settle the ends to a few points."""
    results = round_robin(Random(4), [0.0, 0.5, 1.0], 20)
    one, again, other = rate(results), rate(results), rate(results, seed=1)
    assert one.agents == again.agents
    assert one.agents != other.agents
    for mine, yours in zip(one.agents, other.agents, strict=True):
        assert mine.elo == pytest.approx(yours.elo, abs=8)


def test_an_anchor_is_the_zero():
    """Its own rating is exact, and the others are told relative to it."""
    results = round_robin(Random(5), [0.0, 0.5, 1.0], 20)
    free, anchored = rate(results), rate(results, anchor="01")
    assert by_name(anchored)["01"].elo == (0, 0, 0)
    assert values(anchored)["02"] == pytest.approx(values(free)["02"] - values(free)["01"])


def test_zero_is_what_scores_one_half_against_the_field():
    """So an agent that loses everything does not move the others by much."""
    results = round_robin(Random(6), [0.0, 0.2, 0.4, 0.6], 20)
    broken = [
        Result(*sides, float(sides[0] != "xx"), (name, number))
        for name in ("00", "01", "02", "03")
        for number in range(20)
        for sides in ((name, "xx"), ("xx", name))
    ]
    elo = values(rate(results + broken))
    assert sum(math.tanh(each / POINTS / 2) for each in elo.values()) == pytest.approx(0, abs=1e-6)
    assert elo["xx"] < -500
    alone = values(rate(results))
    assert all(abs(elo[name] - alone[name]) < 120 for name in alone)


def test_an_unbeaten_agent_and_a_beaten_one_are_bounded_on_one_side():
    """The ratings are finite, and the missing end is not made up."""
    results = round_robin(Random(7), [0.0, 0.1], 20)
    for name, score in (("top", 1.0), ("last", 0.0)):
        for number in range(5):
            results += [Result(name, f"0{at}", score, number) for at in (0, 1)]
            results += [Result(f"0{at}", name, 1 - score, number) for at in (0, 1)]
    found = by_name(rate(results))
    assert found["top"].elo.high is None
    assert found["last"].elo.low is None
    assert found["top"].elo.value > found["top"].elo.low > 0
    assert found["last"].elo.value < found["last"].elo.high < 0
    assert "(at least +" in elo_text(found["top"].elo)
    assert None not in found["00"].elo
    assert (found["top"].ranks, found["last"].ranks) == ((1, 1), (4, 4))


def test_groups_that_never_met_are_told_apart():
    """Each has a zero of its own, and nothing is claimed about who is better across them."""
    results = round_robin(Random(8), [0.0, 1.0], 30)
    apart = [Result("x", "y", float(number % 3 > 0), number) for number in range(60)]
    apart += [Result("y", "x", 1 - each.score, each.pair) for each in apart]
    ratings = rate(results + apart, agents=["idle"])
    assert sorted(map(sorted, ratings.groups)) == [["00", "01"], ["idle"], ["x", "y"]]
    at = {each.agent: number for number, each in enumerate(ratings.agents)}
    assert ratings.los[at["01"], at["y"]] == ratings.los[at["x"], at["idle"]] == 0.5
    assert ratings.los[at["01"], at["00"]] > 0.9
    found = by_name(ratings)
    assert found["idle"].elo == (0, None, None)
    assert found["idle"].ranks == (1, 5)
    assert found["x"].elo.value == pytest.approx(-found["y"].elo.value, abs=1e-6)
    assert found["x"].ranks == (1, 4)


def test_pairs_that_go_together_widen_the_intervals():
    """Where the second match of each pair only repeats the first, it is no evidence of its own."""
    single = [Result("a", "b", float(number % 3 > 0), number) for number in range(90)]
    same = single + [Result("b", "a", 1 - each.score, each.pair) for each in single]
    loose = [each._replace(pair=None) for each in same]
    narrow, wide = (by_name(rate(each, first_mover=False))["a"].elo for each in (loose, same))
    assert 1.3 < (wide.high - wide.low) / (narrow.high - narrow.low) < 1.5


def test_the_advantage_of_moving_first_is_found_and_does_not_count_as_strength():
    """Agents of one strength, of which some move first more often, are rated equal; the advantage is told."""
    random = Random(9)
    results = []
    for a, b, often, seldom in (("a", "b", 150, 50), ("b", "c", 150, 50)):
        for first, second, times in ((a, b, often), (b, a, seldom)):
            results += [Result(first, second, float(random.random() < 0.75)) for _ in range(times)]
    ratings = rate(results)
    assert all(each.elo.low < 0 < each.elo.high for each in ratings.agents)
    assert ratings.advantage.low < POINTS * math.log(3) < ratings.advantage.high
    assert ratings.advantage.low > 100


def test_where_the_first_to_move_always_wins_the_advantage_is_at_least_something():
    """No end is made up for it."""
    found = rate([Result(*sides, 1.0, number) for number in range(10) for sides in ("ab", "ba")]).advantage
    assert found.low > 200
    assert found.high is None


@pytest.mark.parametrize("results", [[], [Result("a", "b", 0.5)] * 20])
def test_tournaments_without_a_decision_have_ratings(results):
    """Nothing played yet, or everything drawn: all are equal."""
    ratings = rate(results, agents=["a", "b"])
    assert list(values(ratings).values()) == pytest.approx([0, 0], abs=1e-6)
    assert {each.rank for each in ratings.agents} == {1}
    assert rate([]).agents == ()


@pytest.mark.parametrize(
    ("results", "settings", "message"),
    [
        ([Result("a", "b", 0.7)], {}, "the score of a match"),
        ([Result("a", "a", 1)], {}, "against itself"),
        ([Result("a", "b", 1)], {"anchor": "c"}, "'c' is none of the agents"),
        ([Result("a", "b", 1)], {"resamples": 10}, "at least 100"),
        ([Result("a", "b", 1)], {"prior": 0}, "above 0"),
    ],
)
def test_what_cannot_be_rated_is_refused(results, settings, message):
    """With a sentence that says why."""
    with pytest.raises(ValueError, match=message):
        rate(results, **settings)


@pytest.mark.parametrize("kind", ["round robin", "Swiss"])
def test_the_intervals_hold_the_truth_as_often_as_they_say(kind):
    """Of 25 simulated tournaments, seeded; the full size of this is in the benchmarks."""
    held, bounds = [], []
    for number in range(25):
        random = Random(f"{kind} {number}")
        strengths = [random.gauss(0, 1) for _ in range(8 if kind == "round robin" else 16)]
        results = round_robin(random, strengths, 3) if kind == "round robin" else swiss(random, strengths, 6)
        found = by_name(rate(results, resamples=300))
        for at, truth in enumerate(true_elo(strengths)):
            agent = found[f"{at:02}"]
            held.append((agent.elo.low or -9e9) <= truth <= (agent.elo.high or 9e9))
            stronger = sum(other > strengths[at] for other in strengths)
            bounds.append(agent.ranks[0] <= 1 + stronger <= agent.ranks[1])
    assert 0.90 < np.mean(held) < 0.99
    assert np.mean(bounds) > 0.93
