"""The sections of a report on who is how strong: ratings, the crosstable, and the scores by side."""

from __future__ import annotations

import math
from collections.abc import Sequence

from watch_your_back.report.content import Contestant, Report
from watch_your_back.report.figures import Scale, axis, interval_bar, linear, side_bar
from watch_your_back.report.markup import Content, Markup, element, join
from watch_your_back.report.quantities import count, ends_of, percent, points, signed, span
from watch_your_back.report.scores import Scores
from watch_your_back.statistics import Estimate, Tally

__all__ = ["agent_link", "crosstable", "ratings", "scrolling", "sides"]

DETAILED = 30
"""Up to so many agents, a cell of the crosstable tells the wins by side as well."""
SHADES = 8


def agent_link(report: Report, agent: int) -> Markup:
    """The name of an agent, leading to its matches."""
    name = report.contestants[agent].name
    return element("a", name, class_="agent", href=f"#matches-{agent + 1}", title=name if len(name) > 20 else None)


def scrolling(table: Markup, label: str) -> Markup:
    """A table that scrolls by itself where it is wider than the page, with the keyboard too."""
    return element("div", table, class_="scroll", role="region", tabindex=0, aria_label=label)


def ratings(report: Report, scores: Scores) -> Markup:
    """Everybody's rating with its interval, ranks and score."""
    ratings = [each.rating for each in report.contestants if each.rating is not None]
    scale = _scale(ratings) if ratings else None
    failures = [0] * len(report.contestants)
    for match in report.counted:
        for side in {failure.side for failure in match.failures}:
            failures[match.agents[side]] += 1
    head = [_heading("Rank", "number")]
    head.append(_heading("Agent", "text"))
    if scale:
        head += [_heading("Rating", "number"), element("th", axis(scale, signed), scope="col", class_="plot")]
        head.append(_heading("95 % interval", "number"))
    head += [_heading(word, "number") for word in ("Score", "Won", "Drawn", "Lost", "Failed")]
    rows = [_rating_row(report, agent, scores.of(agent), failures[agent], scale) for agent in report.playing]
    table = element(
        "table",
        element("thead", element("tr", *head)),
        element("tbody", *rows),
        class_="sortable ratings",
    )
    return join(scrolling(table, "Ratings"), _absent(report))


def _scale(ratings: Sequence[Estimate]) -> Scale:
    """A scale for the ratings, with room for the arrows of intervals that have no end."""
    ends = [0.0, *(end for rating in ratings for end in rating if end is not None)]
    low, high = min(ends), max(ends)
    room = 0.12 * (high - low) or 100.0
    open_below, open_above = (any(rating[end] is None for rating in ratings) for end in (1, 2))
    return linear(low - room * open_below, high + room * open_above)


def _absent(report: Report) -> Markup | None:
    """The agents that take no part, and why."""
    rows = [
        element("tr", element("th", agent_link(report, agent), scope="row"), element("td", each.note, class_="words"))
        for agent, each in enumerate(report.contestants)
        if each.note
    ]
    if not rows:
        return None
    head = element("tr", element("th", "Agent", scope="col"), element("th", "Why it takes no part", scope="col"))
    table = element("table", element("thead", head), element("tbody", *rows))
    return join(element("h3", "Taking no part"), scrolling(table, "Taking no part"))


def _rating_row(report: Report, agent: int, tally: Tally, failed: int, scale: Scale | None) -> Markup:
    contestant = report.contestants[agent]
    cells = [_number(_rank(contestant, agent), agent)]
    cells.append(element("th", agent_link(report, agent), scope="row"))
    if scale and (rating := contestant.rating) and rating.value is not None:
        cells.append(_number(element("b", signed(rating.value)), rating.value))
        cells.append(element("td", interval_bar(scale, rating), class_="plot"))
        cells.append(_number(ends_of(rating), _width(rating)))
    elif scale:
        cells += [_number("", -1e9), element("td"), _number("", 1e9)]
    cells.append(_number(percent(tally.score), -1 if tally.score is None else tally.score))
    cells += [_number(number, number) for number in (*tally, failed)]
    return element("tr", *cells)


def _width(rating: Estimate) -> float:
    return math.inf if rating.low is None or rating.high is None else rating.high - rating.low


def _rank(contestant: Contestant, agent: int) -> str:
    return "" if contestant.ranks is None else span(*contestant.ranks)


