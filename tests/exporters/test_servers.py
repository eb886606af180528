"""Servers side by side."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url


def test_a_mariadb_server_keeps_its_temporary_tables_to_itself(mariadb_url: str) -> None:
    """A server that starts deletes the temporary tables it finds, so a folder for all would lose those of others."""
    own = Path(str(make_url(mariadb_url).query["unix_socket"])).parent
    with create_engine(mariadb_url).connect() as connection:
        (folder,) = connection.execute(text("SELECT @@tmpdir")).one()
    assert Path(folder).resolve() == own.resolve()
