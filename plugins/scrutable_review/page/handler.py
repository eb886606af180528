"""One request of the page: who may ask, what is asked, and the answer."""

from __future__ import annotations

import json
import math
import secrets
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from typing import Any

from scrutable.errors import ScrutableError
from scrutable.plugins import unforeseen
from scrutable.writing import from_json
from scrutable_review.page.session import StaleError
from scrutable_review.page.site import ONCE, Site

#: The longest body of a request: an edit that names a hundred thousand categories fits.
MAX_BODY = 4_000_000

#: The type of an answer, and its bytes.
_Answer = tuple[str, bytes]

_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

#: What POST may ask for.
_ACTIONS = tuple(f"api/{name}" for name in ("edit", "preview", "undo", "redo", "selection", "card", "choose", "finish"))
_STATE = "api/state"


class RefusedError(Exception):
    """A request that gets no more than a status and a sentence."""

    def __init__(self, status: HTTPStatus, text: str) -> None:
        super().__init__(text)
        self.status = status


class Elsewhere(Exception):  # noqa: N818 -- it is no error
    """A request whose answer is the path to go on to."""


class Handler(BaseHTTPRequestHandler):
    """Answers GET with the page's files and the state, and POST with what an action did."""

    server: Site
    #: Seconds that a client may keep a request waiting.
    timeout = 30

    def do_GET(self) -> None:
        self._answer(self._get)

    def do_POST(self) -> None:
        if self._answer(self._post) == "api/finish":
            self.server.finish()

    def __getattr__(self, name: str) -> Any:
        """Any other method gets the same checks and headers, and is refused."""
        if name.startswith("do_"):
            return self.do_GET
        raise AttributeError(name)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What is refused before it is a request, with the headers of every other answer."""
        self.close_connection = True
        self.request_version = self.protocol_version  # an older one would go without headers
        self._send(HTTPStatus(code), *_json({"error": HTTPStatus(code).phrase}))

    def version_string(self) -> str:
        return "scrutable"

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the address of every request holds the secret."""

    def _answer(self, work: Callable[[str], _Answer]) -> str | None:
        """Send what the work on a path gives, or why it gives nothing; the path if it was done."""
        name, status, further = None, HTTPStatus.OK, {}
        try:
            name = self._asked()
            kind, content = work(name)
        except Elsewhere as path:
            name, status, (kind, content) = None, HTTPStatus.SEE_OTHER, _json({"see": str(path)})
            further = {"Location": str(path)}
        except RefusedError as refusal:
            name, status, (kind, content) = None, refusal.status, _json({"error": str(refusal)})
        except ScrutableError as error:
            status = HTTPStatus.CONFLICT if isinstance(error, StaleError) else HTTPStatus.UNPROCESSABLE_ENTITY
            name, (kind, content) = None, _json({"error": str(error)})
        except Exception as error:  # the review must go on, and whoever looks at the page must hear of it
            status = HTTPStatus.INTERNAL_SERVER_ERROR
            name, (kind, content) = None, _json({"error": str(unforeseen(error))})
        self._send(status, kind, content, further)
        return name

    def _send(self, status: HTTPStatus, kind: str, content: bytes, further: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for header, value in {**_HEADERS, "Content-Type": f"{kind}; charset=utf-8", **(further or {})}.items():
            self.send_header(header, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def _asked(self) -> str:
        """The path behind the secret, of a request that may be answered."""
        if self.headers.get("Host") not in self.server.hosts:
            raise RefusedError(HTTPStatus.FORBIDDEN, "this host is not served")
        _, token, name = (*self.path.partition("?")[0].split("/", 2), "", "")[:3]
        if token == ONCE and self.command == "GET" and self.server.take_ticket(name):
            raise Elsewhere(f"/{self.server.token}/")
        if not secrets.compare_digest(token.encode(), self.server.token.encode()):
            raise RefusedError(HTTPStatus.FORBIDDEN, "the address lacks the secret that scrutable review has printed")
        known = {_STATE: "GET", **dict.fromkeys(_ACTIONS, "POST"), **dict.fromkeys(self.server.files, "GET")}
        if name not in known:
            raise RefusedError(HTTPStatus.NOT_FOUND, "there is nothing at this address")
        if known[name] != self.command:
            raise RefusedError(HTTPStatus.METHOD_NOT_ALLOWED, f"use {known[name]}")
        return name

    def _get(self, name: str) -> _Answer:
        return _json(self.server.session.state()) if name == _STATE else self.server.files[name]

    def _post(self, name: str) -> _Answer:
        self._check_origin()
        body, session = self._body(), self.server.session
        revision = body.get("revision")
        if revision is not None and type(revision) is not int:
            raise RefusedError(HTTPStatus.BAD_REQUEST, "revision must be an integer")
        match name.removeprefix("api/"):
            case "edit":
                return _json(session.edit(body.get("edit"), revision=revision))
            case "preview":
                return _json(session.preview(body.get("edit")))
            case "undo":
                return _json(session.undo(revision=revision))
            case "redo":
                return _json(session.redo(revision=revision))
            case "selection":
                return _json(session.selection())
            case "card":
                return _json(session.card(body.get("steps")))
            case "choose":
                who, why = body.get("who", ""), body.get("why", "")
                return _json(session.choose(body.get("steps"), who=who, why=why, revision=revision))
        return _json(session.finish())

    def _check_origin(self) -> None:
        """Refuse what another site's page sends; programs that are no browsers send no Origin."""
        origin = self.headers.get("Origin")
        if origin is not None and origin not in {f"http://{host}" for host in self.server.hosts}:
            raise RefusedError(HTTPStatus.FORBIDDEN, "the request comes from another site")
        if self.headers.get_content_type() != "application/json":
            raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "send application/json")

    def _body(self) -> dict[str, Any]:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            raise RefusedError(HTTPStatus.LENGTH_REQUIRED, "a Content-Length is needed")
        if len(length) > len(str(MAX_BODY)) or int(length) > MAX_BODY:
            raise RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"at most {MAX_BODY} bytes are taken")
        try:
            body = from_json(self.rfile.read(int(length)).decode(), "the body")
        except ValueError as error:
            raise RefusedError(HTTPStatus.BAD_REQUEST, f"the body is not JSON: {error}") from None
        if not isinstance(body, dict):
            raise RefusedError(HTTPStatus.BAD_REQUEST, "the body must be a JSON object")
        return body


def _json(value: Any) -> _Answer:
    return "application/json", json.dumps(_sayable(value), allow_nan=False).encode()


def _sayable(value: Any) -> Any:
    """What JSON can hold: infinities are the strings that models have for them."""
    if isinstance(value, dict):
        return {key: _sayable(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_sayable(each) for each in value]
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value
