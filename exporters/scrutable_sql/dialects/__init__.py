"""The dialect table: everything in which the engines differ."""

from __future__ import annotations

from scrutable import registry
from scrutable.errors import InputError, did_you_mean
from scrutable.plugins.bases import Bits, Calling, Dialect, Reading
from scrutable_sql.dialects.emitted import EMITTED
from scrutable_sql.dialects.proven import PROVEN

#: The dialects of this package; those of other plugins come by the hook `scrutable_dialects`.
DIALECTS: dict[str, Dialect] = {dialect.name: dialect for dialect in (*PROVEN, *EMITTED)}

__all__ = ["DIALECTS", "EMITTED", "PROVEN", "Bits", "Calling", "Dialect", "Reading", "dialect_named", "other_dialects"]


def dialect_named(name: str) -> Dialect:
    """The dialect of a name, ours or a plugin's.

    Raises
    ------
    InputError : there is none.
    PluginError : the plugin that has it cannot be used, or several claim the name.

    Examples
    --------
    >>> dialect_named("tsql").title
    'SQL Server'
    """
    if name in DIALECTS:
        return DIALECTS[name]
    if any(listing.is_called(name) for listing in registry().listings("dialect")):
        dialect: Dialect = registry().load("dialect", name)
        return dialect
    names = [*DIALECTS, *other_dialects()]
    raise registry().cause(name, "dialect") or InputError(
        "unknown dialect", where="option dialect", got=name, allowed=", ".join(names), fix=did_you_mean(name, names)
    )


def other_dialects() -> list[str]:
    """The names of the dialects of other plugins."""
    return [name for name in registry().names("dialect") if name not in DIALECTS]
