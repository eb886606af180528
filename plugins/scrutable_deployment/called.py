"""Functions that are deployed: what the catalogue says of them, and what the exporter makes for the same model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scrutable import create
from scrutable.errors import InputError
from scrutable.model import Model, features_read
from scrutable_deployment.catalogues import Deployed
from scrutable_deployment.database import Database, opened
from scrutable_deployment.names import Named, apart, in_quotes, spoken

#: Dialects whose functions are read.
CALLED = ("postgres", "duckdb")
#: What a function of PostgreSQL is beside its text, and what the exporter makes it.
_TRAITS = {"language": "sql", "volatility": "s", "strict": False, "security definer": False, "settings": None}
_BODY = re.compile(r" AS \$(\w+)\$(.*)\$\1\$", re.DOTALL)
#: The argument of a macro that is called with the name of a table.
_TABLE = ["name_of_table"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """A function as the database holds it.

    Parameters
    ----------
    name : of it. text : its definition, as the catalogue gives it.
    arguments : type by name, in order; empty types where the engine declares none.
    columns : the results that the database knows before a call, type by name.
    traits : what else the database says of it, by what that is.
    """

    name: Named
    text: str
    arguments: dict[str, str]
    columns: dict[str, str] = field(default_factory=dict)
    traits: Mapping[str, Any] = field(default_factory=dict)

    @property
    def of_table(self) -> bool:
        """Whether it is called with the name of a table."""
        return list(self.arguments) == _TABLE

    def deployed(self, columns: dict[str, str]) -> Deployed:
        """The function as something that gives columns."""
        return Deployed(name=self.name, kind="function", text=self.text, columns=columns)


def find_called(database: Database, name: Named) -> Called | None:
    """The function of a name; None where there is none, or the engine's are not read.

    Raises
    ------
    InputError : several have the name, with other arguments each.

    Examples
    --------
    >>> with opened("duckdb") as database:
    ...     database.run("CREATE MACRO twice (age) AS TABLE SELECT 2 * age AS score", "making a macro", "none")
    ...     find_called(database, "twice")
    Called(name='twice', text='SELECT (2 * age) AS score', arguments={'age': ''}, columns={}, traits={})
    """
    if database.dialect.name not in CALLED:
        return None
    several = (_postgres if database.dialect.name == "postgres" else _duckdb)(database, name)
    if len(several) > 1:
        raise InputError(
            "several functions have this name",
            where=f"{database.dialect.title}, name",
            got="; ".join(
                ", ".join(f"{key} {kind}".strip() for key, kind in each.arguments.items()) for each in several
            ),
            fix="drop those that nobody calls, or write schema.name",
        )
    return several[0] if several else None


def differs(database: Database, model: Model, called: Called, deployed: Deployed, columns: Mapping[str, str]) -> str:
    """How the definition differs from what the exporter makes of the model with the same arguments and results.

    Parameters
    ----------
    deployed : the function with the columns that it gives. columns : column or argument by feature.

    Returns
    -------
    words; nothing where it is the very same.
    """
    unlike = [name for name, value in _TRAITS.items() if called.traits and called.traits[name] != value]
    if unlike:
        told = ", ".join(f"{name} {called.traits[name]}" for name in unlike)
        return f"it is no function as the exporter makes it: {told}"
    if _expected(database, model, called, deployed, columns) == called.text:
        return ""
    return "its text is another than this version of Scrutable exports for the model with these arguments and results"


def _expected(
    database: Database, model: Model, called: Called, deployed: Deployed, columns: Mapping[str, str]
) -> str | None:
    """The definition that the database would hold of the exporter's function."""
    results = list(deployed.columns)
    reasons = [name for name in results if name.removeprefix("declined_").startswith("reason_")]
    first = next((place for place, name in enumerate(results) if name in ("score", "probability", "approved")), 0)
    read = {feature.name for feature in features_read(model)}
    exporter: Any = create(
        "exporter",
        "sql",
        dialect=database.dialect.name,
        form="set" if called.of_table else "function",
        name=apart(called.name)[1],
        ids=results[:first] if called.of_table else (),
        columns={feature: column for feature, column in columns.items() if feature in read},
        booleans=[feature for feature, column in columns.items() if called.arguments.get(column) == "boolean"],
        reasons=len(reasons),
        reasons_for="declined" if any(name.startswith("declined_") for name in reasons) else "all",
        shortfalls=any(name.startswith(("short_", "declined_short_")) for name in results),
        points=any(name.startswith("points_") or name == "rules" for name in results),
        status="status" in results,
    )
    text = str(exporter.export(model).text)
    if database.dialect.name == "postgres":
        body = _BODY.search(text)
        return None if body is None else body.group(2)
    with opened("duckdb") as own:  # of the same library, which writes a definition anew
        own.run(text, "making the exported macro", "none")
        [made] = _duckdb(own, apart(called.name)[1])
    return made.text


