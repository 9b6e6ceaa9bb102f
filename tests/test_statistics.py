"""Two agents: counts, scores, Elo and its interval, verdicts, repeats. Known values are worked out by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watch_your_back.statistics import (
    Estimate,
    Finding,
    Pentanomial,
    Results,
    Sprt,
    Tally,
    count,
    elo_of,
    elo_text,
    judge,
    judge_sprt,
    repeats,
    score_of,
    strength,
    wilson,
)

SCORES = st.sampled_from([0.0, 0.5, 1.0])
UNITS = st.lists(st.lists(SCORES, min_size=1, max_size=2), min_size=1, max_size=60)
"""Pairs of matches, and some whose other half is missing."""


@pytest.mark.parametrize(
    ("elo", "score"), [(0, 0.5), (100, 0.640), (200, 0.760), (400, 10 / 11), (-400, 1 / 11), (35, 0.55)]
)
def test_elo_and_the_score_that_it_predicts(elo, score):
    """The table that everybody knows, both ways."""
    assert score_of(elo) == pytest.approx(score, abs=5e-4)
    assert elo_of(score) == pytest.approx(elo, abs=0.5)


@pytest.mark.parametrize("score", [0.0, 1.0, None])
def test_elo_is_never_infinite(score):
    """A score of nothing or everything has no Elo difference."""
    assert elo_of(score) is None


@given(st.floats(-2000, 2000))
def test_elo_and_score_are_inverse(elo):
    """To far beyond any difference that matters."""
    assert elo_of(score_of(elo)) == pytest.approx(elo, abs=1e-3)


@pytest.mark.parametrize(
    ("wins", "losses", "low", "high"),
    [(7, 3, 0.40, 0.89), (14, 6, 0.48, 0.85), (60, 40, 0.50, 0.69), (55, 45, 0.45, 0.64), (10, 0, 0.72, 1.0)],
)
def test_win_rates_have_the_interval_of_wilson(wins, losses, low, high):
    """Without draws and pairs the interval of the score is the one of Wilson's paper."""
    assert wilson(wins, wins + losses) == pytest.approx((low, high), abs=0.005)
    score = strength(Results(Tally(wins, 0, losses))).score
    assert (score.low, score.high) == pytest.approx(wilson(wins, wins + losses))


def test_wilson_refuses_more_successes_than_trials():
    """Such a rate is a mistake of the caller."""
    with pytest.raises(ValueError, match="0 to 3 successes"):
        wilson(4, 3)
    assert wilson(0, 0) == (0.0, 1.0)


def test_pairs_are_counted_in_five_kinds():
    """A win and a loss, and two draws, are the same kind; a match without its other half is counted singly."""
    units = [(1, 1), (1, 0.5), (0.5, 1), (1, 0), (0.5, 0.5), (0, 1), (0.5, 0), (0, 0), (1,)]
    results = count(units)
    assert results == Results(Tally(7, 5, 5), Pentanomial(1, 1, 3, 2, 1))
    assert str(results.pairs) == "[1, 1, 3, 2, 1]"
    assert results.unpaired == 1
    assert results.tally.score == 9.5 / 17


@pytest.mark.parametrize("units", [[(0.3,)], [(1, 1, 1)], [()]])
def test_what_is_not_the_result_of_a_pair_is_refused(units):
    """Scores are 1, a half and 0, by one or two."""
    with pytest.raises(ValueError, match="match"):
        count(units)


def test_elo_of_a_series_by_hand():
    """Two hundred matches without draws or pairs: 60 % is 70 points, Wilson's interval 53.1 % to 66.5 %."""
    found = strength(Results(Tally(120, 0, 80)))
    assert found.elo.value == pytest.approx(70.4, abs=0.05)
    assert elo_text(found.elo) == "+70 (+21 to +120)"
    assert found.los == pytest.approx(0.5 + 0.5 * math.erf(40 / math.sqrt(2 * 200)))
    assert found.nelo.value == pytest.approx(0.1 / math.sqrt(0.24) * 800 / math.log(10))


