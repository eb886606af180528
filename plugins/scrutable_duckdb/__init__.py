"""Plugin: source `duckdb`."""

from __future__ import annotations

from scrutable.plugins import Component, hookimpl


@hookimpl
def scrutable_sources() -> list[Component]:
    """Rows where DuckDB reads them."""
    return [
        Component(
            name="duckdb",
            kind="source",
            path="scrutable_duckdb.source:DuckDBSource",
            summary="Relations of DuckDB, tables of its databases, queries, Parquet and CSV files",
            accepts=("duckdb", "_duckdb"),
            extra="duckdb",
            requires=("duckdb", "sqlglot"),
        )
    ]
