"""Where each engine tells the columns of a table and their types."""

from __future__ import annotations

from collections.abc import Sequence

from scrutable.plugins.bases import Catalogue

_ANSI = "information_schema.columns WHERE {names} = LOWER({{table}}) AND {schemas} = {{schema}}"
_SIZES = (8, 16, 32, 64)
_WHOLE = ("tinyint", "smallint", "int", "integer", "bigint")


def listed(
    numeric: Sequence[str],
    categorical: Sequence[str],
    *,
    boolean: Sequence[str] = (),
    short: Sequence[str] = (),
    current: str = "",
    schemas: str = "table_schema",
    word: str = "LOWER(data_type)",
) -> Catalogue:
    """A catalogue of `information_schema.columns`."""
    return Catalogue(
        source=_ANSI.format(names="LOWER(table_name)", schemas=schemas),
        current=current,
        type=word,
        numeric=tuple(numeric),
        categorical=tuple(categorical),
        boolean=tuple(boolean),
        short=tuple(short),
    )


_INTEGERS = ("tinyint", "smallint", "integer", "bigint", "hugeint")
DUCKDB = Catalogue(
    source="information_schema.columns WHERE LOWER(table_name) = LOWER({table}) AND table_schema = {schema}"
    " AND table_catalog IN (current_database(), 'temp')",
    current="current_schema()",
    type="LOWER(split_part(data_type, '(', 1))",  # DECIMAL(18,3) and ENUM('a', 'b') without their brackets
    numeric=(*_INTEGERS, *(f"u{kind}" for kind in _INTEGERS), "float", "double", "decimal", "boolean"),
    categorical=("varchar", "enum"),
    boolean=("boolean",),
    short=("float",),
)

#: How SQLite reads a declared type; a column of a view that is no column of a table may have none.
_AFFINITY = (
    "CASE WHEN UPPER(type) LIKE '%INT%' THEN 'integer'"
    " WHEN UPPER(type) LIKE '%CHAR%' OR UPPER(type) LIKE '%CLOB%' OR UPPER(type) LIKE '%TEXT%' THEN 'text'"
    " WHEN UPPER(type) LIKE '%BLOB%' OR type = '' THEN 'none'"
    " WHEN UPPER(type) LIKE '%REAL%' OR UPPER(type) LIKE '%FLOA%' OR UPPER(type) LIKE '%DOUB%' THEN 'real'"
    " ELSE 'numeric' END"
)
SQLITE = Catalogue(
    source="pragma_table_xinfo({table}, {schema})",
    current="NULL",
    column="name",
    type=_AFFINITY,
    shown="type",
    numeric=("integer", "real", "numeric", "none"),
    categorical=("text", "none"),
)

POSTGRES = Catalogue(
    source="pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_type AS y ON y.oid = a.atttypid"
    " WHERE a.attrelid = to_regclass({relation}) AND a.attnum > 0 AND NOT a.attisdropped",
    column="CAST(a.attname AS TEXT)",
    # the category, since types can be the user's own; domains over REAL are REAL
    type="CASE WHEN CAST('float4' AS regtype) IN (y.oid, y.typbasetype) THEN 'float4'"
    " ELSE CAST(y.typcategory AS TEXT) END",
    shown="format_type(a.atttypid, a.atttypmod)",
    numeric=("N", "float4"),
    categorical=("S", "E"),
    boolean=("B",),
    short=("float4",),
    folded=False,
)

MARIADB = listed(
    ("tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "float", "double"),
    ("char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set"),
    short=("float",),
    current="DATABASE()",
)

CLICKHOUSE = Catalogue(
    source="system.columns WHERE table = {table} AND database = {schema}",
    current="currentDatabase()",
    column="name",
    # Nullable(Decimal(18, 3)) and LowCardinality(String) without their brackets
    type="extract(replaceRegexpAll(type, '(Nullable|LowCardinality)[(]', ''), '^[A-Za-z0-9]+')",
    shown="type",
    numeric=(
        *(f"{kind}{size}" for kind in ("Int", "UInt") for size in _SIZES),
        "Float32",
        "Float64",
        "Decimal",
        "Bool",
    ),
    categorical=("String", "Enum8", "Enum16"),
    boolean=("Bool",),
    short=("Float32",),
    folded=False,
)

TSQL = listed(
    ("tinyint", "smallint", "int", "bigint", "real", "float", "decimal", "numeric", "bit"),
    ("char", "varchar", "nchar", "nvarchar"),
    boolean=("bit",),
    short=("real",),
    current="LOWER(SCHEMA_NAME())",
    schemas="LOWER(table_schema)",
)

SNOWFLAKE = listed(
    ("number", "float", "double", "real"), ("text", "varchar", "char"), boolean=("boolean",), current="CURRENT_SCHEMA()"
)

REDSHIFT = listed(
    (*_WHOLE, "real", "double precision", "numeric"),
    ("character", "character varying"),
    boolean=("boolean",),
    short=("real",),
    current="CURRENT_SCHEMA()",
)

TRINO = listed(
    (*_WHOLE, "real", "double", "decimal", "boolean"),
    ("varchar", "char"),
    boolean=("boolean",),
    short=("real",),
    current="current_schema",
    word="LOWER(split_part(data_type, '(', 1))",
)

DATABRICKS = listed(
    (*_WHOLE, "byte", "short", "long", "float", "double", "decimal", "boolean"),
    ("string", "varchar", "char"),
    boolean=("boolean",),
    short=("float",),
    current="current_schema()",
    word="LOWER(split_part(data_type, '(', 1))",
)