def test_normalised_elo_of_pairs_by_hand():
    """The score above a half over the standard deviation of a pair times the root of 2, as the usual formula has it."""
    found = strength(count([(1, 1), (1, 0), (0, 1), (0, 0), (1, 0.5)]))
    mean = 0.55
    variance = (0.45**2 + 2 * 0.05**2 + 0.55**2 + 0.2**2) / 4
    assert found.nelo.value == pytest.approx((mean - 0.5) / math.sqrt(2 * variance) * 800 / math.log(10))


def test_pairs_count_for_more_where_the_side_decides():
    """If the first to move always wins, swapping the sides makes the score exact, which single matches cannot know."""
    paired = strength(count([(1, 0)] * 25))
    single = strength(Results(Tally(25, 0, 25)))
    assert paired.score.high - paired.score.low < (single.score.high - single.score.low) / 2


def test_pairs_count_for_less_where_both_matches_are_the_same():
    """If the same agent wins both matches of each pair, half of them are no evidence."""
    paired = strength(count([(1, 1), (0, 0)] * 25)).score
    low, high = wilson(25, 50)
    assert (paired.low, paired.high) == pytest.approx((low, high), abs=0.01)


@pytest.mark.parametrize("number", [1, 2, 5, 40])
def test_an_unbeaten_agent_has_a_lower_bound(number):
    """Nothing is infinite, and the text says at least."""
    found = strength(count([(1, 1)] * number))
    assert found.elo.value is found.elo.high is None
    assert found.elo.low == pytest.approx(elo_of(wilson(2 * number, 2 * number)[0]))
    assert elo_text(found.elo) == f"at least {math.floor(found.elo.low):+d}"
    assert elo_text(strength(count([(0, 0)] * number)).elo).startswith(
        "at most -" if found.elo.low > 0 else "at most +"
    )


def test_without_a_match_nothing_is_known():
    """And nothing fails."""
    found = strength(Results())
    assert found.los is None
    assert elo_text(found.elo) == "unknown"
    assert judge(Results()) == Finding("cannot tell yet")


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(35.2, -12.4, 83.6), "+35 (-13 to +84)"),
        (Estimate(400.0, 120.9, None), "+400 (at least +120)"),
        (Estimate(None, None, -120.9), "at most -120"),
        (Estimate(0.2, 0.1, 0.3), "+0 (+0 to +1)"),
        (Estimate(12.0, None, None), "+12"),
    ],
)
def test_elo_as_text_never_claims_more_than_the_numbers(estimate, text):
    """The ends are rounded outwards."""
    assert elo_text(estimate) == text


@given(UNITS)
def test_seen_from_the_other_agent_everything_is_reversed(units):
    """Elo changes its sign, the likelihood of superiority is the rest to 1, and so on."""
    results = count(units)
    ours, theirs = strength(results), strength(results.reversed())
    assert results.reversed() == count([[1 - score for score in unit] for unit in units])
    assert theirs.los == pytest.approx(1 - ours.los, abs=1e-9)
    for name in ("elo", "nelo"):
        mine, yours = getattr(ours, name), getattr(theirs, name)
        for a, b in zip(mine, (yours.value, yours.high, yours.low), strict=True):
            assert (a is None) == (b is None)
            assert a is None or a == pytest.approx(-b, abs=1e-6)


@given(UNITS)
def test_the_interval_holds_the_value_and_is_finite_on_one_side(units):
    """From the first match on."""
    found = strength(count(units))
    assert 0 <= found.score.low <= found.score.value <= found.score.high <= 1
    assert 0 < found.los < 1 or len(units) > 20
    assert found.elo.low is not None or found.elo.high is not None
    numbers = [number for estimate in found[:3] for number in estimate if number is not None]
    assert all(map(math.isfinite, numbers))


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_a_win_more_is_a_better_result(wins, draws, losses):
    """A loss turned into a win raises score and Elo, a draw into a win as well."""
    before = Tally(wins, draws, losses + 1)
    for after in (Tally(wins + 1, draws, losses), Tally(wins, draws + 1, losses)):
        low, high = strength(Results(before)).elo.value, strength(Results(after)).elo.value
        assert before.score < after.score
        assert low is None or high is None or low < high


