"""The server over real connections: who is answered, what is refused, and every action."""

from __future__ import annotations

import http.client
import json
import re
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from scrutable_review import Review, read_review
from scrutable_review.page import ReviewServer, ReviewSession
from scrutable_review.page.handler import MAX_BODY
from scrutable_review.page.opening import private_page

#: Status, headers and body of an answer.
Answer = tuple[int, dict[str, str], bytes]
Ask = Callable[..., Answer]

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def server(session: ReviewSession) -> Iterator[ReviewServer]:
    """A running server."""
    made = ReviewServer(session)
    thread = threading.Thread(target=made.run)
    thread.start()
    yield made
    made.shutdown()
    thread.join(10)
    assert not thread.is_alive()


@pytest.fixture
def ask(server: ReviewServer) -> Ask:
    """A request; a path that begins with a slash is taken as it is, any other lies behind the secret."""

    def request(method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
        sent = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        try:
            where = path if path.startswith("/") else f"/{server.token}/{path}"
            given = (JSON if method == "POST" else {}) | (headers or {})
            connection.request(method, where, sent, given)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    return request


def said(answer: Answer) -> Any:
    return json.loads(answer[2])


def cut_of(session: ReviewSession) -> float:
    cut = session.review.table("age").rows[0].upper
    assert cut is not None
    return cut


# --- who is answered ----------------------------------------------------------------------------------------


def test_it_listens_on_this_machine_only(server: ReviewServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert server.address == f"http://127.0.0.1:{server.server_port}/{server.token}/"


def test_secrets_are_long_and_never_the_same(session: ReviewSession) -> None:
    tokens = set()
    for _ in range(3):
        server = ReviewServer(session)
        server.server_close()
        tokens.add(server.token)
    assert len(tokens) == 3
    assert min(map(len, tokens)) >= 32


@pytest.mark.parametrize("path", ["/", "/api/state", "/wrong/", "/wrong/api/state", "/%00/", "//", "/wrong"])
def test_without_the_secret_nothing_is_told(ask: Ask, path: str) -> None:
    status, _, body = ask("GET", path)
    assert status == 403
    assert b"age" not in body
    assert ask("POST", path, {})[0] == 403


def test_an_address_works_once_and_leads_on_to_the_page(ask: Ask, server: ReviewServer) -> None:
    path = server.address_once().removeprefix(f"http://127.0.0.1:{server.server_port}")
    assert server.token not in path
    for method, headers in (("POST", {}), ("GET", {"Host": "example.org"})):
        assert ask(method, path, {} if method == "POST" else None, headers)[0] == 403
    status, headers, body = ask("GET", path)
    assert (status, headers["Location"]) == (303, f"/{server.token}/")
    assert b"age" not in body
    assert [ask("GET", each)[0] for each in (path, "/once/", "/once/x", f"/once/{server.token}")] == [403] * 4


def test_only_this_user_can_read_the_page_that_leads_on() -> None:
    with private_page("http://127.0.0.1:1/once/a&b") as uri:
        path = Path(unquote(urlsplit(uri).path))
        assert [each.stat().st_mode & 0o077 for each in (path, path.parent)] == [0, 0]
        assert path.read_text().count("http://127.0.0.1:1/once/a&amp;b") == 2
    assert not path.parent.exists()


@pytest.mark.parametrize("host", ["example.org", "127.0.0.1", "127.0.0.1:1", "localhost.example.org", ""])
def test_other_hosts_are_refused(ask: Ask, host: str) -> None:
    assert ask("GET", "api/state", headers={"Host": host})[0] == 403
    assert ask("POST", "api/undo", {}, {"Host": host})[0] == 403


def test_localhost_is_this_host(ask: Ask, server: ReviewServer) -> None:
    host = {"Host": f"localhost:{server.server_port}"}
    assert ask("GET", "api/state", headers=host)[0] == 200


@pytest.mark.parametrize("origin", ["https://example.org", "null", "http://127.0.0.1"])
def test_other_sites_may_not_post(ask: Ask, session: ReviewSession, origin: str) -> None:
    edit = {"feature": "age", "action": "merge", "at": cut_of(session), "why": "x"}
    assert ask("POST", "api/edit", {"edit": edit}, {"Origin": origin})[0] == 403
    assert session.review.edits == ()


def test_the_page_itself_may_post(ask: Ask, server: ReviewServer, session: ReviewSession) -> None:
    edit = {"feature": "age", "action": "merge", "at": cut_of(session), "why": "x"}
    own = {"Origin": f"http://127.0.0.1:{server.server_port}"}
    assert ask("POST", "api/edit", {"edit": edit}, own)[0] == 200


# --- what is refused ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["api/", "api/nothing", "../server.py", "static/page.html", "__init__.py", "page.js.map"]
)
def test_unknown_paths_are_404(ask: Ask, path: str) -> None:
    assert ask("GET", path)[0] == 404
    assert ask("POST", path, {})[0] == 404


def test_methods_are_those_of_the_path(ask: Ask) -> None:
    assert ask("GET", "api/edit")[0] == 405
    assert ask("POST", "api/state", {})[0] == 405
    assert ask("POST", "page.css", {})[0] == 405


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "PUT", "DELETE", "BREW"])
def test_any_other_method_is_checked_and_refused_alike(ask: Ask, method: str) -> None:
    refused = {405: ask(method, "api/state"), 403: ask(method, "/wrong/api/state")}
    refused[404] = ask(method, "api/nothing")
    assert ask(method, "api/state", headers={"Host": "example.org"})[0] == 403
    for expected, (status, headers, body) in refused.items():
        assert status == expected
        assert headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert headers["Content-Type"] == "application/json; charset=utf-8"
        assert (body == b"") is (method == "HEAD")


