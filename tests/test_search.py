"""Search: it finds what can be proven, keeps to its bounds, and finds the same for the same seed."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from positions import WIN_IN_ONE

from watch_your_back.game import Game, State
from watch_your_back.search import AlphaBeta, Follower, MonteCarlo, candidates, expected, playout


def alpha_beta(state: State, seed: int = 1) -> Any:
    """What alpha-beta finds, looking to the end."""
    return AlphaBeta(rng=Random(seed)).search(state)


def monte_carlo(state: State, seed: int = 1, simulations: int = 20_000) -> Any:
    """What Monte Carlo tree search finds by so many simulations at most."""
    return MonteCarlo(rng=Random(seed)).search(state, simulations=simulations)


BOTH = pytest.mark.parametrize("search", [alpha_beta, monte_carlo])


@cache
def exact(state: State) -> int:
    """What the side to move gets with perfect play: 1, 0 or -1."""
    if state.outcome is not None:
        return 0 if state.outcome.winner is None else 1 if state.outcome.winner == state.to_move else -1
    best = -1
    for action in state.legal_actions():
        after = state.play(action)
        best = max(best, exact(after) if after.to_move == state.to_move else -exact(after))
    return best


def late(game: Game, plies: int, seed: int) -> State:
    """A state after so many random turns."""
    return playout(game.initial(), Random(seed), plies)


@BOTH
def test_a_win_in_one_turn_is_found(search: Any) -> None:
    """The action wins at once, and its value is proven."""
    state = Game.load("watch_your_back").parse(WIN_IN_ONE)
    found = search(state)
    outcome = state.play(found.action).outcome
    assert outcome is not None
    assert (outcome.winner, found.value, found.proven, found.line) == (0, 1.0, True, (found.action,))


@BOTH
def test_a_win_in_two_turns_is_found(search: Any) -> None:
    """Of two pieces on 1 and 3 one has to be moved beside the other: then either answer loses."""
    text = "\n".join(
        (
            " ".join(f"{position:>2}" for position in range(11)),
            " 8  1  -  1  -  -  -  -  -  -  -",
            "8 turns into the moving phase",
        )
    )
    state = Game.load("one_line").parse(text)
    found = search(state)
    assert (found.value, found.proven) == (exact(state), True)
    assert exact(state.play(found.action)) == -1


@BOTH
@pytest.mark.parametrize(
    ("id", "options"),
    [
        pytest.param("one_line", {}, id="one-line"),
        pytest.param("one_line", {"misere": True}, id="misere"),
        pytest.param("dots_and_boxes", {"width": 2, "height": 2}, id="repeated-turns"),
        pytest.param("dots_and_boxes", {"width": 2, "height": 2, "extra_turn": False}, id="alternate-turns"),
    ],
)
def test_proven_values_are_those_of_perfect_play(search: Any, id: str, options: dict[str, Any]) -> None:
    """Of small games, also where a side may act again, and the action is one of the best."""
    game = Game.load(id, **options)
    for seed in range(6):
        state, rng = game.initial(), Random(seed)
        while state.count_actions() > 6:
            state = state.play(state.sample(rng))
        if state.outcome is not None:
            continue
        found = search(state)
        after = state.play(found.action)
        assert (found.value, found.proven) == (exact(state), True)
        assert (exact(after) if after.to_move == state.to_move else -exact(after)) == exact(state)


def test_the_whole_of_a_small_game_is_solved() -> None:
    """With 2 x 2 boxes and extra turns the first side wins, as brute force finds, too."""
    start = Game.load("dots_and_boxes", width=2, height=2).initial()
    found = alpha_beta(start)
    assert (found.value, found.proven, exact(start)) == (1.0, True, 1)


@BOTH
def test_the_line_can_be_played(search: Any) -> None:
    """It begins with the action, and each action is legal where it comes."""
    for id in ("watch_your_back", "hexxagon", "squares", "dots_and_boxes"):
        state = late(Game.load(id), 10, 2)
        found = MonteCarlo().search(state, simulations=300) if search is monte_carlo else AlphaBeta().search(
            state, depth=3
        )  # fmt: skip
        assert found.line[0] == found.action == found.choices[0].action
        for action in found.line:
            state = state.play(state.check(action))


@BOTH
def test_a_finished_match_has_nothing_to_search_for(search: Any) -> None:
    """It is an IndexError, as for `sample`."""
    with pytest.raises(IndexError, match="the match is over"):
        search(late(Game.load("one_line"), 200, 1))


def test_equal_seeds_and_simulations_find_the_same() -> None:
    """Choice, values and visits; other seeds need not."""
    state = late(Game.load("watch_your_back"), 30, 1)
    for turns in (0, 6):
        first, again, other = (
            MonteCarlo(turns=turns, rng=Random(seed)).search(state, simulations=300) for seed in (5, 5, 6)
        )
        assert first == again
        assert first.visits == other.visits == 300
        assert first.choices != other.choices


def test_equal_seeds_and_depths_find_the_same() -> None:
    """Alpha-beta to a depth depends on nothing else."""
    state = late(Game.load("watch_your_back"), 30, 1)
    assert AlphaBeta(rng=Random(5)).search(state, depth=3) == AlphaBeta(rng=Random(5)).search(state, depth=3)


def test_the_values_of_all_actions_can_be_asked_for() -> None:
    """With `every` they are exact: those that a search of each state after an action finds."""
    state = late(Game.load("hexxagon"), 8, 3)
    found = AlphaBeta().search(state, depth=3, every=True)
    assert len(found.choices) == state.count_actions()
    for choice in found.choices[:10]:
        answer = AlphaBeta().search(state.play(choice.action), depth=2)
        assert choice.value == pytest.approx(-answer.value)


def test_a_tree_goes_along_with_the_match() -> None:
    """What was found out about the state after two actions is kept; an action outside the tree begins a new one."""
    state = late(Game.load("watch_your_back"), 30, 1)
    tree = MonteCarlo(rng=Random(1))
    found = tree.search(state, simulations=500)
    for action in found.line[:2]:
        state = state.play(action)
        tree.advance(action)
    again = tree.search(state, simulations=1)
    assert sum(choice.visits for choice in again.choices) > 1
    assert {choice.action for choice in again.choices} == set(state.legal_actions())
    elsewhere = late(Game.load("watch_your_back"), 12, 4)
    assert {choice.action for choice in tree.search(elsewhere, simulations=5).choices} == set(elsewhere.legal_actions())


def test_the_tree_is_bounded() -> None:
    """It stops growing near the bound, and the search goes on."""
    state = late(Game.load("watch_your_back"), 30, 1)
    tree = MonteCarlo(nodes=500, rng=Random(1))
    assert tree.search(state, simulations=1_000).visits == 1_000
    assert tree.size <= 500 + 60


def test_time_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search ends when the clock says so, however little it has found."""
    for seconds in (0.0, 0.05):
        for module in ("monte_carlo", "alpha_beta"):
            ticks = iter(range(10**9))
            monkeypatch.setattr(f"watch_your_back.search.{module}.process_time", lambda ticks=ticks: next(ticks) / 1000)
            state = Game.load("five_in_a_row").initial()
            make = MonteCarlo if module == "monte_carlo" else AlphaBeta
            assert make().search(state, seconds=seconds).action in state.legal_actions()
            assert next(ticks) / 1000 <= seconds + 0.01


