"""The engines that exports can be run in here and now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from scrutable.errors import InputError, PluginError
from scrutable.plugins.bases import Exporter
from scrutable.proof import exporter_at
from scrutable.proof.runners import engine_names
from scrutable.testing.servers import mariadb_server, mysql_server, postgres_server

#: Engines that need a server of their own, and what starts it.
_SERVERS = {"postgresql": postgres_server, "mariadb": mariadb_server, "mysql": mysql_server}
#: Other names of engines that are among them.
_ALIASES = ("postgres",)


@contextmanager
def exporters_here(engines: Sequence[str] | None = None) -> Iterator[tuple[dict[str, Exporter], dict[str, str]]]:
    """Exporters by engine, their servers started for as long as the block lasts, and why others cannot be had.

    Parameters
    ----------
    engines : names or URLs; every name that installed exporters know if None.

    Examples
    --------
    >>> with exporters_here(["sqlite"]) as (found, absent):
    ...     list(found), absent
    (['sqlite'], {})
    """
    here: dict[str, Exporter] = {}
    absent: dict[str, str] = {}
    with ExitStack() as servers:
        for engine in engines or sorted(set(engine_names()) - set(_ALIASES)):
            try:
                start = _SERVERS.get(engine)
                exporter = exporter_at(engine if start is None else servers.enter_context(start()))
                exporter.engine()
                here[engine] = exporter
            except (InputError, PluginError) as error:
                absent[engine] = str(error)
        yield here, absent
