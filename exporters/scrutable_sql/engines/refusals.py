"""What a database says where no table can be made for rows of ours: it is there already, or a right is missing."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Literal

from scrutable.errors import InputError
from scrutable_sql.engines.table import Table

Refusal = Literal["there", "right"]

#: By the code of PostgreSQL (SQLSTATE), or the number of MariaDB and MySQL.
_CODES: dict[str | int, Refusal] = {
    "42P07": "there",
    1050: "there",
    "42501": "right",
    1044: "right",
    1142: "right",
    1227: "right",
}
_DEPLOYED = "scrutable verify --deployed NAME reads what is deployed, and needs no right to make anything"


@contextlib.contextmanager
def refusals_told(table: Table) -> Iterator[None]:
    """A block that makes a table; what the database refuses is told with the right that it takes.

    Raises
    ------
    InputError : the table, or what the text creates, is there already, or the user may not make it.
    """
    try:
        yield
    except Exception as error:
        refusal = _refusal(error)
        if refusal is None:
            raise
        raise _told(refusal, table) from error


def _refusal(error: Exception) -> Refusal | None:
    """Which of them an error is, of SQLAlchemy or of an engine in this process."""
    origin = getattr(error, "orig", error)
    codes = [getattr(origin, "sqlstate", None), *getattr(origin, "args", ())[:1]]
    if type(origin).__name__ == "CatalogException" and "already exists" in str(origin):  # DuckDB has no codes
        return "there"
    return next((_CODES[code] for code in codes if isinstance(code, str | int) and code in _CODES), None)


def _told(refusal: Refusal, table: Table) -> InputError:
    if refusal == "there":
        return InputError(
            "it is there already, and none of your tables is touched: rows to try the text on need its name",
            where=f"table {table.quoted}",
            fix=f"{_DEPLOYED}; or name a table that is not there with the option table",
        )
    kind = "temporary tables in the database" if table.plain else "schemas and tables in the database"
    right = "TEMPORARY (in MariaDB CREATE TEMPORARY TABLES)" if table.plain else "CREATE"
    return InputError(
        f"the user may not make {kind}, which rows to try the text on need",
        where=f"table {table.quoted}",
        allowed=f"a user with the right {right}",
        fix=f"have it granted; or {_DEPLOYED}",
    )
