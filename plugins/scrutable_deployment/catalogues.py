"""What a database says of a thing that it holds: its kind, its text, the types of its columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from scrutable.errors import InputError
from scrutable_deployment.database import Database
from scrutable_deployment.names import Named, apart, in_quotes, spoken

Kind = Literal["view", "table", "function"]
#: Kind and text of what has a name; None where nothing has.
Said = tuple[Kind, str | None] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployed:
    """A view, table or function as the database holds it.

    Parameters
    ----------
    text : the query of a view or the definition of a function, as the database gives it back; None for a table.
    columns : type by name, as the database calls it, in order.
    """

    name: Named
    kind: Kind
    text: str | None
    columns: dict[str, str]

    @property
    def title(self) -> str:
        """The kind and the name."""
        return f"{self.kind} {spoken(self.name)}"


def read_deployed(database: Database, name: Named) -> Deployed:
    """The view or table of a name.

    Raises
    ------
    InputError : nothing has that name, or the user may not read its text.
    """
    deployed = find_deployed(database, name)
    if deployed is None:
        raise InputError(
            "no view or table of that name, or none that the user may see",
            where=f"{database.dialect.title}, name",
            got=spoken(name),
            allowed="a view or table; where it is verified, also a function of PostgreSQL or DuckDB",
            fix="write schema.name as the database spells it; the user needs SELECT on it",
        )
    if deployed.kind == "view" and not deployed.text:
        raise InputError(
            "the user may not read the text of the view",
            where=f"{database.dialect.title}, view {spoken(name)}",
            allowed="SHOW VIEW",
            fix=f"GRANT SHOW VIEW ON {spoken(name)} TO the user",
        )
    return deployed


def find_deployed(database: Database, name: Named) -> Deployed | None:
    """The view or table of a name, None where nothing has it; the text is empty where the user may not read it."""
    said = find_text(database, name)
    if said is None:
        return None
    kind, text = said
    columns = _READERS[database.dialect.name][1](database, name)
    told = {str(column): str(type_ or "") for column, type_ in columns}
    return Deployed(name=name, kind=kind, text=text, columns=told)


def find_text(database: Database, name: Named) -> Said:
    """Kind and text of what has a name, also of a view that lost what it reads; else as `find_deployed`.

    Examples
    --------
    >>> from scrutable_deployment.database import opened
    >>> with opened("sqlite") as database:
    ...     database.run("CREATE VIEW a AS SELECT b FROM c", "making a view", "none")
    ...     find_text(database, "a"), find_text(database, "c")
    (('view', 'CREATE VIEW a AS SELECT b FROM c'), None)
    """
    return _READERS[database.dialect.name][0](database, name)


def _asked(database: Database, text: str) -> list[tuple[object, ...]]:
    return database.rows(text, "asking the catalogue", "SELECT on the database's catalogue")


def _first(rows: list[tuple[object, ...]]) -> Said:
    if not rows:
        return None
    kind, text = rows[0]
    return ("view", str(text or "")) if kind == "view" else ("table", None)


def _postgres(database: Database, name: Named) -> Said:
    return _first(
        _asked(
            database,
            "SELECT CASE WHEN relkind IN ('v', 'm') THEN 'view' ELSE 'table' END,"
            " CASE WHEN relkind IN ('v', 'm') THEN pg_catalog.pg_get_viewdef(oid) END"
            f" FROM pg_catalog.pg_class WHERE oid = pg_catalog.to_regclass({database.literal(in_quotes(name))})",
        )
    )


def _postgres_columns(database: Database, name: Named) -> list[tuple[object, ...]]:
    return _asked(
        database,
        "SELECT attname, CASE typtype WHEN 'e' THEN 'enum' WHEN 'd' THEN pg_catalog.format_type(typbasetype, typtypmod)"
        " ELSE pg_catalog.format_type(atttypid, atttypmod) END"
        " FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid"
        f" WHERE attrelid = pg_catalog.to_regclass({database.literal(in_quotes(name))})"
        " AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
    )


def _duckdb(database: Database, name: Named) -> Said:
    place = _place(database, name, "schema_name")
    here = f"{place} AND database_name = current_database()"
    views = _asked(
        database, f"SELECT 'view', sql FROM duckdb_views() WHERE view_name = {_own(database, name)} AND {here}"
    )
    tables = f"SELECT 'table', NULL FROM duckdb_tables() WHERE table_name = {_own(database, name)} AND {here}"
    return _first(views or _asked(database, tables))


def _duckdb_columns(database: Database, name: Named) -> list[tuple[object, ...]]:
    place = _place(database, name, "schema_name")
    return _asked(
        database,
        "SELECT column_name, data_type FROM duckdb_columns()"
        f" WHERE table_name = {_own(database, name)} AND {place} AND database_name = current_database()"
        " ORDER BY column_index",
    )


def _sqlite(database: Database, name: Named) -> Said:
    schema, own = apart(name)
    catalogue = f"{database.quoted(schema or 'main')}.sqlite_master"
    text = f"SELECT type, sql FROM {catalogue} WHERE type IN ('view', 'table') AND name = {database.literal(own)}"
    return _first(_asked(database, f"{text} COLLATE NOCASE"))


def _sqlite_columns(database: Database, name: Named) -> list[tuple[object, ...]]:
    schema, own = apart(name)
    place = f", {database.literal(schema)}" if schema else ""
    return _asked(database, f"SELECT name, type FROM pragma_table_info({database.literal(own)}{place})")


def _clickhouse(database: Database, name: Named) -> Said:
    place = _place(database, name, "database")
    return _first(
        _asked(
            database,
            "SELECT if(engine IN ('View', 'MaterializedView'), 'view', 'table'), as_select"
            f" FROM system.tables WHERE name = {_own(database, name)} AND {place}",
        )
    )


def _clickhouse_columns(database: Database, name: Named) -> list[tuple[object, ...]]:
    place = _place(database, name, "database")
    text = f"SELECT name, type FROM system.columns WHERE table = {_own(database, name)} AND {place}"
    return _asked(database, f"{text} ORDER BY position")


def _mariadb(database: Database, name: Named) -> Said:
    place = _place(database, name, "t.TABLE_SCHEMA")
    return _first(
        _asked(
            database,
            "SELECT CASE WHEN t.TABLE_TYPE = 'VIEW' THEN 'view' ELSE 'table' END, v.VIEW_DEFINITION"
            " FROM information_schema.TABLES AS t LEFT JOIN information_schema.VIEWS AS v"
            " ON v.TABLE_SCHEMA = t.TABLE_SCHEMA AND v.TABLE_NAME = t.TABLE_NAME"
            f" WHERE t.TABLE_NAME = {_own(database, name)} AND {place}",
        )
    )


def _mariadb_columns(database: Database, name: Named) -> list[tuple[object, ...]]:
    place = _place(database, name, "TABLE_SCHEMA")
    text = f"SELECT COLUMN_NAME, COLUMN_TYPE FROM information_schema.COLUMNS WHERE TABLE_NAME = {_own(database, name)}"
    return _asked(database, f"{text} AND {place} ORDER BY ORDINAL_POSITION")


def _own(database: Database, name: Named) -> str:
    return database.literal(apart(name)[1])


def _place(database: Database, name: Named, column: str) -> str:
    schema, _ = apart(name)
    return f"{column} = {database.dialect.catalogue.current if schema is None else database.literal(schema)}"


_Ask = Callable[[Database, Named], Said]
_Columns = Callable[[Database, Named], list[tuple[object, ...]]]
_READERS: dict[str, tuple[_Ask, _Columns]] = {
    "postgres": (_postgres, _postgres_columns),
    "duckdb": (_duckdb, _duckdb_columns),
    "sqlite": (_sqlite, _sqlite_columns),
    "clickhouse": (_clickhouse, _clickhouse_columns),
    "mariadb": (_mariadb, _mariadb_columns),
}
