"""Dialects that are written and parsed back, but not run in their engines, which are services or not free.

Where nothing could be tried, the text keeps to what is sure: quotients of integers for doubles, casts that stop the
statement, a sign after texts where blanks at the end might be ignored, `x <= infinity` to tell NaN under any order.
"""

from __future__ import annotations

from dataclasses import replace

from scrutable.plugins.bases import Dialect, Reading
from scrutable_sql.dialects import callings, catalogues
from scrutable_sql.dialects.proven import SPARK

_OTHER_KIND = "columns of another kind than the feature's, which make every result NULL or stop the statement"
_NOT_TOLD = "columns of another kind than the feature's, which are converted where the engine can"
_MANY_DIGITS = "decimal values of more than 15 digits, which may reach a double one unit off"

DATABRICKS = replace(
    SPARK,
    name="databricks",
    title="Databricks SQL",
    since="Runtime 16.1 or newer",
    proven=False,
    run_in="Spark SQL",
    in_order=False,
    catalogue=catalogues.DATABRICKS,
)

BIGQUERY = Dialect(
    name="bigquery",
    title="BigQuery",
    since="GoogleSQL",
    run_in="ZetaSQL, Google's implementation of GoogleSQL",
    double="FLOAT64",
    text="STRING",
    stored_boolean="BOOL",
    stored_integer="INT64",
    integer="INT64",
    temporary="CREATE TABLE",
    infinity="CAST('inf' AS FLOAT64)",
    kind=None,  # a text plus 0, a number's collation and a truth value's comparison stop the statement
    numeric=Reading(
        (),
        "CASE WHEN CAST({0} + 0 AS FLOAT64) <= CAST('inf' AS FLOAT64) THEN CAST({0} + 0 AS FLOAT64) END",
    ),
    categorical=Reading((), "COLLATE({}, '')"),
    boolean=Reading((), "CASE WHEN {0} IS TRUE THEN 1.0 WHEN {0} IS FALSE THEN 0.0 END"),
    excluded="columns of another kind than the feature's, which stop the statement; NUMERIC and BIGNUMERIC values of "
    "more than 15 digits, which may reach a double one unit off",
    unquoted="\\'",
    spelled="CODE_POINTS_TO_STRING([{codes}])",
    letter=("", "\\U{code:08x}"),
    remainder="MOD({0}, {1})",
    max_name=300,
    name_bytes=False,
    forbidden=r"[!\"$()*,./;?@\[\\\]^`{}~\n\r]",
    max_columns=10_000,
    max_cases=50,
    raising="ERROR({message})",
    calling=callings.BIGQUERY,
)

SNOWFLAKE = Dialect(
    name="snowflake",
    title="Snowflake",
    since="with its default session parameters",
    double="DOUBLE",
    text="VARCHAR",
    infinity="CAST('inf' AS DOUBLE)",
    kind="SPLIT_PART(SPLIT_PART(SYSTEM$TYPEOF({column}), '[', 1), '(', 1)",  # VARCHAR(16777216)[LOB]
    numeric=Reading(
        ("NUMBER", "FLOAT", "DOUBLE", "REAL"),
        "CASE WHEN CAST({0} AS DOUBLE) <= CAST('inf' AS DOUBLE) THEN CAST({0} AS DOUBLE) END",
    ),
    categorical=Reading(("VARCHAR", "CHAR", "STRING", "TEXT"), "COLLATE(CAST({} AS VARCHAR), 'utf8')"),
    boolean=Reading(("BOOLEAN",), "CAST(CAST({} AS INTEGER) AS DOUBLE)"),
    excluded=f"{_OTHER_KIND}; {_MANY_DIGITS}",
    unquoted="\\&",  # which its client replaces, where variables are on
    max_name=255,
    name_bytes=False,
    max_cases=50,
    catalogue=catalogues.SNOWFLAKE,
    raising="CAST({message} AS INTEGER)",
)

TSQL = Dialect(
    name="tsql",
    title="SQL Server",
    since="2022 or newer (T-SQL), QUOTED_IDENTIFIER and ANSI_NULLS on",
    double="FLOAT",
    text="NVARCHAR(4000)",
    stored_boolean="BIT",
    temporary="CREATE TABLE",
    infinity=None,
    holds_nan=False,
    kind="COALESCE(CAST(SQL_VARIANT_PROPERTY({column}, 'BaseType') AS NVARCHAR(128)), N'null')",
    numeric=Reading(
        ("tinyint", "smallint", "int", "bigint", "real", "float", "decimal", "numeric", "bit", "null"),
        "CAST({} AS FLOAT)",
    ),
    categorical=Reading(
        ("char", "varchar", "nchar", "nvarchar", "null"),
        "CAST({} AS NVARCHAR(4000)) COLLATE Latin1_General_100_BIN2 + N'.'",
    ),
    boolean=Reading(("bit", "null"), "CAST({} AS FLOAT)"),
    excluded="infinite numbers, which no column can hold; texts of more than 4,000 characters, and VARCHAR(MAX) or "
    f"NVARCHAR(MAX) columns, which stop the statement; {_OTHER_KIND}; {_MANY_DIGITS}",
    prefix="N",
    unquoted="\\$",  # before the end of a line, and in sqlcmd's $(variables)
    spelled="NCHAR({unit})",
    concatenated=(" + ", "({})"),
    guard=".",  # blanks at the end are ignored under every collation
    exact_literal=None,
    smallest=2.0**-1022,
    dividend="{}E0",
    power="{}E0",
    create_table=None,
    logarithm="LOG({})",
    smallest_slope=2.0**-900,
    max_name=128,
    name_bytes=False,
    max_columns=1024,
    max_cases=10,
    catalogue=catalogues.TSQL,
    raising="CAST({message} AS INT)",
    calling=callings.TSQL,
    with_first=True,
    create_columns="CREATE TABLE {name} ({columns})",
)

