"""Which exporter runs on an engine, by the engine's name or address."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scrutable.bases import Exporter
from scrutable.errors import InputError, did_you_mean
from scrutable.registry import registry


def engine_names() -> dict[str, str]:
    """The name of the exporter by the name of each engine that installed exporters run on.

    >>> engine_names()["duckdb"]
    'sql'
    """
    listings = registry().listings("exporter")
    return {engine: listing.component.name for listing in listings for engine in listing.component.engines}


def exporter_name(engine: str) -> str:
    """The name of the exporter that runs on an engine, by the engine's name or an URL.

    Raises
    ------
    InputError : no exporter runs on it.
    """
    known = engine_names()
    scheme = engine.partition(":")[0].partition("+")[0].casefold()
    if scheme in known:
        return known[scheme]
    own = [name for name, exporter in known.items() if exporter == scheme]
    raise InputError(
        "no exporter runs on it",
        where="engine",
        got=scheme,
        allowed=f"{', '.join(sorted(known))}, or the URL of a database",
        fix=f"for the exporter {scheme!r} name {' or '.join(map(repr, own))}" if own else _near(scheme, known),
    )


def exporter_at(engine: str, **options: Any) -> Exporter:
    """An exporter whose `run` starts the engine.

    Parameters
    ----------
    engine : a name of `engine_names`, or an URL whose scheme begins with one, as SQLAlchemy writes it.
    options : of the exporter.

    Raises
    ------
    InputError : no exporter runs on it, or an option has a value that it cannot have.
    PluginError : something that the exporter needs is not installed.

    Examples
    --------
    >>> type(exporter_at("duckdb", table="loans")).__name__
    'SQLExporter'
    """
    made: Exporter = registry().load("exporter", exporter_name(engine)).at(engine, **options)
    return made


def _near(scheme: str, known: Iterable[str]) -> str | None:
    close = did_you_mean(scheme, known)
    return close if close.startswith("did you mean") else None
