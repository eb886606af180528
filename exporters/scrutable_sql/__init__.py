"""Models as SQL, proven equal to the evaluator on SQLite, DuckDB and PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping

from scrutable.plugins import Component, hookimpl

#: Titles by name of the dialects whose texts the tests run in their own engines, and of the others.
_PROVEN = {
    "duckdb": "DuckDB",
    "sqlite": "SQLite",
    "postgres": "PostgreSQL",
    "mariadb": "MariaDB",
    "mysql": "MySQL",
    "clickhouse": "ClickHouse",
    "spark": "Spark SQL",
}
_WRITTEN = {
    "bigquery": "BigQuery",
    "snowflake": "Snowflake",
    "tsql": "SQL Server",
    "oracle": "Oracle Database",
    "redshift": "Amazon Redshift",
    "databricks": "Databricks SQL",
    "trino": "Trino",
}


@hookimpl
def scrutable_exporters() -> list[Component]:
    """The exporter `sql`."""
    return [
        Component(
            name="sql",
            kind="exporter",
            path="scrutable_sql.exporter:SQLExporter",
            summary="One SQL statement: score, probability, decision, points and reasons of every row of a table",
            reference="ISO/IEC 9075-2 (SQL/Foundation); IEEE 754-2019 for the doubles",
            accepts=("scorecard", "regression-scorecard", "rule-set", "tree-ensemble", "segmented-model"),
            produces=(*_PROVEN, *_WRITTEN),
            engines=(
                *("duckdb", "sqlite", "clickhouse", "spark", "postgresql", "postgres", "mariadb", "mysql", "mssql"),
                *("oracle", "snowflake", "bigquery", "redshift", "databricks", "trino"),
            ),
            extra="sql",
            requires=("sqlalchemy", "sqlglot"),
        )
    ]


@hookimpl
def scrutable_dialects() -> list[Component]:
    """The dialects that the exporter `sql` writes."""
    return [*_dialects("proven", _PROVEN), *_dialects("emitted", _WRITTEN)]


def _dialects(module: str, titles: Mapping[str, str]) -> list[Component]:
    return [
        Component(name=name, kind="dialect", path=f"scrutable_sql.dialects.{module}:{name.upper()}", summary=title)
        for name, title in titles.items()
    ]
