"""What a server of the page serves, and to whom: whoever knows the secret in its address."""

from __future__ import annotations

import secrets
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources

from scrutable.writing import javascript
from scrutable_review.page.session import ReviewSession

#: The first part of the path of addresses that work once.
ONCE = "once"
#: The page's files, and what each is.
_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}


class Site(ThreadingHTTPServer):
    """The page of one review on 127.0.0.1, its files and its addresses.

    Parameters
    ----------
    port : 0 takes one that is free.
    handler : answers each request.
    """

    def __init__(self, session: ReviewSession, *, port: int, handler: type[BaseHTTPRequestHandler]) -> None:
        self.session = session
        self.token = secrets.token_urlsafe(24)
        self._tickets: set[str] = set()
        self.files = _files()
        super().__init__(("127.0.0.1", port), handler)

    @property
    def hosts(self) -> tuple[str, ...]:
        """What browsers call this server, as a Host header says it."""
        return (f"127.0.0.1:{self.server_port}", f"localhost:{self.server_port}")

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://{self.hosts[0]}/{self.token}/"

    def address_once(self) -> str:
        """An address that leads on to the page, and works once."""
        ticket = secrets.token_urlsafe(24)
        self._tickets.add(ticket)
        return f"http://{self.hosts[0]}/{ONCE}/{ticket}"

    def take_ticket(self, ticket: str) -> bool:
        """Whether an address that works once still did; from now on it does not."""
        try:
            self._tickets.remove(ticket)
        except KeyError:
            return False
        return True

    def finish(self) -> None:
        """Stop serving, from a thread that is answering a request."""
        threading.Thread(target=self.shutdown, daemon=True).start()


def _files() -> dict[str, tuple[str, bytes]]:
    """Type and content of each file of the page, by name; the page itself also has the empty name."""
    folder = resources.files("scrutable_review.page") / "static"
    files = {
        file.name: (_TYPES[suffix], file.read_bytes())
        for file in folder.iterdir()
        if (suffix := "." + file.name.rpartition(".")[2]) in _TYPES
    }
    shared = (_TYPES[".js"], f"{javascript()}\nexport {{ visible }};\n".encode())
    return files | {"": files["page.html"], "visible.js": shared}
