"""Servers for the tests, gone afterwards, and R."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack

import pytest

from scrutable.errors import PluginError
from scrutable.testing.servers import mariadb_server, mysql_server, postgres_server
from scrutable_r import engine


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """Connection to a PostgreSQL server of this test session's own."""
    with postgres_server() as url:
        yield url


@pytest.fixture(scope="session")
def mariadb_url() -> Iterator[str]:
    """Connection to a MariaDB server of this test session's own."""
    yield from _served(mariadb_server)


@pytest.fixture(scope="session")
def mysql_url() -> Iterator[str]:
    """Connection to a MySQL server of this test session's own."""
    yield from _served(mysql_server)


def _served(start: Callable[[], AbstractContextManager[str]]) -> Iterator[str]:
    """The URL of a server that PyMySQL connects to; without either the test is skipped."""
    pytest.importorskip("pymysql", reason="the driver PyMySQL is not installed")
    with ExitStack() as servers:
        try:
            url = servers.enter_context(start())
        except PluginError as error:
            pytest.skip(str(error))
        yield url


@pytest.fixture(scope="session")
def rscript() -> str:
    """The path of Rscript; without R the test is skipped."""
    try:
        return engine.find()
    except PluginError as error:
        pytest.skip(f"R (Rscript) is not here: {error}")
