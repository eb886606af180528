"""Dialects whose texts the project's tests run in the engine itself."""

from __future__ import annotations

from dataclasses import replace

from scrutable.plugins.bases import Bits, Dialect, Reading
from scrutable_sql.dialects import callings, catalogues

_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_OTHER_KIND = "columns of another kind than the feature's, which make every result NULL or stop the statement"
_MANY_DIGITS = "which may reach a double one unit off"

SQLITE = Dialect(
    name="sqlite",
    title="SQLite",
    since="3.35 or newer, built with its mathematical functions",
    proven=True,
    in_order=True,
    double="REAL",
    text="TEXT",
    infinity="9e999",
    holds_nan=False,
    kind="typeof({column})",
    numeric=Reading(("integer", "real", "null"), "CAST({} AS REAL)"),
    categorical=Reading(("text", "null"), "CAST({} AS TEXT) COLLATE BINARY"),
    excluded="rows with a value of another kind than the feature's, which get NULL for every result",
    exact_literal=None,
    decimals_are_doubles=True,
    spelled="CHAR({codes})",
    row_numbers=("rowid", "oid", "_rowid_"),
    # a query of several parts is worked out row by row, not merged, and filters pass it
    fence_after="UNION ALL SELECT {nulls} WHERE 1 = 0",
    greatest="MAX",
    bits=Bits(),
    max_columns=2000,
    literals="values",
    catalogue=catalogues.SQLITE,
)

DUCKDB = Dialect(
    name="duckdb",
    title="DuckDB",
    since="1.0 or newer",
    proven=True,
    in_order=True,
    double="DOUBLE",
    text="VARCHAR",
    infinity="CAST('Infinity' AS DOUBLE)",
    kind="split_part(typeof({column}), '(', 1)",  # DECIMAL(18,3) and ENUM('a', 'b') without their brackets
    numeric=Reading(
        (*_INTEGERS, *(f"U{kind}" for kind in _INTEGERS), "FLOAT", "DOUBLE", "DECIMAL", "BOOLEAN"),
        "NULLIF(CAST({} AS DOUBLE), CAST('NaN' AS DOUBLE))",
        with_nan="CAST({} AS DOUBLE)",
    ),
    categorical=Reading(("VARCHAR", "ENUM"), 'CAST({} AS VARCHAR) COLLATE "C"'),
    boolean=Reading(("BOOLEAN",), "CAST({} AS DOUBLE)"),
    excluded=f"{_OTHER_KIND}; DECIMAL and HUGEINT values of more than 15 digits, {_MANY_DIGITS}",
    row_numbers=("rowid",),
    # under LIMIT, the best rows are read again by their numbers where only steps stand above the table, and then each
    # step's text is copied wherever it is read; a join with one row costs nothing and lets filters in
    fence_table="CROSS JOIN (SELECT 1 AS one)",
    bits=Bits(
        item="list_extract([{items}], CAST(bit_count(xor({bits}, {bits} - 1)) AS BIGINT))",
        wide="HUGEINT",
    ),
    literals="values",
    catalogue=catalogues.DUCKDB,
    raising="error({message})",
    calling=callings.DUCKDB,
    calling_table=("CREATE MACRO {name} (name_of_table) AS TABLE\n", "query_table(name_of_table)"),
)

POSTGRES = Dialect(
    name="postgres",
    title="PostgreSQL",
    since="14 or newer",
    proven=True,
    in_order=True,
    double="DOUBLE PRECISION",
    text="TEXT",
    infinity="CAST('Infinity' AS DOUBLE PRECISION)",
    # the category, since types can be the user's own; looked up once a statement, by a query that reads no row
    kind="(SELECT typcategory FROM pg_catalog.pg_type"
    " WHERE oid = pg_typeof((SELECT {column} FROM {table} AS t WHERE FALSE)))",
    numeric=Reading(
        ("N",),
        "NULLIF(CAST({} AS DOUBLE PRECISION), CAST('NaN' AS DOUBLE PRECISION))",
        with_nan="CAST({} AS DOUBLE PRECISION)",  # NaN is above infinity
    ),
    # CONCAT keeps the padding of CHAR(n), as clients read it; a cast removes it
    categorical=Reading(("S", "E"), 'CASE WHEN {0} IS NOT NULL THEN CONCAT({0}) END COLLATE "C"'),
    boolean=Reading(("B",), "CAST(CAST({} AS INTEGER) AS DOUBLE PRECISION)"),
    excluded=_OTHER_KIND,
    unquoted="\\",  # which E'' reads alike under either setting of standard_conforming_strings
    spelled="E'{escapes}'",
    letter=("U&", "\\+{code:06x}"),
    column="{}",  # t.x could be a function of the row: t.num_nulls
    fence_after="OFFSET 0",
    lateral=True,
    bits=Bits(item="(ARRAY[{items}])[CAST(bit_count(int8send({bits} # ({bits} - 1))) AS INTEGER)]"),
    smallest_slope=2.0**-900,
    max_name=63,
    max_columns=1600,
    literals="values",
    catalogue=catalogues.POSTGRES,
    raising="CAST({message} AS INTEGER)",  # the error tells what is no integer
    calling=callings.POSTGRES,
)

