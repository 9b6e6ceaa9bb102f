"""Records of Go as SGF and back."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from watch_your_back.agents import find
from watch_your_back.bridges.go_records import NotGo, record_of, sgf_of
from watch_your_back.bridges.go_sgf import read_game
from watch_your_back.game import Game
from watch_your_back.match import Limits, Match, run
from watch_your_back.match.record import Record, RecordWriter

GAME = Game.load("go", size=5, komi=0.5)


def recorded(black: str = "random", white: str = "random", game: Game = GAME, **more: Any) -> Record:
    """A match that was played and recorded."""
    text = io.StringIO()
    run(Match(game, (find(black), find(white)), Limits(20, 200), 1, **more), RecordWriter(text))
    return Record.load(io.StringIO(text.getvalue()))


def again(record: Record) -> Record:
    """The record after it has been SGF for a while."""
    converted = record_of(sgf_of(record))
    assert converted.note == ""
    return Record.load(io.StringIO(converted.record))


def player(folder: Path, action: str, name: str = "bad") -> str:
    """An agent that does this when it is asked for its third action, and passes before."""
    (folder / f"{name}.py").write_text(
        "class Player:\n    def __init__(self, colour):\n        self.turn = 0\n"
        "    def update(self, action):\n        pass\n"
        "    def action(self, turns):\n        self.turn += 1\n        if self.turn == 3:\n"
        f"            {action}\n        return (self.turn, 0)\n"
    )
    return str(folder / f"{name}.py")


@pytest.mark.parametrize(
    "options",
    [
        {"size": 5},
        {"size": 9, "handicap": 4, "rules": "japanese", "komi": -3.0, "superko": "simple"},
        {"size": 5, "rules": "tromp-taylor", "superko": "situational", "turn_cap": 12},
    ],
)
def test_a_record_comes_back_from_sgf(options: dict[str, Any]) -> None:
    """Options, names, actions with what each cost, day and outcome: all that SGF can hold."""
    before = recorded(game=Game.load("go", **options))
    after = again(before)
    assert after.game == before.game
    assert after.turns == before.turns
    assert after.outcome == before.outcome
    assert [agent.name for agent in after.agents] == ["random", "random"]
    assert {agent.kind for agent in after.agents} == {"unknown"}
    assert after.started.date() == before.started.date()
    assert after.end is not None
    assert before.end is not None
    assert after.end.state == before.end.state


def test_comments_tell_what_a_turn_cost_and_what_time_was_left() -> None:
    """In words and in the properties that viewers show."""
    before = recorded()
    game = read_game(sgf_of(before))
    turn = before.turns[0]
    assert game.comments[0] == f"{turn.cpu_s:.6f} s of CPU time, {turn.wall_s:.6f} s elapsed, {turn.memory_mb:.3f} MB"
    left = [each for each in game.left_s if each is not None]
    assert len(left) == len(before.turns)
    assert left[0] == round(20 - turn.cpu_s, 3)
    assert game.about["TM"] == "20"
    assert game.result[:2] in ("B+", "W+")
    assert float(game.result[2:]) > 0


@pytest.mark.parametrize(
    ("action", "result", "reason"),
    [
        ("return 'resign'", "W+R", "resigned"),
        ("return (1, 0)", "W+F", "illegal action"),
        ("raise ValueError('no\\nidea]')", "W+F", "exception"),
        ("import os; os._exit(1)", "W+F", "player exited"),
    ],
)
def test_faults_and_resignation_come_back_too(action: str, result: str, reason: str, tmp_path: Path) -> None:
    """Who failed in which call and why, with what the last turn cost."""
    before = recorded(player(tmp_path, action), "random")
    assert read_game(sgf_of(before)).result == result
    after = again(before)
    assert after.outcome == before.outcome
    assert after.outcome is not None
    assert after.outcome.reason == reason
    assert after.turns == before.turns
    assert [(each.side, each.call, each.reason) for each in after.failures] == [
        (each.side, each.call, each.reason) for each in before.failures
    ]


def test_an_opening_is_a_part_of_the_game() -> None:
    """In SGF there is nothing that was not played."""
    before = recorded(opening=((0, 0), (4, 4), None))
    after = again(before)
    assert after.actions == (*before.opening, *before.actions)
    assert after.outcome == before.outcome


def test_a_match_that_could_not_start_and_one_that_was_cut_off(tmp_path: Path) -> None:
    """The first has no moves and a loser, the second no end."""
    (tmp_path / "none.py").write_text("class Player: oops")
    before = recorded(str(tmp_path / "none.py"))
    assert again(before).outcome == before.outcome
    text = io.StringIO()
    run(Match(GAME, (find("random"), find("random")), Limits(20, 200), 1), RecordWriter(text))
    cut = Record.load(io.StringIO("\n".join(text.getvalue().splitlines()[:8]) + "\n"))
    assert read_game(sgf_of(cut)).result == "?"
    converted = record_of(sgf_of(cut))
    assert converted.note == "the record has no end, since its actions do not say how the game ended (RE[?])"
    assert not Record.load(io.StringIO(converted.record)).complete


@pytest.mark.parametrize(
    ("text", "winner", "reason", "note"),
    [
        ("(;SZ[5]RE[B+R];B[aa];W[bb];B[cc])", 0, "resigned", ""),
        ("(;SZ[5]RE[W+Resign];B[aa];W[bb];B[cc];W[dd])", 1, "resigned", ""),
        ("(;SZ[5]RE[W+R];B[aa])", None, None, "the record has no end"),
        ("(;SZ[5]RE[B+T];B[aa])", 0, "time limit", ""),
        ("(;SZ[5]RE[W+F];B[aa])", 1, "player exited", ""),
        ("(;SZ[5]RE[Void];B[aa])", None, "interrupted", ""),
        ("(;SZ[5]RE[W+2.5];B[aa];W[bb])", None, None, "the record has no end"),
        ("(;SZ[5]RE[B+24.5];B[aa];W[];B[])", 0, "two passes", ""),
        ("(;SZ[5]RE[W+2];B[aa];W[];B[])", 0, "two passes", "the file says RE[W+2], but here every stone that"),
    ],
)
def test_how_a_game_of_others_ended_is_told_as_far_as_its_actions_say(
    text: str, winner: int | None, reason: str | None, note: str
) -> None:
    """A record holds nothing that the rules and the events do not bear out; what is left out is said."""
    converted = record_of(text)
    record = Record.load(io.StringIO(converted.record))
    assert (record.outcome and record.outcome.winner, record.outcome and record.outcome.reason) == (winner, reason)
    assert converted.note.startswith(note)
    assert bool(converted.note) == bool(note)


def test_stones_that_were_set_up_are_the_start_of_the_record() -> None:
    """As a diagram, since no actions led there."""
    record = Record.load(io.StringIO(record_of("(;SZ[5]AB[aa]AW[bb][cc]PL[W]RE[B+R];W[dd];B[ee])").record))
    assert record.start.count_pieces(1) == 2
    assert record.actions == ((3, 3), (4, 4), "resign")
    assert record.outcome is not None
    assert record.outcome.winner == 0
    assert again(record).actions == record.actions


def test_other_games_are_refused() -> None:
    """SGF is for Go here."""
    text = io.StringIO()
    other = Game.load("watch_your_back", turn_cap=4)
    run(Match(other, (find("random"), find("random")), seed=1), RecordWriter(text))
    with pytest.raises(NotGo, match="this is a record of watch_your_back, and SGF is written for go only"):
        sgf_of(Record.load(io.StringIO(text.getvalue())))


def test_the_command_turns_each_into_the_other(tmp_path: Path, wyb: Callable[..., Any]) -> None:
    """What FILE is, its contents tell; a file that is there is not overwritten."""
    match, sgf, back = tmp_path / "match.jsonl.gz", tmp_path / "match.sgf", tmp_path / "back.jsonl"
    assert wyb("play", "-q", "--game", "go", "-o", "size=5", "random", "random", "--record", match).code == 0
    assert wyb("sgf", match, sgf) == (0, "", "")
    assert wyb("sgf", sgf, back) == (0, "", "")
    assert wyb("sgf", back).out.startswith("(;FF[4]CA[UTF-8]GM[1]")
    assert Record.load(back).turns == Record.load(match).turns
    again = wyb("sgf", match, sgf)
    assert again.code == 2
    assert again.err == f"wyb sgf: {sgf} is there already, and is not overwritten\n"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("(;SZ[5];B[aa];B[bb])", "line 1, column 14: move 2 is black's, as was the one before it"),
        ("hello", "this is no SGF: there is no game, which begins with '(;'"),
        ('{"event": 1}', "line 1: this is no record of a match"),
    ],
)
def test_what_is_neither_is_wrong_usage(content: str, told: str, tmp_path: Path, wyb: Callable[..., Any]) -> None:
    """One line that names the file and the place."""
    path = tmp_path / "game"
    path.write_text(content)
    ended = wyb("sgf", path)
    assert ended.code == 2
    assert ended.out == ""
    assert f"{path}" in ended.err
    assert told in ended.err
    assert ended.err.count("\n") == 1
