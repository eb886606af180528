"""Which exporter runs on an engine, by the engine's name or address."""

from __future__ import annotations

import inspect
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


def exporter_at(engine: str, **options: Any) -> Exporter:
    """An exporter whose `run` starts the engine.

    Parameters
    ----------
    engine : a name of `engine_names`, or an URL whose scheme begins with one, as SQLAlchemy writes it.
    options : of the exporter.

    Raises
    ------
    InputError : no exporter runs on it, or an option is not one of the exporter's.
    PluginError : something that the exporter needs is not installed.

    Examples
    --------
    >>> type(exporter_at("duckdb", table="loans")).__name__
    'SQLExporter'
    """
    known = engine_names()
    scheme = engine.partition(":")[0].partition("+")[0].casefold()
    if scheme not in known:
        raise InputError(
            "no exporter runs on it",
            where="engine",
            got=scheme,
            allowed=f"{', '.join(sorted(known))}, or the URL of a database",
            fix=did_you_mean(scheme, known),
        )
    exporter = registry().load("exporter", known[scheme])
    parameters = inspect.signature(exporter).parameters
    for option in options:
        if option not in parameters:
            where = f"exporter {known[scheme]!r}"
            raise InputError("unknown option", where=where, got=option, fix=did_you_mean(option, parameters))
    made: Exporter = exporter.at(engine, **options)
    return made
