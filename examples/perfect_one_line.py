"""A Player that cannot be beaten at One-Line Chess from where it can win, because it has solved the game.

wyb play --game one_line -o rules=3 examples/perfect_one_line.py random -t 60 -s 100

A position is won for the side to act if some action leads to one that is lost for the side to act there; otherwise it
is lost. Pieces only ever come nearer to the terminal. So all positions, 184,756 of the moving phase and 92,378 of the
placing phase in rules 3, can be looked at in an order in which every action leads to one that came before.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from random import Random
from typing import Any

from watch_your_back.game import Action
from watch_your_back.games.one_line import OneLine

STOCK = 11
"""The place of the stock behind the positions 0 to 10."""

END = 10
"""All ten pieces on the terminal: the side to act has lost, as the other moved last, or in misère has won."""

NEVER = 1_000
"""More good answers than there can be: what is worse than any of them is to end the match by losing it."""


class Player:
    """Takes an action that leads to a lost position, or the one that leaves the opponent the fewest good answers."""

    def __init__(self, colour: str, options: dict[str, Any] | None = None, seed: int | None = None) -> None:
        """`options` are those of the game; with the same `seed` it chooses the same."""
        game = OneLine(OneLine.Options(**(options or {})))
        self.state = game.initial()
        self.lost = lost_lines(game.options.misere)
        self.random = Random(seed)

    def start(self, actions: list[Action]) -> None:
        """The match begins after these actions of both sides."""
        for action in actions:
            self.state = self.state.play(action)

    def action(self, turns: int) -> Action:
        """The best action, or any of them where several are best."""
        actions = self.state.legal_actions()
        answers = [self.good_answers(action) for action in actions]
        fewest = min(answers)
        action = self.random.choice([each for each, count in zip(actions, answers, strict=True) if count == fewest])
        self.state = self.state.play(action)
        return action

    def update(self, action: Action) -> None:
        """The opponent took this action."""
        self.state = self.state.play(action)

    def good_answers(self, action: Action) -> int:
        """By how many actions the opponent can go on to win after this one: 0 if it leads to a lost position."""
        after = self.state.play(action)
        if after.line in self.lost:
            return 0
        if after.outcome is not None:
            return NEVER
        return sum(after.play(answer).line in self.lost for answer in after.legal_actions())


@cache
def lost_lines(misere: bool) -> set[int]:
    """All positions in which the side to act loses against perfect play, as numbers like `Position.line`.

    Built from the end: what has not been reached from a lost position when its turn comes is lost itself.
    """
    lost: set[int] = set()
    won = {END} if misere else set()
    for line in all_lines():
        if line not in won:
            lost.add(line)
            won.update(lines_before(line))
    return lost


def all_lines() -> list[int]:
    """Every way in which ten pieces can be on the line and in the stock, a smaller number after each action."""
    lines = set()
    for places in combinations_with_replacement(range(STOCK + 1), 10):
        # Nothing is on the terminal as long as there is a stock.
        if places[0] or places[-1] < STOCK:
            lines.add(sum(1 << 4 * place for place in places))
    return sorted(lines)


def lines_before(line: int) -> Iterator[int]:
    """The positions from which one action leads to this one."""
    heights = [line >> 4 * place & 15 for place in range(STOCK + 1)]
    for target, height in enumerate(heights[:STOCK]):
        origins = [] if heights[STOCK] else [*range(target + 1, STOCK)]
        if not heights[0]:
            origins.append(STOCK)  # in rules 3 the pieces may just have been placed
        for origin in origins:
            change = (1 << 4 * origin) - (1 << 4 * target)
            for count in range(1, height + 1):
                yield line + count * change
