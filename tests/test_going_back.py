"""A person at the terminal takes a turn back, and the match goes on from before it."""

import subprocess
import sys

from watch_your_back.match.record import Record


def play(*arguments, typed):
    """The terminal of `wyb play` with these lines typed."""
    command = [sys.executable, "-m", "watch_your_back", "play", *arguments, "--seed", "2"]
    ended = subprocess.run(command, input="\n".join(typed) + "\n", capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout, ended.stderr


def test_the_match_goes_on_from_before_the_last_turn(tmp_path):
    """The record that is left begins after the turns before; what was taken back is in none."""
    kept = tmp_path / "match.jsonl"
    typed = ["3 4", "4 4", "back", "5 5", "resign"]
    out, err = play("human", "random", "--record", str(kept), typed=typed)
    record = Record.load(kept)
    assert record.opening[0] == (3, 4)
    assert len(record.opening) == 2
    assert [turn.action for turn in record.turns if turn.side == 0] == [(5, 5), "resign"]
    assert record.end.reason == "resigned"
    assert "taken back" not in out + err
    assert "Nothing can be" not in err


def test_it_can_be_done_again_and_again(tmp_path):
    """Down to the first turn, before which there is nothing to take back."""
    kept = tmp_path / "match.jsonl"
    _, err = play("human", "random", "--record", str(kept), typed=["3 4", "4 4", "back", "back", "back", "resign"])
    record = Record.load(kept)
    assert record.opening == ()
    assert len(record.turns) == 1
    assert err.count("Nothing can be taken back") == 1


def test_not_in_a_competitive_game():
    """Where nobody may look at what there was and think again."""
    typed = ["mv b-shp-1 4 7 ground none", "", "back", "resign"]
    _, err = play("human", "random", "--game", "weaponized_chess", "-o", "competitive=yes", typed=typed)
    assert "Nothing can be taken back" in err
    _, err = play("human", "random", "--game", "weaponized_chess", typed=typed)
    assert "Nothing can be" not in err


def test_not_from_a_player_that_cannot_begin_in_the_middle(tmp_path):
    """Its opponent is asked again for the same turn."""
    rival = tmp_path / "rival.py"
    rival.write_text(
        "class Player:\n"
        "    def __init__(self, colour):\n        self.turns = iter([(3, 5), (4, 5), (5, 5)])\n"
        "    def action(self, turns):\n        return next(self.turns)\n"
        "    def update(self, action):\n        pass\n"
    )
    _, err = play("human", str(rival), typed=["0 2", "back", "1 2", "resign"])
    assert err.count("Nothing can be taken back") == 1
    assert "White resigned" in err
