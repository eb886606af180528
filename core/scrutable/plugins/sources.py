"""What stands in the place of a frame and is none, such as a relation of a database: the source that a plugin makes."""

from __future__ import annotations

from typing import Any

from scrutable.data import Source
from scrutable.plugins.bases.source import RowSource
from scrutable.plugins.choices import Choice
from scrutable.plugins.reading_values import checked_options
from scrutable.plugins.registry import registry


def source_of(given: Any) -> Source | None:
    """The source of rows that something is, or None of frames, arrays and whatever no plugin knows.

    A plugin is imported only for objects of a package that its descriptor names in `accepts`.

    Raises
    ------
    PluginError : the plugin lacks a library.
    InputError : rows that the plugin knows and cannot read.

    Examples
    --------
    >>> source_of({"age": [41, 17]})
    """
    if isinstance(given, Source):
        return given
    packages = {base.__module__.partition(".")[0] for base in type(given).__mro__}
    for listing in registry().listings("source"):
        if packages & {*listing.component.accepts}:
            source: Source | None = registry().load("source", listing.name).taken(given)
            if source is not None:
                return source
    return None


def opened_source(chosen: str, place: str, where: str = "--engine", **told: Any) -> RowSource:
    """The rows that a text names, read where they live by a source that is chosen by its name.

    Parameters
    ----------
    chosen : its name, with options behind a colon as in `Choice.parse`.
    where : how errors call the choice.
    told : further options, which it need not know; those in `chosen` win.

    Raises
    ------
    InputError, PluginError : no such source, an option that it does not have, or a place that it cannot read.
    """
    choice = Choice.parse(chosen, where)
    opened = registry().load("source", choice.name).opened
    options = checked_options(opened, choice.all_options, f"source {choice.name!r}")
    given = {name: value for name, value in told.items() if value and name not in options}
    source: RowSource = opened(place, **checked_options(opened, given, where), **options)
    return source
