"""Running a text in a real engine, on rows that are loaded for it and gone afterwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from scrutable.errors import InputError, PluginError
from scrutable.model.evaluator import OutputFrame, kind_of
from scrutable_sql.dialects import dialect_named, other_dialects
from scrutable_sql.engines.base import Engine
from scrutable_sql.engines.clickhouse import ClickHouse
from scrutable_sql.engines.duckdb import DuckDB
from scrutable_sql.engines.mariadb import MariaDB
from scrutable_sql.engines.postgres import Postgres
from scrutable_sql.engines.server import Server
from scrutable_sql.engines.spark import Spark
from scrutable_sql.engines.sqlite import SQLite
from scrutable_sql.engines.table import Table

__all__ = ["NAMES", "Engine", "Server", "Table", "dialect_of", "run", "start"]

#: The dialect that an engine, or the scheme of an URL, is sure to speak.
NAMES: dict[str, str] = {
    "duckdb": "duckdb",
    "sqlite": "sqlite",
    "clickhouse": "clickhouse",
    "spark": "spark",
    "postgresql": "postgres",
    "postgres": "postgres",
    "mariadb": "mariadb",
    "mysql": "mysql",
    "mssql": "tsql",
    "oracle": "oracle",
    "snowflake": "snowflake",
    "bigquery": "bigquery",
    "redshift": "redshift",
    "databricks": "databricks",
    "trino": "trino",
}

_HERE: dict[str, Callable[[], Engine]] = {"sqlite": SQLite, "duckdb": DuckDB, "clickhouse": ClickHouse, "spark": Spark}


def dialect_of(url: str) -> str | None:
    """The dialect that the database behind an URL speaks; None if its scheme is not known."""
    scheme = url.partition(":")[0].partition("+")[0]
    return NAMES.get(scheme) or next((name for name in other_dialects() if _speaks(name, scheme)), None)


def schemes_of(dialect: str) -> tuple[str, ...]:
    """The schemes of URLs that are sure to be of a dialect's engine."""
    return tuple(scheme for scheme, spoken in NAMES.items() if spoken == dialect) or dialect_named(dialect).schemes


def _speaks(dialect: str, scheme: str) -> bool:
    """Whether a scheme is of a dialect of another plugin; one that cannot be used breaks none of the others."""
    try:
        return scheme in schemes_of(dialect)
    except PluginError:
        return False


def start(dialect: str, url: str | None) -> Engine:
    """The engine of a dialect, in this process unless an URL says where it is.

    Raises
    ------
    InputError : the dialect's engine is a server and there is no URL, or the URL is of an engine that speaks another.
    """
    title = dialect_named(dialect).title
    if url is None:
        if dialect not in _HERE:
            raise InputError(f"{title} needs a connection", where="option url", fix="give url='scheme://host/database'")
        return _HERE[dialect]()
    if dialect_of(url) != dialect:
        raise InputError(
            f"the URL is not of {title}",
            where="option url",
            got=url.partition(":")[0],
            allowed=" or ".join(schemes_of(dialect)),
        )
    place = url.partition(":///")[2] or ":memory:"
    if dialect in ("sqlite", "duckdb") and place != ":memory:" and not Path(place).is_file():
        raise InputError("no such database file", where="option url", got=place, fix=f"name one, or {dialect} alone")
    engines: dict[str, Callable[[], Engine]] = {
        "sqlite": lambda: SQLite(place),
        "duckdb": lambda: DuckDB(place),
        "clickhouse": lambda: ClickHouse(place),
        "spark": lambda: Spark(url),
        "postgres": lambda: Postgres(url),
        "mariadb": lambda: MariaDB(url),
        "mysql": lambda: MariaDB(url, "MySQL", "mysql+pymysql"),
    }
    return engines.get(dialect, lambda: Server(url, title))()


def run(engine: Engine, text: str, results: Sequence[str], table: Table) -> OutputFrame:
    """The results of a text, in the order of the table's rows.

    The statements only project: no join, no sort, no aggregate. Where an identifier numbers the rows, their order goes
    by that; otherwise rows come out as they went in, given that the engines here scan in the order of insertion.
    """
    columns = engine.run(text, table)
    ids, outputs = (
        columns[: len(table.options.ids)],
        columns[len(table.options.ids) : -len(table.options.marks) or None],
    )
    numbered = [i for i, key in enumerate(table.options.ids) if key in table.numbered]
    order = np.argsort(np.asarray(ids[numbered[0]], dtype=np.int64)) if numbered else slice(None)
    return OutputFrame(
        {key: np.asarray(values, dtype=kind_of(key))[order] for key, values in zip(results, outputs, strict=True)}
    )
