"""The dialect of libSQL, which reads and writes as SQLite does."""

from __future__ import annotations

from scrutable.plugins.bases import Dialect, Reading

LIBSQL = Dialect(
    name="libsql",
    title="libSQL",
    since="0.24 or newer",
    parser="sqlite",
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
    fence_after="UNION ALL SELECT {nulls} WHERE 1 = 0",
    greatest="MAX",
    max_columns=2000,
    literals="values",
    schemes=("libsql",),
)
