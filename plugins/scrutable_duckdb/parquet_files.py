"""Parquet files that are read together: columns go by their names, and are of one kind in all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.errors import InputError
from scrutable_duckdb.quoting import text_of

if TYPE_CHECKING:
    import duckdb

#: Of each column how many files have it, and whether some hold texts and others something else, from their footers.
_COLUMNS = """
SELECT name, count(DISTINCT file_name), count(DISTINCT duckdb_type = 'VARCHAR') FILTER (duckdb_type <> '"NULL"')
FROM parquet_schema({place}) WHERE duckdb_type IS NOT NULL GROUP BY name ORDER BY name
"""


def parquet_query(connection: duckdb.DuckDBPyConnection, place: str) -> str:
    """A query of Parquet files.

    Raises
    ------
    InputError : files of which some lack a column, or hold texts in it where others hold something else.
    duckdb.Error : they cannot be read.
    """
    [(files,)] = connection.execute("SELECT count(*) FROM glob(?)", [place]).fetchall()
    if files > 1:
        for name, files_with_it, kinds in connection.execute(_COLUMNS.format(place=text_of(place))).fetchall():
            if files_with_it < files or kinds > 1:
                mixed = "texts in some files, no texts in others"
                raise InputError(
                    "files that are read together need the same columns, each of one kind",
                    where=f"place {place!r}, column {name!r}",
                    got=mixed if kinds > 1 else f"in {files_with_it} of {files} files",
                    fix="write the files anew, or leave out those that differ",
                )
    return f"SELECT * FROM read_parquet({text_of(place)}, union_by_name = TRUE)"
