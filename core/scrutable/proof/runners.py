"""Which exporter runs on an engine, by the engine's name or address."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scrutable.errors import InputError, did_you_mean
from scrutable.plugins.bases import Exporter
from scrutable.plugins.claims import qualified
from scrutable.plugins.failures import cannot_be_used, why_unknown
from scrutable.plugins.origins import OURS
from scrutable.plugins.registry import registry


def engine_names() -> dict[str, str]:
    """The name of the exporter by the name of each engine that installed exporters run on.

    A name is Scrutable's own if an exporter of ours has it, whoever else claims it. Others who do are reached with
    their distribution before it, as `distribution:engine`.

    >>> engine_names()["duckdb"]
    'sql'
    """
    names = {engine: listing.name for engine, listing in registry().engines.items()}
    for conflict in registry().conflicts:
        if conflict.what == "engine" and not conflict.repeated:
            names |= {qualified(each.home, conflict.name): each.qualified for each in conflict.others}
    return names


def exporter_name(engine: str) -> str:
    """The name of the exporter that runs on an engine.

    Parameters
    ----------
    engine : the engine's name, or an URL, each also with a distribution before it: `distribution:engine`.

    Raises
    ------
    InputError : no exporter runs on it, or several claim its name.
    """
    known, (distribution, address) = engine_names(), _apart(engine)
    scheme = address.partition(":")[0].partition("+")[0]
    name = qualified(distribution, scheme) if distribution else scheme
    if name in known:
        return known[name]
    owner = registry().engines.get(scheme)
    if distribution and owner is not None and qualified(owner.home, scheme) == name:
        return owner.name
    for conflict in registry().conflicts:
        if (conflict.what, conflict.name, conflict.owner) == ("engine", name, None):
            raise InputError(conflict.reason, where="engine", got=name, fix=conflict.fix)
    lost = registry().withheld.get(("engine", scheme)) if distribution in ("", OURS) else None
    if lost is not None:
        what, fix = cannot_be_used(lost, "runs on it")
        raise InputError(what, where="engine", got=name, fix=fix)
    what, fix = why_unknown(name, registry().unusable, _near(name, known))
    if what:
        raise InputError(what, where="engine", got=name, fix=fix)
    own = [name for name, exporter in known.items() if exporter == scheme]
    raise InputError(
        "no exporter runs on it",
        where="engine",
        got=name,
        allowed=f"{', '.join(sorted(known))}, or the URL of a database",
        fix=f"for the exporter {scheme!r} name {' or '.join(map(repr, own))}" if own else fix or None,
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
    >>> type(exporter_at("scrutable:duckdb")).__name__
    'SQLExporter'
    """
    made: Exporter = registry().load("exporter", exporter_name(engine)).at(_apart(engine)[1], **options)
    return made


def _apart(engine: str) -> tuple[str, str]:
    """A distribution, or nothing, and the engine's name or URL behind it, whose scheme is in small letters.

    >>> _apart("DuckDB"), _apart("tiny:duckdb"), _apart("sqlite:///:memory:"), _apart("tiny:sqlite:///A.db")
    (('', 'duckdb'), ('tiny', 'duckdb'), ('', 'sqlite:///:memory:'), ('tiny', 'sqlite:///A.db'))
    """
    scheme, slashes, rest = engine.partition("://")
    distribution, _, name = scheme.rpartition(":")
    return distribution, f"{name.casefold()}{slashes}{rest}"


def _near(scheme: str, known: Iterable[str]) -> str:
    close = did_you_mean(scheme, known)
    return close if close.startswith("did you mean") else ""
