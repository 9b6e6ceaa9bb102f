"""The numbers of a report: how they are counted, told and placed on scales."""

import pytest

from watch_your_back.report.figures import linear, logarithmic
from watch_your_back.report.quantities import ends_of, megabytes, percent, points, seconds, signed
from watch_your_back.statistics import Estimate


def test_an_interval_claims_no_more_than_is_known():
    """It is rounded outwards, and may have no end."""
    estimates = [Estimate(300.0, 240.6, 370.2), Estimate(300.0, 240.6, None), Estimate(-9.0, None, -2.5)]
    told = [ends_of(estimate) for estimate in (*estimates, Estimate(0.0, None, None))]
    assert told == ["+240 to +371", "at least +240", "at most \u22122", ""]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0.0, "0 s"), (3.2e-7, "0.32 µs"), (85e-6, "85 µs"), (0.00123, "1.2 ms"), (0.0123, "12 ms"), (0.9996, "1.0 s"),
        (3.44, "3.4 s"), (5.0, "5 s"), (4.99, "5.0 s"), (9.96, "10 s"), (1234.0, "1,234 s"),
    ],
)  # fmt: skip
def test_seconds_are_told_in_their_unit(value, told):
    """Two digits, or whole numbers."""
    assert seconds(value) == told


def test_other_quantities_are_told_as_people_read_them():
    """Megabytes, percent, points and ratings."""
    assert [megabytes(value) for value in (0.0, 0.02, 0.44, 100.0)] == ["0 MB", "0.0 MB", "0.4 MB", "100 MB"]
    assert [percent(value) for value in (None, 0.0, 0.545)] == ["", "0 %", "55 %"]
    assert [points(value) for value in (0, 0.5, 2.5, 3)] == ["0", "½", "2½", "3"]
    assert [signed(value) for value in (0.2, 120.0, -85.4)] == ["0", "+120", "\u221285"]


def test_scales_place_values_and_name_round_ones():
    """A linear scale has round steps, a logarithmic one the powers of ten."""
    scale = linear(-385, 370)
    assert scale.ticks == (-200, 0, 200)
    assert [round(scale.at(value)) for value in (-385, -7.5, 370, 9_999)] == [0, 50, 100, 100]
    scale = logarithmic(0.0021, 4.7)
    assert [f"{tick:g}" for tick in scale.ticks] == ["0.001", "0.01", "0.1", "1", "10"]
    assert round(scale.at(0.1)) == 50
    assert logarithmic(0.01, 0.01).high > 0.01
    assert linear(0, 0).high > 0