def test_what_is_no_request_gets_the_same_headers(server: ReviewServer) -> None:
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=10) as connection:
        connection.sendall(b"GET / HTTP/9.9\r\n\r\n")
        answer = connection.makefile("rb").read()
    assert b" 505 " in answer.splitlines()[0]
    assert b"Content-Security-Policy: default-src 'none'" in answer
    assert b"<html" not in answer.lower()


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff", b"[" * 100_000, b'{"edit": NaN}', b'{"edit": Infinity}', b"[]", b"3", b"null"]
)
def test_bodies_that_are_no_json_object_are_400(ask: Ask, session: ReviewSession, body: bytes) -> None:
    assert ask("POST", "api/undo", body)[0] == 400


def test_the_body_needs_its_type_and_length(ask: Ask) -> None:
    assert ask("POST", "api/undo", {}, {"Content-Type": "text/plain"})[0] == 415
    assert ask("POST", "api/undo", {}, {"Content-Type": "application/x-www-form-urlencoded"})[0] == 415
    assert ask("POST", "api/undo", None, {"Transfer-Encoding": "chunked", "Content-Length": "-1"})[0] == 411
    assert ask("POST", "api/undo", None, {"Content-Length": str(MAX_BODY + 1)})[0] == 413
    assert ask("POST", "api/undo", None, {"Content-Length": "9" * 5000})[0] == 413


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (None, "expected an edit"),
        ([], "expected an edit"),
        ({"feature": "age"}, "a field is missing"),
        ({"feature": "age", "action": "explode"}, "unknown action"),
        ({"feature": "income", "action": "cut", "at": 3, "why": "x"}, "unknown column"),
        ({"feature": "age", "action": "cut", "at": "3", "why": "x"}, "expected a number"),
        ({"feature": "age", "action": "cut", "at": 30.5, "why": ""}, "an edit needs a reason"),
        ({"feature": "age", "action": "cut", "at": 30.5, "why": 3}, "why"),
        ({"feature": "age", "action": "cut", "at": 30.5, "why": "x", "harm": 1}, "unknown field"),
    ],
)
def test_edits_that_do_not_fit_are_told_why(ask: Ask, session: ReviewSession, edit: Any, told: str) -> None:
    before = said(ask("GET", "api/state"))
    answer = ask("POST", "api/edit", {"edit": edit})
    assert answer[0] == 422
    assert told in said(answer)["error"]
    assert said(ask("GET", "api/state")) == before
    assert not session.path.exists()


def test_nothing_to_undo_or_redo_is_told(ask: Ask) -> None:
    for action in ("undo", "redo"):
        answer = ask("POST", f"api/{action}", {})
        assert answer[0] == 422
        assert f"nothing to {action}" in said(answer)["error"]


def test_an_older_state_is_a_conflict(ask: Ask, session: ReviewSession) -> None:
    edit = {"feature": "age", "action": "merge", "at": cut_of(session), "why": "x"}
    assert ask("POST", "api/edit", {"edit": edit, "revision": 0})[0] == 200
    assert ask("POST", "api/undo", {"revision": 0})[0] == 409
    assert ask("POST", "api/undo", {"revision": "1"})[0] == 400
    assert ask("POST", "api/undo", {"revision": 1})[0] == 200


