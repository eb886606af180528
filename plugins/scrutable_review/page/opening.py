"""Opening the page in a browser without telling other users of the machine its address.

A browser gets what it shall open on its command line, which every local user can read in the list of processes. So it
gets a file that only this user can read, and that leads on to an address that works once.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from contextlib import contextmanager

from scrutable.writing import temporary_folder, write_whole

_PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={address}">
<title>Review of bins</title>
<p><a href="{address}">Go on to the review</a>. This link works once.</p>
</html>
"""


@contextmanager
def private_page(address: str) -> Iterator[str]:
    """The `file:` URI of a page that leads on to an address; only this user can read it, and only within this.

    Examples
    --------
    >>> with private_page("http://127.0.0.1:40321/once/5vUQXnQ0w2uJ1FvX") as uri:
    ...     uri.startswith("file:///"), uri.endswith("/review.html")
    (True, True)
    """
    with temporary_folder() as folder:
        path = folder / "review.html"
        write_whole(path, _PAGE.format(address=html.escape(address, quote=True)))
        path.chmod(0o600)
        yield path.as_uri()
