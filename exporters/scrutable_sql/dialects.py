"""The dialect table: everything in which the engines differ."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """How columns of one kind are read.

    Parameters
    ----------
    kinds : what the engine calls columns, or values, of this kind.
    value : the double or the text of a column, `{}`; missing is NULL, and texts are compared by code point.
    """

    kinds: tuple[str, ...]
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """One engine.

    Parameters
    ----------
    name : as users and sqlglot call it.
    title : as people call it, with the oldest version that understands the text.
    double, text : its names of IEEE doubles and of texts.
    infinity : the double +inf.
    kind : the engine's word for what a `{column}` of the `{table}` holds, one of a `Reading`'s kinds if it can be read.
    numeric, categorical : how such columns are read.
    boolean : how columns of truth values are read, where they are not read as numbers.
    excluded : the input that the engine cannot hold exactly, in words.
    escaped : what stands before a text whose backslashes are doubled; None where a backslash is like any character.
    column : how a column, `{}`, is called.
    row_numbers : columns that every table has unless it has one of that name.
    fence : what keeps a step from being merged into the next, which would work out each expression many times over.
    greatest : its function for the greatest of several values.
    reads_decimals : whether a decimal text cast to a double is always the nearest double. SQLite 3.40 misses about 1 in
        10,000 by a bit, so its doubles are written as an integer over a power of two.
    smallest_slope : the smallest slope of a calibration, above 0, with which no multiplication raises an underflow.
    max_name : longest name in UTF-8 bytes; PostgreSQL cuts longer ones silently.
    max_columns : most columns of one result.
    """

    name: str
    title: str
    double: str
    text: str
    infinity: str
    kind: str
    numeric: Reading
    categorical: Reading
    boolean: Reading | None = None
    excluded: str
    escaped: str | None = None
    column: str = "t.{}"
    row_numbers: tuple[str, ...] = ()
    fence: str = ""
    greatest: str = "GREATEST"
    reads_decimals: bool = True
    smallest_slope: float = 0.0
    max_name: int | None = None
    max_columns: int = 100_000

    def reading(self, kind: str) -> Reading:
        """How columns are read that are numeric, categorical or boolean."""
        if kind == "categorical":
            return self.categorical
        return self.boolean or self.numeric if kind == "boolean" else self.numeric


_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        Dialect(
            name="sqlite",
            title="SQLite 3.35 or newer, built with its mathematical functions",
            double="REAL",
            text="TEXT",
            infinity="9e999",
            kind="typeof({column})",
            numeric=Reading(("integer", "real", "null"), "CAST({} AS REAL)"),
            categorical=Reading(("text", "null"), "CAST({} AS TEXT) COLLATE BINARY"),
            excluded="rows with a value of another kind than the feature's, which get NULL for every result",
            row_numbers=("rowid", "oid", "_rowid_"),
            fence="MATERIALIZED ",
            greatest="MAX",
            reads_decimals=False,
            max_columns=2000,
        ),
        Dialect(
            name="duckdb",
            title="DuckDB 1.0 or newer",
            double="DOUBLE",
            text="VARCHAR",
            infinity="CAST('Infinity' AS DOUBLE)",
            kind="split_part(typeof({column}), '(', 1)",  # DECIMAL(18,3) and ENUM('a', 'b') without their brackets
            numeric=Reading(
                (*_INTEGERS, *(f"U{kind}" for kind in _INTEGERS), "FLOAT", "DOUBLE", "DECIMAL", "BOOLEAN"),
                "NULLIF(CAST({} AS DOUBLE), CAST('NaN' AS DOUBLE))",
            ),
            categorical=Reading(("VARCHAR", "ENUM"), 'CAST({} AS VARCHAR) COLLATE "C"'),
            boolean=Reading(("BOOLEAN",), "CAST({} AS DOUBLE)"),
            excluded="columns of another kind than the feature's, which make every result NULL or stop the statement; "
            "DECIMAL and HUGEINT values of more than 15 digits, which may reach a double one unit off",
            row_numbers=("rowid",),
        ),
        Dialect(
            name="postgres",
            title="PostgreSQL 12 or newer",
            double="DOUBLE PRECISION",
            text="TEXT",
            infinity="CAST('Infinity' AS DOUBLE PRECISION)",
            # the category, since types can be the user's own; looked up once a statement, by a query that reads no row
            kind="(SELECT typcategory FROM pg_catalog.pg_type"
            " WHERE oid = pg_typeof((SELECT {column} FROM {table} AS t LIMIT 0)))",
            numeric=Reading(("N",), "NULLIF(CAST({} AS DOUBLE PRECISION), CAST('NaN' AS DOUBLE PRECISION))"),
            # CONCAT keeps the padding of CHAR(n), as clients read it; a cast removes it
            categorical=Reading(("S", "E"), 'CASE WHEN {0} IS NOT NULL THEN CONCAT({0}) END COLLATE "C"'),
            boolean=Reading(("B",), "CAST(CAST({} AS INTEGER) AS DOUBLE PRECISION)"),
            excluded="columns of another kind than the feature's, which make every result NULL or stop the statement",
            escaped="E",  # right under either setting of standard_conforming_strings
            column="{}",  # t.x could be a function of the row: t.num_nulls
            fence="MATERIALIZED ",
            smallest_slope=2.0**-900,
            max_name=63,
            max_columns=1600,
        ),
    )
}
