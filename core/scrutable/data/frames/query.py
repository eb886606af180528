"""Rows of a database: what the query in a .sql file gives."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrutable.data.frames.cells import frame_of
from scrutable.data.frames.names import checked_names
from scrutable.data.frames.reading import Reading
from scrutable.data.frames.settling import settled_kinds
from scrutable.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

#: A query that gives the names of another's columns and no rows, for which databases need not run that one.
_NO_ROWS = "SELECT * FROM (\n{}\n) scrutable_names WHERE 1 = 0"
_NUMBERED = re.compile(r"(.+)[:_][0-9]+", re.DOTALL)
_FORM = "driver://user:$PASSWORD@host/database, where $PASSWORD is a variable of the environment"


def read(file: Path, reading: Reading) -> pd.DataFrame:
    """All rows that the query gives, in a transaction that is rolled back."""
    names, rows = _result(file, reading, _query(file), rows=True)
    if not rows:
        raise InputError("the query gives no rows", where=f"file {str(file)!r}", fix="check its conditions")
    return settled_kinds(frame_of(names, zip(*rows, strict=True), reading), reading)


def read_names(file: Path, reading: Reading) -> tuple[str, ...]:
    """The names of the columns that the query gives; it runs only where it cannot be a part of another one."""
    query = _query(file)
    try:
        names = _result(file, reading, _NO_ROWS.format(query), rows=False)[0]
    except InputError:  # such as of PRAGMA
        names = ()
    return names if names and not _may_be_renamed(names) else _result(file, reading, query, rows=False)[0]


def _may_be_renamed(names: tuple[str, ...]) -> bool:
    """Whether a database may have numbered columns of one name, as some do within other queries: age, age:1."""
    folded = {name.casefold() for name in names}
    return any(match[1] in folded for name in folded if (match := _NUMBERED.fullmatch(name)))


def _query(file: Path) -> str:
    return file.read_text(encoding="utf-8-sig").strip().rstrip(";")


def _result(file: Path, reading: Reading, query: str, *, rows: bool) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Names of columns, and the rows if they are asked for."""
    import sqlalchemy

    where = f"file {str(file)!r}"
    try:
        engine = sqlalchemy.create_engine(_url(reading), poolclass=sqlalchemy.NullPool)
        with engine.connect() as connection:
            result = connection.exec_driver_sql(query)
            if not result.returns_rows:
                raise InputError("the query gives no rows", where=where, fix="write one SELECT")
            names = checked_names(result.keys(), where)
            fetched = [tuple(row) for row in result] if rows else []
            result.close()
            connection.rollback()
            return names, fetched
    except InputError:
        raise
    except (sqlalchemy.exc.NoSuchModuleError, ImportError) as error:
        fix = "install the driver that SQLAlchemy's documentation names for the database"
        raise InputError("the database's driver is not installed", where="database", got=str(error), fix=fix) from None
    except (sqlalchemy.exc.ArgumentError, ValueError):
        raise InputError("not the URL of a database", where="database", allowed=_FORM, fix="correct it") from None
    except sqlalchemy.exc.SQLAlchemyError as error:
        raise InputError(
            "the database refuses the query",
            where=where,
            got=_code(error),
            fix="run it in the database's own client to see its words, which may quote rows, and correct it",
        ) from None


def _code(error: Exception) -> str:
    """What kind of refusal it is; a database's words may quote a row."""
    origin = getattr(error, "orig", None) or error
    code = getattr(origin, "sqlstate", None) or getattr(origin, "sqlite_errorname", None)
    return " ".join([type(origin).__name__, *([str(code)] if code else [])])


def _url(reading: Reading) -> str:
    if reading.database is None:
        raise InputError(
            "a query needs a database", where="database", allowed=_FORM, fix="give --database URL (in Python database=)"
        )
    return os.path.expandvars(reading.database)
