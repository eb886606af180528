"""What stands around a query, so that it creates a view, a table or a function, or adds to a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from scrutable.model import Model
from scrutable.model.program import Program, lowered, sort_of
from scrutable_sql import dbt, sources
from scrutable_sql.common import COUNTS, Plan
from scrutable_sql.dbt_versions import versions_of
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Column
from scrutable_sql.quoting import name, qualified
from scrutable_sql.render import Around, templates


def around(model: Model, plan: Plan, body: Callable[[], str], options: SQLOptions) -> Around:
    """What the form of a statement puts around its query.

    Parameters
    ----------
    body : gives the query by itself, which takes a while.
    """
    d = options.target
    if options.name is None or options.form in ("select", "dbt"):
        return Around()
    named = qualified(options.name, d)
    if options.form == "insert":
        columns = [*options.ids, *(result.name for result in plan.results), *options.marks]
        insert = f"INSERT INTO {named} ({', '.join(name(column, d) for column in columns)})\n"
        return Around(between=insert) if d.with_first else Around(before=insert)
    if options.form in ("function", "set"):
        before, after = sources.opening(model, types(lowered(model), plan, options), body, options)
        return Around(before=before, after=after)
    create = "CREATE VIEW {} AS" if options.form == "view" else d.create_table
    assert create is not None, "checked before"
    return Around(before=f"{create.format(named)}\n")


def described(header: Sequence[str], model: Model, plan: Plan, options: SQLOptions) -> str:
    """What dbt is told of a model: its columns, their types and tests, and a contract where all types are known."""
    ids = [(text, "as it is in the table", options.id_types.get(text, "")) for text in options.ids]
    about = {result.name: result.about for result in plan.results}
    results = [(key, about[key], kind) for key, kind in types(lowered(model), plan, options)]
    tested: dict[str, tuple[str, ...]] = dict.fromkeys(("approved", "predicted", "score"), ("not_null",))
    tested |= {} if options.key is None else {options.key: ("unique", "not_null")}
    columns = [
        {
            "name": dbt.yaml(key),
            "about": dbt.yaml(words),
            "kind": dbt.yaml(kind) if kind else "",
            "tests": tested.get(key, ()),
        }
        for key, words, kind in (*ids, *results)
    ]
    return (
        templates()
        .get_template("model.yml.jinja")
        .render(
            name=options.name,
            description=dbt.yaml("\n".join(header)),
            enforced=has_contract(options),
            columns=columns,
            version=options.version,
            latest=options.latest or options.version,
            earlier=versions_of(options.earlier),
        )
    )


def has_contract(options: SQLOptions) -> bool:
    """Whether dbt knows the type of every column of the model, and makes something that has types."""
    known = all(key in options.id_types for key in options.ids)
    return options.form == "dbt" and known and options.materialized != "ephemeral"


def of_type(result: Column, told: tuple[str, str]) -> Column:
    """A result that is of the type that dbt is told, to the letter."""
    return replace(result, cast=told[1])


def types(program: Program, plan: Plan, options: SQLOptions) -> tuple[tuple[str, str], ...]:
    """Name and type of each result."""
    d = options.target
    kinds = {"number": d.stored("numeric"), "text": d.stored("categorical")}
    told = {output.name: sort_of(program, output.of) for output in program.outputs}
    return tuple(
        (each.name, d.stored_integer if each.name in COUNTS else kinds.get(told[each.name], d.stored_integer))
        for each in plan.results
    )
