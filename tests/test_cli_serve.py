"""`wyb serve` at the command line: what it says before it serves, and who can reach it."""

import importlib.util
import re
import signal
import socket

import pytest


def test_without_the_extra_it_says_what_is_missing(wyb, monkeypatch):
    """One line with the command that installs it."""
    found = importlib.util.find_spec
    monkeypatch.setattr("watch_your_back.cli.serve.find_spec", lambda name: None if name == "uvicorn" else found(name))
    ended = wyb("serve")
    assert ended.code == 2
    assert ended.err == "wyb serve: the pages need uvicorn: pip install 'watch-your-back[web]'\n"


def test_a_place_that_is_not_there_is_one_line(wyb, tmp_path):
    """As every mistake."""
    pytest.importorskip("uvicorn", reason="Starlette and uvicorn are not installed: pip install .[web]")
    ended = wyb("serve", str(tmp_path / "nothing.db"))
    assert ended.code == 2
    assert ended.err.count("\n") == 1
    assert "nothing.db" in ended.err


def test_a_port_that_is_taken_is_one_line(wyb, tmp_path):
    """It says which, and how to choose another one."""
    pytest.importorskip("uvicorn", reason="Starlette and uvicorn are not installed: pip install .[web]")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = wyb("serve", str(tmp_path), "--port", str(port))
    assert ended.code == 2
    assert (
        ended.err
        == f"wyb serve: port {port} of 127.0.0.1 cannot be listened at: Address already in use; try --port 0\n"
    )


def test_an_address_that_is_none_is_one_line(wyb, tmp_path):
    """Not a traceback."""
    pytest.importorskip("uvicorn", reason="Starlette and uvicorn are not installed: pip install .[web]")
    ended = wyb("serve", str(tmp_path), "--host", "no such host")
    assert ended.code == 2
    assert ended.err.count("\n") == 1


def test_a_server_for_others_prints_a_token(tmp_path):
    """Without it nothing is answered; each server draws its own."""
    pytest.importorskip("uvicorn", reason="Starlette and uvicorn are not installed: pip install .[web]")
    from web_server import Served

    tokens = set()
    for _ in range(2):
        with Served(tmp_path, "--host", "0.0.0.0") as server:
            port, token = re.search(r":(\d+)/\?token=([\w-]{20,})$", server.printed).groups()
            tokens.add(token)
            here = f"http://127.0.0.1:{port}"
            server.client.headers["origin"] = here
            assert server.client.get(f"{here}/play").status_code == 401
            assert server.client.get(f"{here}/play?token={token}").status_code == 303
            assert server.client.get(f"{here}/play").status_code == 200  # by its cookie
    assert len(tokens) == 2


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
def test_it_stops_when_it_is_told_to(tmp_path, number, code):
    """Also while a page listens; that page needs no token on this computer."""
    pytest.importorskip("uvicorn", reason="Starlette and uvicorn are not installed: pip install .[web]")
    from web_server import PATIENCE_S, Served

    with Served(tmp_path) as server, server.events("/api/home/events") as told:
        next(told)
        assert "token" not in server.printed
        server.process.send_signal(number)
        assert server.process.wait(PATIENCE_S) == code
