"""What stands in the place of a frame and is none, such as a relation of a database: the source that a plugin makes."""

from __future__ import annotations

from typing import Any

from scrutable.data import Source
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