@given(st.integers(1, 40), UNITS)
def test_more_of_the_same_results_narrow_the_interval(times, units):
    """The same pairs again and again make the interval no wider."""
    once, often = (strength(count(units * number)).score for number in (1, times))
    assert often.high - often.low <= once.high - once.low + 1e-9


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_the_verdict_follows_from_the_interval(wins, draws, losses):
    """Better if all of the interval is, worse if all of it is, else undecided; the likelihood of superiority agrees."""
    results = Results(Tally(wins, draws, losses))
    found, verdict = strength(results), judge(results).verdict
    if verdict == "cannot tell yet":
        assert found.los is None or 0.025 <= found.los <= 0.975
    else:
        assert (verdict == "better") == (found.score.low > 0.5)
        assert found.los > 0.975 if verdict == "better" else found.los < 0.025


def test_how_many_more_matches_it_would_take():
    """55 % without draws takes 385 matches; with that many at this score the question is settled, with few less not."""
    finding = judge(Results(Tally(55, 0, 45)))
    assert finding == Finding("cannot tell yet", 286)
    assert judge(Results(Tally(213, 0, 174))).verdict == "better"
    assert judge(Results(Tally(206, 0, 170))).verdict == "cannot tell yet"
    assert judge(Results(Tally(50, 0, 50))) == Finding("cannot tell yet", None)


@pytest.mark.parametrize(
    ("finding", "sentence"),
    [
        (Finding("better"), "new is better than old."),
        (Finding("worse"), "new is worse than old."),
        (Finding("not better", margin=50.0), "new is not 50 Elo points better than old."),
        (
            Finding("cannot tell yet", 286),
            "Cannot tell yet; at the present score it would take about 290 more matches.",
        ),
        (
            Finding("cannot tell yet", 12_345),
            "Cannot tell yet; at the present score it would take about 12,000 more matches.",
        ),
        (
            Finding("cannot tell yet", 1_000_000),
            "Cannot tell yet; at the present score it would take more than 100,000 more matches.",
        ),
        (Finding("cannot tell yet"), "Cannot tell yet; at the present score, more matches would not tell either."),
    ],
)
def test_the_verdict_is_a_plain_sentence(finding, sentence):
    """It says of which of the two it speaks."""
    assert finding.sentence("new", "old") == sentence


@pytest.mark.parametrize(
    ("test", "pairs", "verdict"),
    [
        (Sprt(0, 50), Pentanomial(0, 0, 5, 5, 30), "better"),
        (Sprt(0, 50), Pentanomial(30, 5, 5, 0, 0), "not better"),
        (Sprt(-50, 0), Pentanomial(30, 5, 5, 0, 0), "worse"),
        (Sprt(-50, 0), Pentanomial(0, 0, 5, 5, 30), "not worse"),
        (Sprt(0, 50), Pentanomial(5, 1, 10, 1, 7), "cannot tell yet"),
    ],
)
def test_the_verdict_of_a_sequential_test(test, pairs, verdict):
    """It claims no more than what the accepted hypothesis rejects."""
    finding = judge_sprt(test, test.state(pairs))
    assert finding.verdict == verdict
    assert (finding.more is None) == (verdict != "cannot tell yet")


def test_repeated_matches_are_counted_once():
    """Distinct ones, how many equally frequent ones they are worth, and where each came first."""
    found = repeats(["a", "b", "a", "a", "c"])
    assert found == (5, 3, 25 / 11, 3, (0, 1, 4))
    assert repeats([]) == (0, 0, 0.0, 0, ())
    assert repeats([("x", 1)] * 30).effective == 1


@given(st.lists(st.integers(0, 5), min_size=1))
def test_the_effective_number_is_at_most_the_distinct_one(forms):
    """And equal to it where all are equally frequent."""
    found = repeats(forms)
    assert 1 <= found.effective <= found.distinct + 1e-9
    assert repeats(forms[at] for at in found.first).effective == pytest.approx(found.distinct)
