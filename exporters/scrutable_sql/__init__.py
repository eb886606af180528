"""Models as SQL, proven equal to the evaluator on SQLite, DuckDB and PostgreSQL."""

from __future__ import annotations

from scrutable.plugins.component import Component
from scrutable.plugins.hookspecs import hookimpl


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
            produces=(
                *("duckdb", "sqlite", "postgres", "mariadb", "clickhouse", "spark"),
                *("mysql", "bigquery", "snowflake", "tsql", "oracle", "redshift", "databricks", "trino"),
            ),
            engines=(
                *("duckdb", "sqlite", "clickhouse", "spark", "postgresql", "postgres", "mariadb", "mysql", "mssql"),
                *("oracle", "snowflake", "bigquery", "redshift", "databricks", "trino"),
            ),
            extra="sql",
            requires=("sqlalchemy", "sqlglot"),
        )
    ]
