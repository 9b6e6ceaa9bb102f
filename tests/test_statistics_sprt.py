"""The sequential test: its ratio against the definition, its decisions, and how often they are wrong."""

import math
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from watch_your_back.statistics import Pentanomial, Sprt, Tally, score_of
from watch_your_back.statistics.sprt import MINIMUM_PAIRS

COUNTS = st.builds(Pentanomial, *[st.integers(0, 40)] * 5)


def likeliest(counts, values, mean):
    """The largest log-likelihood with this mean, by its dual: a minimum over one number, found by ternary search."""
    offsets = [value - mean for value in values]
    low, high = -1 / (1 - mean) + 1e-12, 1 / mean - 1e-12

    def dual(tilt):
        return -sum(n * math.log1p(tilt * offset) for n, offset in zip(counts, offsets, strict=True))

    for _ in range(200):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if dual(a) < dual(b) else (a, high)
    total = sum(counts)
    return sum(n * math.log(n / total) for n in counts) + dual((low + high) / 2)


@pytest.mark.parametrize("counts", [(10, 5, 50, 8, 30), (0, 0, 9, 0, 0), (0, 0, 0, 0, 12), (3, 0, 1, 0, 0)])
def test_the_ratio_is_that_of_the_two_largest_likelihoods(counts):
    """Against a search by another method, reduced by (n - 1) / n."""
    seen = [number or 1e-3 for number in counts]
    values = (0, 0.25, 0.5, 0.75, 1)
    ratio = likeliest(seen, values, score_of(50)) - likeliest(seen, values, 0.5)
    n = sum(counts)
    assert Sprt(0, 50).llr(Pentanomial(*counts)) == pytest.approx(ratio * (n - 1) / n, abs=1e-6)


def test_with_two_kinds_of_result_the_ratio_is_that_of_two_coins():
    """60 wins and 40 losses under rates of 57.1 % and 50 %, by hand."""
    rate = score_of(50)
    by_hand = 60 * math.log(rate / 0.5) + 40 * math.log((1 - rate) / 0.5)
    assert Sprt(0, 50).llr(Tally(60, 0, 40)) == pytest.approx(by_hand * 0.99, abs=2e-3)


def test_the_bounds_are_those_of_wald():
    """2.94 either way for 5 %, and not the same for unequal error rates."""
    assert Sprt(0, 50).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert Sprt(0, 50, alpha=0.01, beta=0.2).bounds == pytest.approx((math.log(0.2 / 0.99), math.log(80)))


@given(COUNTS)
def test_the_test_of_the_other_agent_is_the_mirror_image(counts):
    """Seen from the other side, with the hypotheses turned round, the ratio changes its sign."""
    assert Sprt(-50, 10).llr(counts) == pytest.approx(-Sprt(-10, 50).llr(counts.reversed()), abs=1e-8)


@given(COUNTS, st.integers(0, 3))
def test_a_better_pair_raises_the_ratio(counts, kind):
    """Turning one pair into one of the next better kind speaks for H1."""
    assume(counts[kind] > 1 and counts[kind + 1] > 0)
    better = list(counts)
    better[kind] -= 1
    better[kind + 1] += 1
    assert Sprt(0, 50).llr(Pentanomial(*better)) > Sprt(0, 50).llr(counts) - 1e-9 * sum(counts)


def test_nothing_is_decided_by_very_few_pairs():
    """However clear they look, and nothing is known before the first."""
    test = Sprt(0, 400)
    assert test.state(Pentanomial()) == (0.0, *test.bounds, "continue", 0)
    assert test.state(Pentanomial(MINIMUM_PAIRS - 1, 0, 0, 0, 0)).decision == "continue"
    assert test.state(Pentanomial(MINIMUM_PAIRS, 0, 0, 0, 0)).decision == "accept H0"
    assert test.state(Tally(0, 0, 2 * MINIMUM_PAIRS - 1)).decision == "continue"
    assert test.state(Tally(0, 0, 2 * MINIMUM_PAIRS)).decision == "accept H0"


def test_pairs_after_the_decision_are_not_read():
    """A worker may have finished more; the order of the schedule decides."""
    pairs = iter([(1.0, 1.0)] * 100)
    state = Sprt(0, 50).follow(pairs)
    assert state.decision == "accept H1"
    assert state.units == 100 - len(list(pairs)) < 40


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"elo0": 50, "elo1": 0}, "smaller"),
        ({"elo0": 0, "elo1": math.inf}, "smaller"),
        ({"elo0": 0, "elo1": 9000}, "2000"),
        ({"elo0": 0, "elo1": 50, "alpha": 0}, "alpha"),
        ({"elo0": 0, "elo1": 50, "beta": 0.7}, "beta"),
    ],
)
def test_a_test_that_makes_no_sense_is_refused(settings, message):
    """With a sentence that says what would."""
    with pytest.raises(ValueError, match=message):
        Sprt(**settings)


@pytest.mark.parametrize(("elo1", "draws"), [(100, 0.1), (200, 0.3)])
def test_errors_are_rare_also_when_few_pairs_decide(elo1, draws):
    """Of 200 simulated series each way, no more than the bound allows with three standard deviations on top."""
    random, test = Random(f"{elo1}, {draws}"), Sprt(0, elo1)

    def match(score):
        return random.choices((1.0, 0.5, 0.0), (score - draws / 2, draws, 1 - score - draws / 2))[0]

    for elo, wrong in ((0, "accept H1"), (elo1, "accept H0")):
        score = score_of(elo)
        ends = [test.follow((match(score), match(score)) for _ in range(400)) for _ in range(200)]
        assert sum(end.decision == wrong for end in ends) <= 10 + 3 * math.sqrt(200 * 0.05 * 0.95)
        assert all(end.decision != "continue" for end in ends)