ORACLE = Dialect(
    name="oracle",
    title="Oracle Database",
    since="12.2 or newer",
    double="BINARY_DOUBLE",
    text="VARCHAR2(4000)",
    stored_boolean="NUMBER(1)",
    stored_integer="NUMBER(19)",
    integer="NUMBER(19)",
    temporary="CREATE TABLE",
    infinity="BINARY_DOUBLE_INFINITY",
    holds_empty=False,
    kind="COALESCE(REGEXP_SUBSTR(DUMP({column}, 10, 1, 1), '^(Typ=[0-9]+|NULL)'), 'NULL')",
    # NUMBER; BINARY_FLOAT and BINARY_DOUBLE as values and as they are stored
    numeric=Reading(
        ("Typ=2", "Typ=21", "Typ=22", "Typ=100", "Typ=101", "NULL"),
        "CASE WHEN CAST({0} AS BINARY_DOUBLE) <= BINARY_DOUBLE_INFINITY THEN CAST({0} AS BINARY_DOUBLE) END",
    ),
    categorical=Reading(("Typ=1", "Typ=96", "NULL"), "CAST({} AS VARCHAR2(4000)) COLLATE BINARY"),
    excluded="texts of no characters, which are NULL; texts of more than 4,000 bytes; rows with a value of another "
    f"kind than the feature's, which get NULL for every result or stop the statement; {_MANY_DIGITS}",
    unquoted="&",  # which its client asks the value of
    spelled="TO_CHAR(UNISTR('{utf16}'))",
    exact_literal=None,
    dividend="CAST({} AS BINARY_DOUBLE)",
    power="{}",
    alias="t",
    remainder="MOD({0}, {1})",
    max_name=128,
    forbidden='"',
    max_columns=1000,
    max_cases=50,
    max_list=1000,
    nowhere=" FROM DUAL",
    raising="TO_NUMBER({message})",
    create_columns="CREATE TABLE {name} ({columns})",
)

REDSHIFT = Dialect(
    name="redshift",
    title="Amazon Redshift",
    since="with its default settings",
    double="DOUBLE PRECISION",
    text="VARCHAR(65535)",
    infinity="CAST('Infinity' AS DOUBLE PRECISION)",
    kind=None,
    numeric=Reading(
        (),
        "CASE WHEN CAST({0} AS DOUBLE PRECISION) <= CAST('Infinity' AS DOUBLE PRECISION)"
        " THEN CAST({0} AS DOUBLE PRECISION) END",
    ),
    categorical=Reading((), "COLLATE({}, 'case_sensitive') || '.'"),
    boolean=Reading((), "CAST(CAST({} AS INTEGER) AS DOUBLE PRECISION)"),
    excluded=f"{_NOT_TOLD}; the padding of CHAR columns; {_MANY_DIGITS}",
    unquoted="\\",
    spelled="FROM_VARBYTE(TO_VARBYTE('{utf8}', 'hex'), 'utf8')",
    guard=".",
    smallest_slope=2.0**-900,
    max_name=127,
    max_columns=1600,
    max_cases=50,
    catalogue=catalogues.REDSHIFT,
    raising="CAST({message} AS INTEGER)",
)

TRINO = Dialect(
    name="trino",
    title="Trino",
    since="400 or newer",
    double="DOUBLE",
    text="VARCHAR",
    temporary="CREATE TABLE",
    infinity="infinity()",
    kind="split_part(typeof({column}), '(', 1)",
    numeric=Reading(
        ("tinyint", "smallint", "integer", "bigint", "real", "double", "decimal", "boolean"),
        "CASE WHEN CAST({0} AS DOUBLE) <= infinity() THEN CAST({0} AS DOUBLE) END",
    ),
    categorical=Reading(("varchar", "char"), "CAST({} AS VARCHAR)"),
    boolean=Reading(("boolean",), "CAST({} AS DOUBLE)"),
    excluded=f"{_OTHER_KIND}; {_MANY_DIGITS}",
    max_cases=50,
    literals="values",
    catalogue=catalogues.TRINO,
    raising="fail({message})",
)

EMITTED = (BIGQUERY, SNOWFLAKE, TSQL, ORACLE, REDSHIFT, DATABRICKS, TRINO)
