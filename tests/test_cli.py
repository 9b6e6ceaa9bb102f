"""The command `wyb` itself: its help, its mistakes and its ways out."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

import watch_your_back
from watch_your_back.cli import COMMANDS, load
from watch_your_back.cli.ending import interruption, run

ROOT = Path(__file__).parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def python(*words, **more):
    """Run the interpreter with these words, outside the clone unless `cwd` says otherwise."""
    return subprocess.run(
        [sys.executable, *words], env=ENVIRONMENT, text=True, capture_output=True, timeout=120, **more
    )


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_the_help_lists_every_command(wyb, flag):
    """Whoever asks for help sees what there is."""
    ended = wyb(flag)
    assert ended.code == 0
    for name, help in COMMANDS.items():
        assert f"  {name}" in ended.out
        assert help in ended.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_of_its_own(wyb, name):
    """`wyb COMMAND -h` explains the command with examples and ends well."""
    ended = wyb(name, "-h")
    assert ended.code == 0
    assert f"Usage: wyb {name}" in ended.out
    assert load(name).help
    assert ended.err == ""


def test_help_imports_no_command(tmp_path):
    """The help is quick: it loads neither a command, nor numpy, nor the rest of the package."""
    script = "import sys; from watch_your_back.cli.ending import run; from watch_your_back.cli import wyb; "
    script += "run(wyb, 'wyb', ['--help']); print(*sys.modules, file=sys.stderr)"
    loaded = python("-c", script, cwd=tmp_path).stderr.split()
    assert {name for name in loaded if name.startswith("watch_your_back")} == {
        "watch_your_back",
        "watch_your_back.cli",
        "watch_your_back.cli.ending",
    }
    assert {"numpy", "psutil", "asyncio", "importlib.metadata"}.isdisjoint(loaded)


def test_without_a_command_the_help_is_shown(wyb):
    """It goes to stderr, with the exit code of wrong usage, since nothing was asked for."""
    ended = wyb()
    assert ended.code == 2
    assert ended.out == ""
    assert "Commands:" in ended.err


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["chek"], "wyb: there is no command 'chek'; did you mean check? (try wyb --help)"),
        (["nothing-like-it"], "wyb: there is no command 'nothing-like-it' (try wyb --help)"),
        (["perft"], "wyb perft: Missing argument 'DEPTH' (try wyb perft --help)"),
        (["--versoin"], "wyb: No such option '--versoin'. Did you mean '--version'? (try wyb --help)"),
    ],
)
def test_a_mistake_is_one_line(wyb, words, line):
    """Wrong usage is exit code 2 and one line on stderr."""
    assert wyb(*words) == (2, "", line + "\n")


def test_the_version_is_that_of_the_package(wyb):
    """`--version` says which package this is."""
    assert wyb("--version").out == f"watch-your-back, version {watch_your_back.__version__}\n"


def test_python_m_is_the_same_command(tmp_path):
    """`python -m watch_your_back` works and calls itself wyb."""
    ended = python("-m", "watch_your_back", "-h", cwd=tmp_path)
    assert ended.returncode == 0
    assert ended.stdout.startswith("Usage: wyb")


def _raising(error):
    @click.command()
    def command():
        click.echo("before")
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (KeyboardInterrupt(), 130, ""),
        (click.Abort(), 130, ""),
        (click.ClickException("it broke\nhere."), 1, "prog: it broke here\n"),
        (PermissionError(13, "Permission denied", "there"), 1, "prog: Permission denied: there\n"),
        (BrokenPipeError(32, "Broken pipe"), 141, ""),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_way_out_has_its_exit_code(capfd, error, code, line):
    """An error is one line and an exit code, never a traceback."""
    assert run(_raising(error), "prog", []) == code
    assert capfd.readouterr().err == line


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told_in_one_line(tmp_path):
    """Results that cannot be written are a failure, said once."""
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "watch_your_back", "games"], env=ENVIRONMENT, stdout=full, stderr=subprocess.PIPE
        )
    assert ended.returncode == 1
    assert ended.stderr.decode() == "wyb: No space left on device\n"


def test_a_reader_that_goes_away_ends_the_command_quietly(tmp_path):
    """`wyb ... | head` prints no complaint."""
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run(
        [sys.executable, "-m", "watch_your_back", "games"], env=ENVIRONMENT, stdout=writer, stderr=subprocess.PIPE
    )
    os.close(writer)
    assert ended.returncode == 141
    assert ended.stderr == b""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_signals_that_end_a_program_interrupt(name):
    """They arrive as an interruption that knows the exit code, and are as before afterwards."""
    number = getattr(signal, name)
    before = signal.getsignal(number)
    with interruption() as cause:
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)
        assert cause.exit_code == 128 + number
    assert signal.getsignal(number) is before


def test_an_ignored_signal_stays_ignored():
    """What `nohup` keeps alive is not interrupted when the terminal goes away."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interruption() as cause:
            signal.raise_signal(signal.SIGHUP)
        assert cause.exit_code == 130
    finally:
        signal.signal(signal.SIGHUP, before)


def test_output_that_the_encoding_cannot_take_does_not_fail(tmp_path):
    """Letters that the terminal does not know become question marks."""
    (tmp_path / "王.py").write_text("class Player: pass")
    environment = {**ENVIRONMENT, "PYTHONIOENCODING": "latin-1"}
    ended = subprocess.run(
        [sys.executable, "-m", "watch_your_back", "new", "王.py"],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 2
    assert "?.py is there already" in ended.stderr


@pytest.mark.parametrize(("words", "expected"), [("wyb pe", "perft"), ("wyb perft 2 --game watch_", "watch_your_back")])
def test_the_shell_can_complete(tmp_path, words, expected):
    """Commands and the ids of games are offered to the shell."""
    asked = {"_WYB_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    ended = subprocess.run(
        [sys.executable, "-m", "watch_your_back"], env={**ENVIRONMENT, **asked}, capture_output=True, text=True
    )
    assert ended.stdout == f"plain,{expected}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_calls_the_command(wyb, shell):
    """The script is for the name under which the command is installed."""
    ended = wyb("completion", shell)
    assert ended.code == 0
    assert "_WYB_COMPLETE" in ended.out