def test_a_search_without_an_end_is_refused() -> None:
    """Monte Carlo tree search needs a bound."""
    with pytest.raises(ValueError, match="seconds or of simulations"):
        MonteCarlo().search(Game.load("one_line").initial())


def test_playouts_end_with_the_match_or_after_their_turns() -> None:
    """Whichever is sooner."""
    start = Game.load("one_line").initial()
    assert playout(start, Random(1), 3).ply == 3
    assert playout(start, Random(1), 1_000).outcome is not None


def test_of_many_actions_some_are_looked_at() -> None:
    """A random choice of a list, and where not all are listed also some that are drawn."""
    state = Game.load("go", size=19).initial()
    chosen = candidates(state, Random(1), 50)
    assert len({*chosen}) == 50
    assert {*chosen} <= {*state.legal_actions()}
    assert len(candidates(state, Random(1))) == 362


def test_expectations_grow_with_the_lead() -> None:
    """From -1 to 1, 0 where nobody is ahead."""
    values = [expected(lead) for lead in (-1_000, -3, 0, 3, 1_000)]
    assert values == sorted(values)
    assert (values[1], values[2], values[3]) == (-0.5, 0.0, 0.5)
    assert -1 < values[0] < values[-1] < 1


@pytest.mark.parametrize("id", [id for id in Game.ids() if id != "weaponized_chess"])
def test_what_one_side_is_ahead_the_other_is_behind(id: str) -> None:
    """The evaluations of the two sides add up to nothing, all through a match."""
    rng, state = Random(7), Game.load(id).initial()
    while state.outcome is None and state.ply < 300:
        assert state.evaluate(0) == pytest.approx(-state.evaluate(1))
        state = state.play(state.sample(rng))


def test_a_follower_does_not_begin_a_choice_that_may_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """When one more choice as long as the longest would not end within the time limit, it takes any action."""
    now, chosen = [0.0], []
    monkeypatch.setattr("watch_your_back.search.following.process_time", lambda: now[0])

    class Slow(Follower):
        def choose(self, state: State) -> Any:
            now[0] += 0.3
            chosen.append(state.ply)
            return state.sample(self.random)

    player = Slow("first", "dots_and_boxes", {"extra_turn": False}, {"cpu_s": 1.0})
    for turn in range(0, 20, 2):
        player.action(turn)
        player.update(player.state.sample(Random(1)))
    assert chosen == [0, 2]
