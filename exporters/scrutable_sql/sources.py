"""What a statement reads: a table, what is new in it, or the values that it is called with."""

from __future__ import annotations

import re
from collections.abc import Callable

from scrutable.errors import UnsupportedModel
from scrutable.model import Feature, Model, features_read
from scrutable_sql import dbt
from scrutable_sql.dialects import Calling
from scrutable_sql.new_rows import new_rows
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Step
from scrutable_sql.quoting import name, qualified

_PLAIN = re.compile("[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def source(model: Model, options: SQLOptions) -> str:
    """What stands after FROM."""
    if options.called:
        return _arguments(model, options)
    if options.form == "set":
        assert options.target.calling_table is not None, "checked before"
        return options.target.calling_table[1]
    if options.new_only and options.form == "insert":
        assert options.name is not None, "checked before"
        return new_rows(dbt.relation(options), qualified(options.name, options.target), options)
    return dbt.NEW_ROWS if options.new_only else dbt.relation(options)


def refuse(model: Model, options: SQLOptions) -> None:
    """Refuse what a dialect cannot call."""
    d = options.target
    if options.called and d.calling is None:
        raise UnsupportedModel(
            f"{d.title} has nothing that is called with values and returns a row, or none that could be tried",
            where="option form",
            got="function",
            fix="use form='view' and a filter on its key",
        )
    if options.form == "set" and d.calling_table is None:
        lateral = d.calling is not None and "JOIN LATERAL" in d.calling.called
        raise UnsupportedModel(
            f"{d.title} has no function that is called with a table, or none that could be tried",
            where="option form",
            got="set",
            fix="use form='function', joined LATERAL to the table" if lateral else "use form='view'",
        )
    if options.called and d.calling is not None and d.calling.plain:
        for feature in features_read(model):
            if not _PLAIN.fullmatch(options.column(feature.name)):
                raise UnsupportedModel(
                    f"{d.title} has no such name of an argument",
                    where="form 'function'",
                    got=options.column(feature.name),
                    allowed="letters of ASCII, digits and underscores, no digit first",
                    fix="give the argument another name with columns=",
                )


def refuse_mixed_up(model: Model, steps: tuple[Step, ...], results: tuple[str, ...], options: SQLOptions) -> None:
    """Refuse arguments with the name of a column of a step or a result, which engines take for one another."""
    if not options.called:
        return
    d = options.target
    taken = {column.name.strip('"`').casefold() for step in steps for column in step.columns}
    taken |= {result.casefold() for result in results}
    for feature in features_read(model):
        column = options.column(feature.name)
        if column.casefold() in taken:
            raise UnsupportedModel(
                f"{d.title} would take the argument for a column that the statement makes",
                where="form 'function'",
                got=column,
                fix="give the argument another name with columns=",
            )


def opening(
    model: Model, results: tuple[tuple[str, str], ...], body: Callable[[], str], options: SQLOptions
) -> tuple[str, str]:
    """What stands before a query and after it, so that it can be called.

    Parameters
    ----------
    results : name and type of each column that comes back.
    body : gives the query, which no tag may be in; asked where the dialect has tags.
    """
    d = options.target
    assert options.name is not None, "checked before"
    called = qualified(options.name, d)
    if options.form == "set":
        assert d.calling_table is not None, "checked before"
        return d.calling_table[0].format(name=called), ""
    assert d.calling is not None, "checked before"
    words = {
        "name": called,
        "arguments": ", ".join(_declared(feature, d.calling, options) for feature in features_read(model)),
        "results": ", ".join(d.calling.result.format(name=name(key, d), type=kind) for key, kind in results),
        "tag": _tag(body()) if "{tag}" in d.calling.opening else "",
    }
    return d.calling.opening.format(**words), d.calling.closing.format(**words)


def _tag(body: str) -> str:
    """What a text does not hold."""
    tag = "score"
    while tag in body:
        tag += "_"
    return tag


def _arguments(model: Model, options: SQLOptions) -> str:
    """One row of what the query is called with."""
    d = options.target
    assert d.calling is not None, "checked before"
    values = []
    for feature in features_read(model):
        column = options.column(feature.name)
        value = d.calling.value.format(name=_called(column, d.calling, options), type=_type(feature, options))
        values.append(f"CAST({value} AS {_type(feature, options, cast=True)}) AS {name(column, d)}")
    return f"(SELECT {', '.join(values)}{d.nowhere})"


def _declared(feature: Feature, calling: Calling, options: SQLOptions) -> str:
    called = _called(options.column(feature.name), calling, options)
    return calling.argument.format(name=called, type=_type(feature, options))


def _called(column: str, calling: Calling, options: SQLOptions) -> str:
    return column if calling.plain else name(column, options.target)


def _type(feature: Feature, options: SQLOptions, *, cast: bool = False) -> str:
    d = options.target
    if feature.name in options.booleans:
        return d.stored_boolean
    if cast:
        return d.double if feature.kind == "numeric" else d.text
    return d.stored(feature.kind)
