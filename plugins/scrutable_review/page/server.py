"""The server of the page: this machine only, and only for whoever knows the secret in its address."""

from __future__ import annotations

import sys
from typing import Any

from scrutable_review.page.handler import Handler
from scrutable_review.page.session import ReviewSession
from scrutable_review.page.site import Site


class ReviewServer(Site):
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
        super().__init__(session, port=port, handler=Handler)

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
