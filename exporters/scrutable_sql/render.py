"""From a statement as data to its text."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import jinja2

from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Column, Step
from scrutable_sql.quoting import comment, parts, qualified


def render(header: Sequence[str], steps: Sequence[Step], results: Sequence[Column], options: SQLOptions) -> str:
    """The text of a statement.

    Parameters
    ----------
    header : lines of words; cleaned here.
    steps : the common table expressions, the first of which reads the table.
    results : the columns of the final SELECT.
    """
    engine = options.engine
    create = "" if options.name is None else f"CREATE {options.form.upper()} {qualified(options.name, engine)} AS\n"
    return _template().render(
        header=[comment(line) for line in header],
        create=create,
        steps=steps,
        results=results,
        fence=engine.fence,
        table=qualified(options.table, engine),
        prefix=_prefix([step.name for step in steps], options),
    )


def _prefix(names: Sequence[str], options: SQLOptions) -> str:
    """What sets the names of steps apart from the table's: SQLite takes a table named like a step for that step."""
    prefix, taken = "", parts(options.table)[-1].casefold()
    while any(f"{prefix}{step}" == taken for step in names):
        prefix += "step_"
    return prefix


@functools.cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("scrutable_sql"),
        autoescape=False,  # this is no HTML; texts are quoted before they get here
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    return environment.get_template("statement.sql.jinja")
