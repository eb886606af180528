"""The table of the inputs, before a version that reads it is switched to: its columns, its key, and its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scrutable.errors import InputError
from scrutable_deployment.catalogues import find_deployed
from scrutable_deployment.database import Database
from scrutable_deployment.names import Named, spoken


def check_table(database: Database, export: Any, table: Named, key: Sequence[str]) -> None:
    """Refuse a table that lacks columns, has them in types that cannot be read, or whose key names no row.

    Parameters
    ----------
    export : of the exporter `sql`, with its checks.

    Raises
    ------
    InputError : what is wrong, column by column.
    """
    source = find_deployed(database, table)
    if source is None:
        raise InputError(
            "no table or view of the inputs has this name, or none that the user may see",
            where="table",
            got=spoken(table),
            fix="give --table as schema.name, as the database spells it; the user needs SELECT on it",
        )
    missing = [each for each in key if each.casefold() not in map(str.casefold, source.columns)]
    if missing:
        raise InputError(
            "the table lacks columns of the key",
            where=f"{source.title}, key",
            got=", ".join(missing),
            allowed=", ".join(source.columns),
            fix="give --key as the database spells it",
        )
    wrong = _violations(database, export, "_columns.sql", table)
    if wrong:
        raise InputError(
            "the table does not have the columns that the model reads",
            where=source.title,
            got="; ".join(f"column {column!r}: {what}" for what, column, *_ in wrong),
            allowed="; ".join(f"{column!r} {allowed}" for _, column, _, allowed, _ in wrong),
            fix="; ".join(dict.fromkeys(str(fix) for *_, fix in wrong)) + "; or name it with --column",
        )
    rows_by_key(database, table, key)


def rows_in_doubt(database: Database, export: Any, table: Named) -> list[str]:
    """What is unusual about rows of the table, in words with counts; the model scores them, or gives them no score."""
    wrong = _violations(database, export, "_check.sql", table)
    return [f"{int(count):,} rows, column {column!r}: {what}; {fix}" for what, column, count, _, fix in wrong]


def rows_by_key(database: Database, table: Named, key: Sequence[str]) -> int:
    """How many rows a table has, each with a key of its own.

    Raises
    ------
    InputError : rows share a key, or have none.

    Examples
    --------
    >>> from scrutable_deployment.database import opened
    >>> with opened("sqlite") as database:
    ...     database.run("CREATE TABLE a AS SELECT 1 AS id UNION SELECT 2", "making a table", "none")
    ...     rows_by_key(database, "a", ["id"])
    2
    """
    quoted = database.quoted(table)
    keys = ", ".join(map(database.quoted, key))
    where = f"table {spoken(table)}, key {', '.join(key)}"
    none = " OR ".join(f"{each} IS NULL" for each in map(database.quoted, key))
    differing = count_rows(database, f"(SELECT DISTINCT {keys} FROM {quoted}) AS k", table)
    rows = count_rows(database, quoted, table)
    if differing != rows:
        raise InputError(
            "it names no row of its own: rows share a key",
            where=where,
            got=f"{rows:,} rows, {differing:,} keys",
            fix="give --key with the columns that name one row",
        )
    if missing := count_rows(database, f"{quoted} WHERE {none}", table):
        raise InputError(
            "it names no row where it is NULL",
            where=where,
            got=f"{missing:,} rows without a key",
            fix="give these rows a key, or --key with columns that are never NULL",
        )
    return rows


def count_rows(database: Database, quoted: str, name: Named) -> int:
    """How many rows something has that a query reads."""
    [[count]] = database.rows(f"SELECT COUNT(*) FROM {quoted}", f"counting {spoken(name)}", f"SELECT on {spoken(name)}")
    return int(count)


def _violations(database: Database, export: Any, ending: str, table: Named) -> list[tuple[Any, ...]]:
    """What a check of the exporter returns: what is wrong, the column, how often, what is allowed, and the fix."""
    text = next((text for file, text in export.files.items() if file.endswith(ending)), None)
    if text is None:  # a dialect without such a catalogue, or a model that reads no column
        return []
    doing = f"checking {spoken(table)} by the statement {ending.removeprefix('_')} of scrutable export"
    return database.rows(text.rstrip().rstrip(";"), doing, f"SELECT on {spoken(table)}")
