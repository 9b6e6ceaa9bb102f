"""The conformance test for games, on the flagship and on games that break one promise each."""

import re
from dataclasses import dataclass

import pytest
from test_game import Count, Counting, CountingOptions

from watch_your_back.game import Board, IllegalAction, Outcome, Piece, grid
from watch_your_back.games.watch_your_back import WatchYourBack
from watch_your_back.testing import check_game


class Sound(Count):
    """A state of the counting game with all that the conformance test asks for."""

    __slots__ = ()

    def play(self, action):
        return type(self)(self.game, self.count + action, self.ply + 1)

    def __eq__(self, other):
        return (self.game, self.count, self.ply) == (other.game, other.count, other.ply)

    def __hash__(self):
        return hash((self.count, self.ply))


def game_of(state, **facts):
    """The counting game played with states of this class and with these facts about the game."""

    @dataclass(frozen=True)
    class Made(Counting):
        options: CountingOptions

        def initial(self):
            return state(self)

        def parse(self, text):
            count, ply = text.split()
            return state(self, int(count), int(ply))

    for name, value in facts.items():
        setattr(Made, name, value)
    return Made(CountingOptions(goal=9, quick=True))


def broken(**members):
    """The counting game with states that do these things otherwise."""
    return game_of(type("Broken", (Sound,), {"__slots__": (), "__hash__": Sound.__hash__, **members}))


def refuse(self, form):
    raise IllegalAction("number", "nothing is legal")


class Moody(Sound):
    """A state whose play depends on how often it was asked."""

    __slots__ = ()
    asked = 0

    def play(self, action):
        Moody.asked += 1
        return Moody(self.game, self.count + 1 + Moody.asked % 2, self.ply + 1)


class Spoiling(Sound):
    """A state that counts on itself."""

    __slots__ = ()

    def play(self, action):
        after = Spoiling(self.game, self.count + action, self.ply + 1)
        self.count += action
        return after


def test_sound_games_pass():
    """The flagship does, and so does the smallest game."""
    check_game(WatchYourBack(), matches=3)
    check_game(game_of(Sound))


def test_a_game_may_be_long():
    """One that does not end is left after a while."""
    check_game(
        broken(outcome=None, legal_actions=lambda self: [1], text=lambda self: f"{self.count} {self.ply}"), matches=1
    )


BROKEN = {
    "the id is an identifier, not 'a game'": game_of(Sound, id="a game"),
    "there are two sides with different names": game_of(Sound, sides=("one", "one")),
    "rules_version is an int from 1": game_of(Sound, rules_version=0),
    "games of the same options are equal and have the same hash": game_of(Sound, __eq__=lambda self, other: False),
    "a match begins at ply 0 and turn 0": game_of(Sound, initial=lambda self: Sound(self, 0, 1)),
    "a side has a legal action while the game goes on": broken(legal_actions=lambda self: []),
    "legal actions are listed once each": broken(legal_actions=lambda self: [] if self.outcome else [1, 1]),
    "check refuses the legal action 1 (nothing is legal)": broken(check_form=refuse),
    "check returns the legal action 1 as it is": broken(
        check_form=lambda self, form: 2 if form in (1, 2) else refuse(self, form)
    ),
    "check refuses 'no such action'": broken(check_form=lambda self, form: form),
    "the legal action (True,) is in normal form": broken(legal_actions=lambda self: [] if self.outcome else [(True,)]),
    "count_actions is 2, not 3": broken(count_actions=lambda self: 3),
    "check refuses the sampled action 7": broken(sample=lambda self, rng: 7),
    "sample depends on the state and the random generator only": broken(
        sample=lambda self, rng, drawn=[0]: drawn.append(0) or 1 + len(drawn) % 2
    ),
    "match 0 of seed 0 went another way when it was played again": game_of(
        Sound, initial=lambda self, calls=[]: calls.append(self) or Sound(self, int(len(calls) == 4))
    ),
    "parse reads back a state equal to the one that text wrote": broken(
        text=lambda self: f"{self.count + 1} {self.ply}"
    ),
    "the view of side 0 is a JSON value": broken(view=lambda self, side: (1,)),
    "a state that is imagined shows side 0 the same view": game_of(
        type("Broken", (Sound,), {"__slots__": (), "__hash__": Sound.__hash__, "view": lambda self, side: [self.ply]}),
        imagine=lambda self, view, rng: Sound(self, 1, 1),
    ),
    "a turn that begins with () can go on or end": broken(legal_steps=lambda self, steps: []),
    "the steps after () are listed once each": broken(legal_steps=lambda self, steps: [1, 1]),
    "check refuses the turn ()": broken(legal_steps=lambda self, steps: [None]),
    "parse refuses what text wrote": broken(text=lambda self: f"count {self.ply}"),
    "equal states have the same hash": broken(__hash__=object.__hash__),
    "equal states have the same key": broken(key=lambda self: id(self)),
    " twice gives equal states": game_of(Moody),
    "leaves the old state as it was": game_of(Spoiling),
    "is one of the 1 cells of the picture": broken(picture=lambda self: Board(grid(1, 1), [Piece((1, 0), 0)])),
    "is of side 0, 1 or None": broken(picture=lambda self: Board(grid(1, 1), [Piece((0, 0), 2)])),
    "count_pieces of side 0 is 0, as in the picture": broken(count_pieces=lambda self, side: 1),
    "count_pieces of side 0 is 4, as in the picture": broken(
        picture=lambda self: Board(grid(1, 1), [Piece((0, 0), 0, height=3), Piece((0, 0), 0)]),
        count_pieces=lambda self, side: 2,
    ),
    "stands for 1 piece or more": broken(picture=lambda self: Board(grid(1, 1), [Piece((0, 0), 0, height=0)])),
    "to_move is 0 or 1, not 2": broken(to_move=2),
    "the phase is a string, not None": broken(phase=None),
    "turns count": broken(turns=0),
    "ply counts the actions": broken(
        turns=property(lambda self: self.ply // 2),
        play=lambda self, action: type(self)(self.game, self.count + action, self.ply + 2),
    ),
    "the winner is 0, 1 or None, not 'first'": broken(
        outcome=property(lambda self: Outcome("first", "counted") if self.count >= 9 else None)
    ),
    "the reason is words, not ''": broken(outcome=property(lambda self: Outcome(0, "") if self.count >= 9 else None)),
    "a finished game has no legal action": broken(legal_actions=lambda self: [1, 2]),
    "what a side is told of": broken(observe=lambda self, action, side: [action]),
    "sample of a finished game raises IndexError": broken(sample=lambda self, rng: rng.choice((1, 2))),
}


@pytest.mark.parametrize("promise", BROKEN)
def test_a_broken_promise_is_named(promise):
    """Whoever adds a game reads which one, and after which actions."""
    with pytest.raises(AssertionError, match=re.escape(promise)):
        check_game(BROKEN[promise], matches=3)


def test_the_way_there_is_told():
    """The last actions and the board are part of the message."""
    game = broken(count_actions=lambda self: 3 if self.count == 3 else Count.count_actions(self))
    with pytest.raises(AssertionError, match=r"counting: .* \(after \d actions, the last of them .*\)\n3 \d$"):
        check_game(game)