MARIADB = Dialect(
    name="mariadb",
    title="MariaDB",
    since="10.5 or newer",
    proven=True,
    parser="mysql",
    double="DOUBLE",
    text="CHAR CHARACTER SET utf8mb4",
    stored_text="LONGTEXT CHARACTER SET utf8mb4",
    integer="SIGNED",
    infinity=None,
    holds_nan=False,
    # no function tells a type: numbers, and nothing else, are numbers still when they are mixed with a number
    kind="CASE WHEN COERCIBILITY(COALESCE({column}, 0)) >= 5 THEN 'number'"
    " WHEN CHARSET({column}) = 'binary' THEN 'other' ELSE 'text' END",
    numeric=Reading(("number",), "CAST({} AS DOUBLE)"),
    # compared by code point, blanks at the end included
    categorical=Reading(("text",), "CONVERT({} USING utf8mb4) COLLATE utf8mb4_nopad_bin"),
    excluded=f"infinite numbers, which no column can hold; {_OTHER_KIND}",
    unquoted="\\",  # means two things, by the setting of NO_BACKSLASH_ESCAPES
    spelled="CONVERT(X'{utf8}' USING utf8mb4)",
    concatenated=(", ", "CONCAT({})"),
    exact_literal="{scientific}",
    fence_after="HAVING 1 = 1",  # keeps a derived table apart, and lets filters in
    max_name=64,
    name_bytes=False,
    forbidden="[\U00010000-\U0010ffff]|\\s\\Z",
    no_alias=r"\A[\x01-\x20\x7f]",
    max_columns=1000,
    max_cases=50,
    literals="values",
    catalogue=catalogues.MARIADB,
    raising="(SELECT {message} UNION ALL SELECT {message})",  # an error without the message: several rows
    calling=callings.MARIADB,
)

MYSQL = replace(
    MARIADB,
    name="mysql",
    title="MySQL",
    since="8.0.17 or newer",
    categorical=Reading(("text",), "CONVERT({} USING utf8mb4) COLLATE utf8mb4_0900_bin"),
    literals="selects",  # VALUES ROW(…) there
)

CLICKHOUSE = Dialect(
    name="clickhouse",
    title="ClickHouse",
    since="24.3 or newer, max_query_size no less than the length of this text",
    proven=True,
    in_order=True,
    double="Nullable(Float64)",
    text="Nullable(String)",
    stored_boolean="Nullable(Bool)",
    stored_integer="Int64",
    integer="Nullable(Int64)",
    unsigned_literals=True,
    infinity="CAST('Infinity' AS Float64)",
    # Nullable(Decimal(18, 3)) and LowCardinality(String) without their brackets
    kind="extract(replaceRegexpAll(toTypeName({column}), '(Nullable|LowCardinality)[(]', ''), '^[A-Za-z0-9]+')",
    numeric=Reading(
        (
            *(f"{kind}{size}" for kind in ("Int", "UInt") for size in (8, 16, 32, 64)),
            "Float32",
            "Float64",
            "Decimal",
            "Bool",
        ),
        # plus 0.0 makes 0.0 of -0.0, which IN tells apart
        "CASE WHEN CAST({0} AS Nullable(Float64)) <= CAST('Infinity' AS Float64) "
        "THEN CAST({0} AS Nullable(Float64)) + 0.0 END",
    ),
    categorical=Reading(("String", "Enum8", "Enum16"), "CAST({} AS Nullable(String))"),
    boolean=Reading(("Bool",), "CAST({} AS Nullable(Float64))"),
    excluded=f"{_OTHER_KIND}; Decimal values of more than 15 digits, {_MANY_DIGITS}",
    unquoted="\\",
    spelled="unhex('{utf8}')",
    letter=("", "\\x{byte:02x}"),
    exact_literal="{scientific}",
    # evaluating branches only where they are needed works nested ones out many times over
    ending="SETTINGS prefer_column_name_to_alias = 1, short_circuit_function_evaluation = 'disable', "
    "max_ast_elements = 1000000, max_expanded_ast_elements = 10000000",
    create_table="CREATE TABLE {} ENGINE = MergeTree ORDER BY tuple() AS",
    bits=Bits(
        common="bitAnd({0}, {1})",
        right="bitShiftRight({0}, {1})",
        item="CASE WHEN {bits} > 0 THEN arrayElement([{items}], bitCount(bitXor({bits}, {bits} - 1))) END",
        wide="Nullable(Int128)",
    ),
    literals="function",
    catalogue=catalogues.CLICKHOUSE,
    raising="toInt64(assumeNotNull(materialize({message})))",  # the error tells what is no integer
    calling=callings.CLICKHOUSE,
    not_yet="a.{key} NOT IN (SELECT {key} FROM {target})",
    create_columns="CREATE TABLE IF NOT EXISTS {name} ({columns}) ENGINE = MergeTree ORDER BY tuple()",
)

SPARK = Dialect(
    name="spark",
    title="Spark SQL",
    since="4.0 or newer",
    proven=True,
    in_order=True,
    double="DOUBLE",
    text="STRING",
    infinity="CAST('Infinity' AS DOUBLE)",
    kind="SPLIT_PART(SPLIT_PART(TYPEOF({column}), '(', 1), ' ', 1)",  # decimal(10,2), string collate UTF8_LCASE
    numeric=Reading(
        ("tinyint", "smallint", "int", "bigint", "float", "double", "decimal", "boolean"),
        "NULLIF(CAST({} AS DOUBLE), CAST('NaN' AS DOUBLE))",
    ),
    categorical=Reading(("string", "varchar", "char"), "CAST({} AS STRING) COLLATE UTF8_BINARY"),
    boolean=Reading(("boolean",), "CAST({} AS DOUBLE)"),
    excluded=f"{_OTHER_KIND}",
    # quotes and backslashes mean other things under other settings, and ${v} is replaced even inside of literals
    unquoted="\\'$",
    spelled="CAST(X'{utf8}' AS STRING)",
    exact_literal="{digits}D",
    forbidden=r"\$\{",
    literals="values",
    raising="raise_error({message})",
)

PROVEN = (DUCKDB, SQLITE, POSTGRES, MARIADB, MYSQL, CLICKHOUSE, SPARK)
