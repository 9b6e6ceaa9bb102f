"""Who may use the server: pages of other sites never, other computers only with the token."""

import pytest

pytest.importorskip("starlette", reason="Starlette and uvicorn are not installed: pip install .[web]")

from starlette.testclient import TestClient

from watch_your_back.web.access import LARGEST_BODY, is_loopback
from watch_your_back.web.app import make_app

OWN = "http://127.0.0.1:8037"
TOKEN = "a-token-that-is-only-here"
JSON = {"content-type": "application/json"}


@pytest.fixture
def asked(tmp_path):
    """Asks an application, with and without a token; only the headers that are given say where a request is from."""

    def ask(method, path, headers=None, *, token=None, content=None, host="127.0.0.1:8037"):
        app = make_app(tmp_path, port=8037, token=token)
        with TestClient(app, base_url=f"http://{host}", follow_redirects=False) as client:
            return client.request(method, path, headers=headers, content=content)

    return ask


@pytest.mark.parametrize("host", ["127.0.0.1:8037", "localhost:8037", "LOCALHOST:8037", "[::1]:8037", "127.0.0.2:8037"])
def test_the_names_of_this_computer_are_its_own(asked, host):
    """Whoever opens the printed address, or localhost, is answered."""
    assert asked("GET", "/play", host=host).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example:8037", "127.0.0.1", "127.0.0.1:80", "127.0.0.1.evil.example:8037", "10.0.0.5:8037", "a b:8037"],
)
def test_no_other_name_is_answered(asked, host):
    """A name that was made to lead here (DNS rebinding) gets nothing, whatever it asks for."""
    answer = asked("GET", "/api/offers", {"host": host})
    assert answer.status_code == 421
    assert set(answer.json()) == {"error"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "https://127.0.0.1:8037"}, 403),
        ({"origin": "http://127.0.0.1:9999"}, 403),
        ({"origin": OWN, "sec-fetch-site": "cross-site"}, 403),
        ({"origin": OWN, "content-type": "text/plain"}, 415),
        ({"origin": OWN, "content-type": "application/x-www-form-urlencoded"}, 415),
        ({"origin": OWN, **JSON}, 422),
    ],
)
def test_only_its_own_pages_may_change_something(asked, headers, status):
    """A form or a script of another site can start no match, even where it can send a request."""
    answer = asked("POST", "/api/tables", {**JSON, **headers}, content=b'{"game": "watch_your_back"}')
    assert answer.status_code == status


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_other_sites_can_link_here_but_not_read(asked, site):
    """A link may be followed; what a script or an image of another site asks for is refused."""
    assert asked("GET", "/play", {"sec-fetch-site": site, "sec-fetch-mode": "navigate"}).status_code == 200
    assert asked("GET", "/api/offers", {"sec-fetch-site": site, "sec-fetch-mode": "cors"}).status_code == 403
    assert asked("GET", "/static/play.js", {"sec-fetch-site": site, "sec-fetch-mode": "no-cors"}).status_code == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])
def test_no_other_methods_are_understood(asked, method):
    """Also none that asks what another site may do."""
    assert asked(method, "/api/tables", {"origin": OWN}).status_code == 405


def test_what_is_sent_is_bounded(asked):
    """Too much is refused, whether its length was told or not."""
    headers = {"origin": OWN, **JSON}
    assert asked("POST", "/api/tables", headers, content=b" " * (LARGEST_BODY + 1)).status_code == 413
    assert asked("POST", "/api/tables", headers, content=(b" " * 100_000 for _ in range(20))).status_code == 413
    assert asked("POST", "/api/tables", headers, content=b"[" * 100_000).status_code == 400


@pytest.mark.parametrize("path", ["/", "/play", "/nothing", "/static/play.js", "/api/offers"])
def test_every_answer_has_a_strict_policy(asked, path):
    """No script, style or frame of anybody else, and nothing is kept."""
    answer = asked("GET", path)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("path", ["/", "/play", "/api/offers", "/static/web.css", "/nothing"])
def test_a_server_for_others_asks_for_its_token(asked, path):
    """Nothing at all is told without it, or with another one."""
    for headers in ({}, {"cookie": "wyb-8037=wrong"}, {"authorization": "Bearer wrong"}, {"authorization": "Bearer é"}):
        encoded = {key: value.encode("latin-1") for key, value in headers.items()}
        assert asked("GET", path, encoded, token=TOKEN, host="192.168.1.7:8037").status_code == 401
    assert asked("GET", f"{path}?token=wrong", token=TOKEN).status_code == 401


def test_the_token_comes_once_and_is_then_in_a_cookie(asked):
    """The address that is shown afterwards has no token any more, and scripts cannot read the cookie."""
    answer = asked("GET", f"/tournament?of=a.db&token={TOKEN}", token=TOKEN)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/tournament?of=a.db"
    cookie = answer.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=Strict"} <= set(cookie.split("; "))
    assert asked("GET", "/play", {"cookie": cookie.partition(";")[0]}, token=TOKEN).status_code == 200
    assert asked("GET", "/play", {"authorization": f"Bearer {TOKEN}"}, token=TOKEN).status_code == 200


def test_the_address_after_the_token_is_on_the_same_server(asked):
    """However the path looks, it does not lead anywhere else."""
    answer = asked("GET", f"//evil.example/?token={TOKEN}", token=TOKEN)
    assert answer.headers["location"].startswith("/")
    assert not answer.headers["location"].startswith("//")


def test_a_token_does_not_replace_the_other_rules(asked):
    """With it, too, other sites may change nothing, and a name on the Internet is not answered."""
    bearer = {"authorization": f"Bearer {TOKEN}", **JSON}
    assert asked("POST", "/api/tables", bearer | {"origin": "http://evil.example"}, token=TOKEN).status_code == 403
    assert asked("GET", "/", bearer | {"host": "evil.example:8037"}, token=TOKEN).status_code == 421


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("192.168.0.3", False), ("x", False)],
)
def test_what_only_this_computer_reaches(host, loopback):
    """Everything else needs a token."""
    assert is_loopback(host) is loopback


def test_files_come_from_a_list(asked):
    """There is no path to anything else."""
    assert asked("GET", "/static/web.css").headers["content-type"].startswith("text/css")
    for path in ("/static/..%2Fapp.py", "/static/app.py", "/static/%2Fetc%2Fpasswd", "/static/page.html"):
        assert asked("GET", path).status_code == 404
