"""`wyb play` and `referee.py`: whole matches from the command line."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from outliving import outliving

from watch_your_back.game import Game

ROOT = Path(__file__).parent.parent
WINNERS = ("winner: W!", "winner: B!", "winner: draw!")


@pytest.fixture(autouse=True)
def somewhere(tmp_path, monkeypatch, kept_zygotes):
    """A directory of the user's own, with players that are quick to lose."""
    monkeypatch.chdir(tmp_path)
    for name, line in {
        "corner": "return (0, 0)",
        "crash": "print('\\x1b[2J' + 'to ' + 'stdout'); print('to ' + 'stderr', file=sys.stderr); return 1 / 0",
        "loop": "exec('while True: pass')",
        "quitter": "return 'resign'",
    }.items():
        (tmp_path / f"{name}.py").write_text(
            "import sys\n\nclass Player:\n"
            "    def __init__(self, colour): pass\n"
            f"    def action(self, turns): {line}\n"
            "    def update(self, action): pass\n"
        )
    (tmp_path / "broken.py").write_text("import nothing_of_this_name\n")
    return tmp_path


def referee(*words, **more):
    """`python referee.py` of a clone that is not installed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, str(ROOT / "referee.py"), *words],
        env=environment, text=True, capture_output=True, timeout=120, **more,
    )  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "greedy random",
        "-t -s greedy random",
        "-t 30 -s 50 greedy random",
        "greedy random -d 0 -t",
        "--time_limit greedy random",
    ],
)
def test_the_published_command_line_plays_a_match(words):
    """From a clone, with and without values: boards on stdout and the winner in the last line."""
    ended = referee(*words.split())
    assert ended.returncode == 0, ended.stderr
    lines = ended.stdout.splitlines()
    assert lines[:9] == Game.load("watch_your_back").initial().text().splitlines()
    assert lines[-1] in WINNERS
    assert "white: greedy (" in ended.stderr


def test_the_limits_are_the_published_ones_where_the_value_is_left_out(wyb):
    """120 s and 100 MB; without the flags there are none."""
    limited = json.loads(wyb("play", "--json", "-t", "-s", "corner", "random").out)
    assert limited["limits"] == {"cpu_s": 120.0, "memory_mb": 100.0}
    free = json.loads(wyb("play", "--json", "corner", "random").out)
    assert free["limits"] == {"cpu_s": None, "memory_mb": None}


def test_the_same_seed_is_the_same_match(wyb):
    """And the seed is printed, so that every match can be played again."""
    first = wyb("play", "random", "random")
    seed = first.err.partition("seed ")[2].partition(",")[0]
    again = wyb("play", "random", "random", "--seed", seed)
    assert again.out == first.out
    assert wyb("play", "random", "random", "--seed", int(seed) + 1).out != first.out


def test_the_turns_can_be_bounded(wyb):
    """`--max-turns` is the option of the game that every game has, and goes before `-o`."""
    result = json.loads(wyb("play", "--json", "--max-turns", "2", "-o", "turn_cap=9", "random", "random").out)
    assert (result["reason"], result["winner"], result["ply"]) == ("turn limit", None, 26)
    assert result["options"] == {"turn_cap": 2}


def test_a_match_can_begin_after_an_opening(wyb):
    """Its actions are those of the match that it is given for, and the board is drawn after them."""
    shown = wyb("play", "random", "random", "--opening", "[[2, 3], [5, 4]]", "--plain").out.splitlines()
    begun = Game.load("watch_your_back").initial().play((2, 3)).play((5, 4))
    assert shown[:9] == begun.text().splitlines()


def test_the_seeds_of_the_sides_can_be_swapped(wyb):
    """So that the agent at a side gets those that it has at the other one in the first match of a pair."""
    usual, swapped = (wyb("play", "random", "random", "--seed", "5", *more).out for more in ((), ("--swap-seeds",)))
    assert usual != swapped


def test_quiet_prints_the_winner_only(wyb):
    """One line, for scripts."""
    ended = wyb("play", "-q", "corner", "random", "--seed", "5")
    assert ended == (0, "winner: B!\n", "seed 5\n")


def test_json_is_one_object(wyb):
    """The whole of stdout is one JSON object, also when a player fails."""
    ended = wyb("play", "--json", "crash", "random", "--seed", "5")
    result = json.loads(ended.out)
    assert (result["winner"], result["reason"], result["seed"], result["ply"]) == ("black", "exception", 5, 0)
    assert result["sides"]["white"]["spec"] == "crash"
    assert result["sides"]["black"]["agent"] == "random"


def test_every_fault_is_told_before_the_winner(wyb):
    """With the reason, what happened, and where."""
    assert "invalid action (W): " in wyb("play", "corner", "random").out
    crashed = wyb("play", "random", "crash").out
    assert "exception (B): in action: ZeroDivisionError: division by zero\n  Traceback" in crashed
    assert crashed.endswith("winner: W!\n")
    assert "could not start (W): in import: ModuleNotFoundError" in wyb("play", "broken", "random").out
    assert wyb("play", "broken", "broken").out.endswith("no winner: both could not start\n")
    assert "time limit (W)" in wyb("play", "-t", "0.2", "loop", "random").out
    assert wyb("play", "random", "quitter").out.endswith("winner: W!\n")


def test_what_a_player_prints_is_shown_on_request(wyb):
    """It goes to stderr, without what could command a terminal; stdout stays the result."""
    quiet = wyb("play", "crash", "random")
    assert "to stdout" not in quiet.out + quiet.err
    assert "white printed " in quiet.err
    shown = wyb("play", "-v", "crash", "random")
    assert "to stdout" not in shown.out
    assert "white, turn 0, stdout| to stdout\n" in shown.err
    assert "white, turn 0, stderr| to stderr\n" in shown.err
    assert "\x1b" not in shown.err


def test_a_terminal_gets_a_board_that_is_drawn_in_its_place():
    """Unlike a pipe, and unless `--plain` is asked for."""
    pty = pytest.importorskip("pty")

    def on_a_terminal(*words):
        master, terminal = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40", "NO_COLOR": ""}
        command = [sys.executable, str(ROOT / "referee.py"), "--max-turns", "1", "random", "random", *words]
        with subprocess.Popen(command, stdout=terminal, stderr=subprocess.DEVNULL, env=environment):
            os.close(terminal)
            shown = b""
            while chunk := _read(master):
                shown += chunk
        os.close(master)
        return shown.decode()

    drawn = on_a_terminal()
    assert "\x1b[14F\x1b[J" in drawn
    assert "turn limit (25 turns)" in drawn
    plain = on_a_terminal("--plain")
    assert "\x1b" not in plain
    assert plain.endswith("winner: draw!\r\n")


def _read(descriptor):
    try:
        return os.read(descriptor, 65_536)
    except OSError:  # how Linux says that the other end of a terminal is closed
        return b""


def test_a_match_is_recorded(wyb, tmp_path):
    """`--record` leaves a file that ends with the result."""
    file = tmp_path / "match.jsonl"
    ended = wyb("play", "--json", "random", "corner", "--record", file)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert lines[-1]["event"] == "end"
    assert lines[-1]["reason"] == json.loads(ended.out)["reason"] == "illegal action"


def test_debugging_runs_the_players_here(wyb):
    """What they print comes out at once, and the tier is that of no confinement."""
    ended = wyb("play", "--debug", "crash", "random", "-q")
    assert "to stdout\n" in ended.out
    result = json.loads(wyb("play", "--debug", "--json", "random", "corner").out)
    assert result["tier"] == "none"


@pytest.mark.parametrize(
    ("words", "code"),
    [("random corner", 0), ("corner random", 3), ("random random --max-turns 1", 4), ("broken broken", 5)],
)
def test_the_exit_code_can_tell_the_result(wyb, words, code):
    """With `--exit-code`, scripts need not read the output; without, a match that was played is 0."""
    assert wyb("play", "-q", *words.split()).code == 0
    assert wyb("play", "-q", "--exit-code", *words.split()).code == code


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("greedy", "Missing argument 'BLACK'"),
        ("greedy random third", "unexpected extra argument"),
        ("greedy randon", "there is no agent 'randon'"),
        ("greedy random -t 0", "'0' is not a number of seconds above 0"),
        ("greedy random -s -1", "'-1' is not a number of MB above 0"),
        ("greedy random -d nan", "'nan' is not a number of seconds from 0"),
        ("greedy random --seed -1", "-1 is not in the range"),
        ("greedy random --max-turns -1", "option turn_cap is at least 0, not -1"),
        ("greedy random --game chess", "there is no game 'chess'"),
        ("greedy random -o size=9", "the game has no option 'size'"),
        ("greedy random --opening 2,3", "an opening is a JSON list of actions"),
        ("greedy random --opening [[2,3],[2,3]]", "action 2 of the opening cannot be taken: "),
        ("greedy random --profile official", "'official' is not one of"),
        ("greedy random --profile none -t", "profile none has no limits"),
        ("greedy random --record nowhere/match.jsonl", "the record cannot be written to nowhere/match.jsonl"),
        ("greedy random --record crash.py", "crash.py"),
        ("greedy random --delya", "Did you mean one of: '--delay'"),
    ],
)
def test_a_mistake_is_one_line(wyb, words, part):
    """Exit code 2, nothing on stdout, and one line that says what is wrong."""
    ended = wyb("play", *words.split())
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert ended.err.startswith("wyb play: ")
    assert part in ended.err


def test_a_tier_that_is_required_is_not_played_without(wyb):
    """A match that would be weaker is refused, with one line."""
    ended = wyb("play", "-q", "--debug", "--require-tier", "process", "random", "random")
    assert (ended.code, ended.out) == (1, "")
    assert "not at the tier process" in ended.err


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_an_interrupted_match_is_void_and_leaves_nothing_behind(name):
    """The last line says so, the exit code names the signal, and no process is left."""
    number = getattr(signal, name)
    with subprocess.Popen(
        [sys.executable, str(ROOT / "referee.py"), "loop", "random"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:  # fmt: skip
        for line in process.stdout:
            if line == "0 turns into the placing phase\n":
                break
        family = psutil.Process(process.pid).children(recursive=True)
        assert family
        process.send_signal(number)
        rest, _ = process.communicate(timeout=60)
    assert rest.splitlines()[-1] == "no winner: interrupted"
    assert process.returncode == 128 + number
    assert outliving(family) == []


def test_a_reader_that_has_seen_enough_ends_the_match():
    """`| head` is no error, and the players are not left running."""
    with subprocess.Popen(
        [sys.executable, str(ROOT / "referee.py"), "random", "random"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        complaint = process.stderr.read()
        process.wait(timeout=60)
    assert process.returncode == 141
    assert b"rror" not in complaint


def test_a_missing_package_is_one_line():
    """Whoever runs the referee with a bare Python learns what to install."""
    ended = subprocess.run(
        [sys.executable, "-S", str(ROOT / "referee.py"), "random", "random"], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 1
    assert ended.stderr == "referee.py: the package click is not installed (try: python3 -m pip install -e .)\n"


def test_plain_boards_of_other_games_are_for_people(wyb):
    """They are drawn, not written in the form that is read back; whose turn it is stands below."""
    shown = wyb("play", "--game", "two_tigers", "random", "random", "--plain", "--seed", "1").out
    assert "0 turns, tigers to act" in shown
    assert "seen before" not in shown
    assert "game over!" in shown