def crosstable(report: Report, scores: Scores) -> Markup:
    """Everybody's points against everybody else."""
    agents = report.playing
    games = {scores.between(a, b).matches for a, b, _ in scores.against}
    first, second = report.game.sides
    detailed = len(agents) <= DETAILED
    same = len(games) == 1
    told = f"Points of the agent in the row, of {count(games.pop(), 'match', 'matches')}" if same else (
        "Points of the agent in the row / matches"
    )  # fmt: skip
    if detailed:
        told += f"; below, wins as {first} + wins as {second}"
    if any(each.bye_points for each in report.contestants):
        told += ". The sums include points for rounds without an opponent"
    head = [element("th", "Agent", scope="col"), *(element("th", a + 1, scope="col", class_="number") for a in agents)]
    head.append(element("th", "Points", scope="col", class_="number"))
    rows = []
    for agent in agents:
        cells = [
            element("td", class_="self") if agent == other else _cross_cell(scores, agent, other, same, detailed)
            for other in agents
        ]
        total = scores.of(agent)
        name = element("th", element("i", agent + 1), " ", agent_link(report, agent), scope="row")
        gained = total.points + report.contestants[agent].bye_points
        summed = element("td", element("b", points(gained)), f"/{total.matches}", class_="number")
        rows.append(element("tr", name, *cells, summed))
    table = element(
        "table",
        element("thead", element("tr", *head)),
        element("tbody", *rows),
        class_="cross" if detailed else "cross dense",
    )
    hint = element("span", " Point at a cell, or go there with Tab and the arrow keys, for the details.", class_="live")
    return join(element("p", told + ".", hint), scrolling(table, "Crosstable"))


def _cross_cell(scores: Scores, agent: int, other: int, same: bool, detailed: bool) -> Markup:
    tally = scores.between(agent, other)
    if tally.score is None:
        return element("td")
    text: list[Content] = [points(tally.points) + ("" if same else f"/{tally.matches}")]
    if detailed:
        wins = "+".join(str(scores.between(agent, other, side).wins) for side in (0, 1))
        text.append(element("small", wins))
    return element("td", *text, class_=f"s{round(tally.score * SHADES)}")


def sides(report: Report, scores: Scores) -> Markup:
    """What each agent scored as each side."""
    names = [side.capitalize() for side in report.game.sides]
    dark = report.game.initial().picture().layout.dark
    scale = linear(0, 100, 2)
    head = [_heading("Agent", "text")]
    head.append(element("th", axis(scale, lambda value: f"{value:.0f} %"), scope="col", class_="plot"))
    for side, name in enumerate(names):
        disc = element("span", class_="disc second" if side == dark else "disc", aria_hidden="true")
        head.append(_heading(join(disc, f"{name} score"), "number"))
        head.append(element("th", "Won \N{MIDDLE DOT} drawn \N{MIDDLE DOT} lost", scope="col", class_="tally"))
    head.append(_heading("Difference", "number"))
    rows = [
        _side_row(agent_link(report, agent), [scores.of(agent, side) for side in (0, 1)], scale)
        for agent in report.playing
    ]
    everybody = _side_row(Markup("All agents"), [scores.side(side) for side in (0, 1)], scale)
    table = element(
        "table",
        element("thead", element("tr", *head)),
        element("tbody", *rows),
        element("tfoot", everybody),
        class_="sortable sides",
    )
    return join(element("p", _advantage(report, scores)), scrolling(table, "Score by side"))


def _advantage(report: Report, scores: Scores) -> str:
    first = report.game.sides[0].capitalize()
    told = f"{first}, which moves first, scored {percent(scores.side(0).score)} over all matches."
    if report.advantage and report.advantage.value is not None:
        worth = f"{signed(report.advantage.value)} in rating (95 % interval: {ends_of(report.advantage)})"
        told += f" Moving first is worth {worth}."
    return told


def _side_row(name: Markup, tallies: Sequence[Tally], scale: Scale) -> Markup:
    shares = [tally.score for tally in tallies]
    cells = [element("th", name, scope="row"), element("td", side_bar(scale, shares), class_="plot")]
    for tally in tallies:
        cells.append(_number(percent(tally.score), -1 if tally.score is None else tally.score))
        told = " \N{MIDDLE DOT} ".join(map(str, tally))
        cells.append(element("td", told, class_="tally"))
    first, second = shares
    if first is None or second is None:
        cells.append(_number("", 0))
    else:
        cells.append(_number(signed(100 * (first - second)), first - second))
    return element("tr", *cells)


def _heading(words: Content, kind: str) -> Markup:
    return element("th", words, scope="col", class_=kind, data_sort=kind)


def _number(words: Content, value: float) -> Markup:
    return element("td", words, class_="number", data_value=float(value))