def test_what_nobody_foresaw_is_told_and_the_server_goes_on(
    ask: Ask, session: ReviewSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(Review, "undo", lambda self: 1 / 0)
        answer = ask("POST", "api/undo", {})
    assert answer[0] == 500
    assert "ZeroDivisionError" in said(answer)["error"]
    assert ask("GET", "api/state")[0] == 200


def test_a_browser_that_goes_away_leaves_no_traceback(server: ReviewServer, capsys: pytest.CaptureFixture[str]) -> None:
    for error, shown in ((BrokenPipeError(), False), (ConnectionResetError(), False), (ValueError(), True)):
        try:
            raise error
        except (OSError, ValueError):
            server.handle_error(None, ("127.0.0.1", 1))
        assert ("Traceback" in capsys.readouterr().err) is shown


# --- what is told -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "kind"),
    [("", "text/html"), ("page.html", "text/html"), ("page.css", "text/css"), ("main.js", "text/javascript")],
)
def test_the_page_and_its_files_are_served_with_protection(ask: Ask, path: str, kind: str) -> None:
    status, headers, body = ask("GET", path)
    assert (status, headers["Content-Type"]) == (200, f"{kind}; charset=utf-8")
    assert len(body) == int(headers["Content-Length"]) > 100
    assert headers["Content-Security-Policy"].startswith(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:;"
    )
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-store"
    assert headers["Referrer-Policy"] == "no-referrer"


def test_every_script_that_a_script_imports_is_served(ask: Ask, server: ReviewServer) -> None:
    scripts = {name: content.decode() for name, (_, content) in server.files.items() if name.endswith(".js")}
    imported = {name for text in scripts.values() for name in re.findall(r'from "\./([^"]+)"', text)}
    assert imported | {"main.js"} == set(scripts)
    assert all(ask("GET", name)[0] == 200 for name in scripts)


def test_the_page_needs_nothing_from_elsewhere_and_writes_no_markup(server: ReviewServer) -> None:
    text = b"".join(content for _, content in server.files.values()).decode()
    for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "https://", "style="):
        assert forbidden not in text
    assert text.count("http://") == text.count("http://www.w3.org/2000/svg")


def test_every_action_does_what_it_says(ask: Ask, session: ReviewSession) -> None:
    state = said(ask("GET", "api/state"))
    edit = {"feature": "age", "action": "merge", "at": cut_of(session), "why": "thin bin", "who": "bo"}
    seen = said(ask("POST", "api/preview", {"edit": {**edit, "why": ""}}))
    assert session.review.edits == ()
    made = said(ask("POST", "api/edit", {"edit": edit, "revision": state["revision"]}))
    further = {"scale": state["features"][0]["scale"], "n_edits": 1, "leak": "", "stays": "free"}
    assert {**seen["table"], **further} == made["changed"]
    assert [(each["who"], each["why"]) for each in made["audit"]] == [("bo", "thin bin")]
    assert [each.who for each in read_review(session.path) if each.action == "merge"] == ["bo"]
    undone = said(ask("POST", "api/undo", {"revision": made["revision"]}))
    assert undone["changed"] == state["features"][0]
    assert (undone["undo"], undone["redo"], undone["audit"]) == (False, True, [])
    redone = said(ask("POST", "api/redo", {"revision": undone["revision"]}))
    assert redone["changed"] == made["changed"]


def test_every_kind_of_edit_passes(ask: Ask, session: ReviewSession) -> None:
    home = session.review.table("home").rows
    categories = [value for row in home for value in row.values]
    cut = cut_of(session)
    edits: list[dict[str, Any]] = [
        {"feature": "age", "action": "cut", "at": cut + 0.5},
        {"feature": "age", "action": "move", "at": cut + 0.5, "to": cut + 1.5},
        {"feature": "age", "action": "cuts", "cuts": [30, 40, 50]},
        {"feature": "age", "action": "trend", "trend": "ascending"},
        {"feature": "age", "action": "missing", "policy": "neutral"},
        {"feature": "age", "action": "special", "policy": "with", "bin": 18, "codes": [-9]},
        {"feature": "home", "action": "merge", "values": categories[:2]},
        {"feature": "home", "action": "split", "values": categories[:1]},
        {"feature": "home", "action": "merges", "groups": [categories[1:3]]},
    ]
    for edit in edits:
        assert ask("POST", "api/edit", {"edit": edit | {"why": "x"}})[0] == 200, edit
    kept = [each.action for each in read_review(session.path) if each.action != "start"]
    assert kept == [edit["action"] for edit in edits]


def test_finish_is_answered_and_then_the_port_is_closed(ask: Ask, session: ReviewSession) -> None:
    answer = ask("POST", "api/finish", {})
    assert said(answer)["said"] == f"0 edits in {session.path}."
    for _ in range(100):
        try:
            ask("GET", "api/state")
        except OSError:
            return
        threading.Event().wait(0.05)
    pytest.fail("the server still answers")
