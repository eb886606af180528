"""The server of the page: this machine only, and only for whoever knows the secret in its address."""

from __future__ import annotations

import secrets
import sys
import threading
from http.server import ThreadingHTTPServer
from importlib import resources
from typing import Any

from scrutable.writing.visible import javascript
from scrutable_review.page.handler import ONCE, Handler
from scrutable_review.page.session import ReviewSession

#: The page's files, and what each is.
_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}


class ReviewServer(ThreadingHTTPServer):
    """A server of one review on 127.0.0.1.

    The address of the page has a secret path in it, made anew for each server. Without it every request is refused, so
    that neither other users of the machine nor pages of other sites reach the data; the Host and Origin headers are
    checked besides.

    Parameters
    ----------
    port : 0 takes one that is free.

    Raises
    ------
    OSError : the port is taken.

    Examples
    --------
    >>> server = ReviewServer(session)  # doctest: +SKIP
    >>> print(server.address)  # doctest: +SKIP
    http://127.0.0.1:40321/5vUQXnQ0w2uJ1FvXlJ0b2Q/
    >>> server.run()  # doctest: +SKIP
    """

    daemon_threads = True

    def __init__(self, session: ReviewSession, *, port: int = 0) -> None:
        self.session = session
        self.token = secrets.token_urlsafe(24)
        self._tickets: set[str] = set()
        self.files = _files()
        super().__init__(("127.0.0.1", port), Handler)

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

    def run(self) -> None:
        """Serve until the page says that the review is finished, or somebody interrupts; then close the port."""
        try:
            self.serve_forever(poll_interval=0.1)
        finally:
            self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a browser that went away before its answer came; anything else is shown."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def finish(self) -> None:
        """Stop serving, from a thread that is answering a request."""
        threading.Thread(target=self.shutdown, daemon=True).start()


def _files() -> dict[str, tuple[str, bytes]]:
    """Type and content of each file of the page, by name; the page itself also has the empty name."""
    folder = resources.files("scrutable_review.page") / "static"
    found = {
        file.name: (_TYPES[suffix], file.read_bytes())
        for file in folder.iterdir()
        if (suffix := "." + file.name.rpartition(".")[2]) in _TYPES
    }
    shared = (_TYPES[".js"], f"{javascript()}\nexport {{ visible }};\n".encode())
    return found | {"": found["page.html"], "visible.js": shared}