def _postgres(database: Database, name: Named) -> list[Called]:
    schema, own = apart(name)
    place = (
        "pg_catalog.pg_function_is_visible(p.oid)"
        if schema is None
        else f"p.pronamespace = pg_catalog.to_regnamespace({database.literal(in_quotes(schema))})"
    )
    rows = database.rows(
        "SELECT CAST(p.oid AS BIGINT), p.prosrc, l.lanname, CAST(p.provolatile AS TEXT), p.proisstrict, p.prosecdef,"
        " pg_catalog.array_to_string(p.proconfig, ', '), a.name, pg_catalog.format_type(a.type, NULL),"
        " CAST(a.mode AS TEXT) FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang"
        " LEFT JOIN LATERAL ROWS FROM ("
        "pg_catalog.unnest(COALESCE(p.proallargtypes, CAST(CAST(p.proargtypes AS TEXT) AS oidvector)::oid[])),"
        " pg_catalog.unnest(p.proargnames), pg_catalog.unnest(p.proargmodes)) WITH ORDINALITY AS a(type, name, mode, n)"
        f" ON true WHERE p.proname = {database.literal(own)} AND {place} AND p.prokind = 'f' ORDER BY p.oid, a.n",
        "asking the catalogue",
        "SELECT on the database's catalogue",
    )
    several: dict[int, Called] = {}
    for number, text, *traits, argument, kind, mode in rows:
        told = dict(zip(_TRAITS, traits, strict=True))
        one = several.setdefault(number, Called(name=name, text=text, arguments={}, traits=told))
        if argument is not None:
            (one.columns if mode in ("t", "o") else one.arguments)[argument] = kind
    return list(several.values())


def _duckdb(database: Database, name: Named) -> list[Called]:
    schema, own = apart(name)
    place = database.dialect.catalogue.current if schema is None else database.literal(schema)
    rows = database.rows(
        f"SELECT macro_definition, parameters FROM duckdb_functions() WHERE function_name = {database.literal(own)}"
        f" AND schema_name = {place} AND database_name = current_database() AND function_type = 'table_macro'",
        "asking the catalogue",
        "none",
    )
    return [Called(name=name, text=str(text), arguments=dict.fromkeys(names, "")) for text, names in rows]


def call_of(database: Database, called: Called, given: list[str]) -> str:
    """A call with some values as SQL, each cast to what the function takes.

    >>> with opened("duckdb") as database:
    ...     call_of(database, Called(name="score", text="", arguments={"age": ""}), ["r.age"])
    '"score"(r.age)'
    """
    types = called.arguments.values()
    values = [f"CAST({value} AS {kind})" if kind else value for value, kind in zip(given, types, strict=True)]
    return f"{database.quoted(called.name)}({', '.join(values)})"


def title_of(called: Called) -> str:
    """The kind and the name.

    >>> title_of(Called(name=("risk", "score"), text="", arguments={}))
    'function risk.score'
    """
    return f"function {spoken(called.name)}"
