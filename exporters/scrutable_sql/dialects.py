"""The dialect table: everything in which the engines differ."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """One engine.

    Parameters
    ----------
    name : as users and sqlglot call it.
    title : as people call it, with the oldest version that understands the text.
    double, text : its names of IEEE doubles and of texts.
    binary : the collation that compares texts by code point.
    infinity : the double +inf.
    fence : what keeps a step from being merged into the next, which would work out each expression many times over.
    greatest : its function for the greatest of several values.
    reads_decimals : whether a decimal text cast to a double is always the nearest double. SQLite 3.40 misses about 1 in
        10,000 by a bit, so its doubles are written as an integer over a power of two.
    typed_columns : whether a column holds values of one type. SQLite's do not, and CAST there makes 'abc' 0.0.
    smallest_slope : the smallest slope of a calibration, above 0, with which no multiplication raises an underflow.
    max_name : longest name in UTF-8 bytes; PostgreSQL cuts longer ones silently.
    max_columns : most columns of one result.
    """

    name: str
    title: str
    double: str
    text: str
    binary: str
    infinity: str
    fence: str = ""
    greatest: str = "GREATEST"
    reads_decimals: bool = True
    typed_columns: bool = True
    smallest_slope: float = 0.0
    max_name: int | None = None
    max_columns: int = 100_000


DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        Dialect(
            name="sqlite",
            title="SQLite 3.35 or newer, built with its mathematical functions",
            double="REAL",
            text="TEXT",
            binary="COLLATE BINARY",
            infinity="9e999",
            fence="MATERIALIZED ",
            greatest="MAX",
            reads_decimals=False,
            typed_columns=False,
            max_columns=2000,
        ),
        Dialect(
            name="duckdb",
            title="DuckDB 1.0 or newer",
            double="DOUBLE",
            text="VARCHAR",
            binary='COLLATE "C"',
            infinity="CAST('Infinity' AS DOUBLE)",
        ),
        Dialect(
            name="postgres",
            title="PostgreSQL 12 or newer",
            double="DOUBLE PRECISION",
            text="TEXT",
            binary='COLLATE "C"',
            infinity="CAST('Infinity' AS DOUBLE PRECISION)",
            fence="MATERIALIZED ",
            smallest_slope=2.0**-900,
            max_name=63,
            max_columns=1600,
        ),
    )
}
