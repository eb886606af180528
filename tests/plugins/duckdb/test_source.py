"""Rows that DuckDB reads are those that the core reads, wherever DuckDB has them from."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scrutable.data.frames import as_table
from scrutable.errors import InputError, KindError
from scrutable.plugins import source_of
from scrutable.plugins.registry import registry
from scrutable.testing.sources import check_source
from scrutable_duckdb.results import GivenRelation
from scrutable_duckdb.source import DuckDBSource


def opened(place: object, **options: Any) -> Any:
    return registry().load("source", "duckdb").opened(str(place), **options)


def values(source: Any, name: str) -> list[Any]:
    return [value for batch in source.batches([name]) for value in batch.column(name).values.tolist()]


# --- the contract -------------------------------------------------------------------------------------------


def test_relations_keep_the_contract() -> None:
    connections = []

    def taken(rows: pa.Table) -> Any:
        connections.append(duckdb.connect())
        return source_of(connections[-1].from_arrow(rows))

    check_source(taken)


def test_parquet_files_keep_the_contract(tmp_path: Path) -> None:
    def parted(rows: pa.Table) -> Any:
        folder = tmp_path / str(len([*tmp_path.iterdir()]))
        folder.mkdir()
        size = max(rows.num_rows // 3, 1)
        for part, start in enumerate(range(0, max(rows.num_rows, 1), size)):
            pq.write_table(rows.slice(start, size), folder / f"{part}.parquet")
        return opened(folder / "*.parquet", threads=2)

    check_source(parted, without=["category"])


def test_tables_keep_the_contract(tmp_path: Path) -> None:
    def stored(rows: pa.Table) -> Any:
        bank = tmp_path / f"{len([*tmp_path.iterdir()])}.duckdb"
        with duckdb.connect(bank) as connection:
            connection.execute("CREATE SCHEMA lending")
            connection.execute('CREATE TABLE lending."all loans" AS SELECT * FROM rows')
        return opened(f'{bank}::lending."all loans"')

    check_source(stored)


# --- kinds --------------------------------------------------------------------------------------------------


def test_whole_numbers_of_128_bits_are_the_nearest_doubles() -> None:
    draw = np.random.default_rng(0)
    wanted = [(2**53 + 2 * int(k) + 1) * 2 ** int(shift) + 1 for k, shift in draw.integers(1, 60, (500, 2))]
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT CAST(unnest(?) AS HUGEINT) AS x", [[*map(str, wanted)]])
        source = DuckDBSource.taken(connection.table("t"))
        assert source is not None
        assert values(source, "x") == [float(number) for number in wanted]


def test_enumerations_are_texts_in_the_order_of_their_values() -> None:
    with duckdb.connect() as connection:
        given = connection.sql(
            "SELECT CAST(unnest(['rents', NULL, 'owns']) AS ENUM ('lodges', 'owns', 'rents')) AS home"
        )
        source = source_of(given)
        assert source is not None
        [batch] = source.batches(["home"])
        assert batch.column("home").coded.levels.tolist() == ["rents", "owns", None]
        assert batch.column("home").values.tolist() == ["rents", None, "owns"]


def test_what_is_always_missing_is_of_a_kind() -> None:
    with duckdb.connect() as connection:
        source = source_of(connection.sql("SELECT NULL AS a, CAST(NULL AS VARCHAR) AS b"))
        assert source is not None
        [batch] = source.batches(["a", "b"])
        assert [batch.column(name).kind for name in "ab"] == ["numeric", "categorical"]


@pytest.mark.parametrize("kind", ["DATE", "TIMESTAMP", "TIME", "INTERVAL", "BLOB", "UUID", "INTEGER[]", "BIGNUM"])
def test_other_kinds_are_refused_as_the_core_does(kind: str) -> None:
    with duckdb.connect() as connection:
        source = source_of(connection.sql(f"SELECT 1 AS x, CAST(NULL AS {kind}) AS odd"))
        assert source is not None
        with pytest.raises(KindError, match="column 'odd': each argument must be a string or a number") as refused:
            source.batches(["x", "odd"])
        assert kind in str(refused.value)


# --- in Python ----------------------------------------------------------------------------------------------


def test_no_plugin_is_imported_for_a_frame() -> None:
    code = """
import sys, pandas, numpy
from scrutable.plugins import source_of
assert source_of(pandas.DataFrame({"a": [1]})) is source_of({"a": [1]}) is source_of(numpy.ones((2, 2))) is None
assert not {"scrutable_duckdb.source", "duckdb", "sqlglot"} & {*sys.modules}
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_reading_imports_no_pandas(tmp_path: Path) -> None:
    pq.write_table(pa.table({"age": [41.0, None], "job": ["cook", None]}), tmp_path / "a.parquet")
    code = f"""
import sys
from scrutable.plugins import opened_source
[batch] = opened_source("duckdb", {str(tmp_path / "a.parquet")!r}).batches(["age", "job"])
assert [batch.column("age").values.size, batch.column("job").values.tolist()] == [2, ["cook", None]]
assert "pandas" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_is_no_relation_is_not_taken() -> None:
    assert source_of(duckdb) is DuckDBSource.taken("SELECT 1") is None
    with duckdb.connect() as connection:
        assert source_of(connection) is None


def test_relations_with_parameters_and_of_frames_are_read() -> None:
    frame = pd.DataFrame({"age": [41.0, 17.0, None], "job": ["cook", None, ""]})
    with duckdb.connect() as connection:
        connection.register("people", frame)
        source = source_of(connection.sql("SELECT * FROM people WHERE age > ? OR age IS NULL", params=[20]))
        assert source is not None
        assert values(source, "job") == ["cook", ""]


def test_two_relations_of_a_connection_are_read_at_once() -> None:
    with duckdb.connect() as connection:
        one, other = (source_of(connection.sql(f"SELECT range + {k} AS x FROM range(400000)")) for k in (0, 1))
        assert one is not None
        assert other is not None
        first, second = one.batches(["x"]), other.batches(["x"])
        sums = [next(first).column("x").values.sum(), next(second).column("x").values.sum()]
        for place, left in enumerate((first, second)):
            sums[place] += sum(batch.column("x").values.sum() for batch in left)
        assert sums == [399_999 * 200_000, 399_999 * 200_000 + 400_000]
        assert connection.sql("SELECT 1").fetchall() == [(1,)]


def test_a_connection_in_use_is_told() -> None:
    with duckdb.connect() as connection:
        source = source_of(connection.sql("SELECT 1 AS x"))
        assert source is not None
        connection.execute("SELECT * FROM range(10000)")
        with pytest.raises(InputError, match=r"Resource In Use.*Fix: read the connection's open result to its end"):
            values(source, "x")


def test_names_that_differ_by_case_alone_are_refused() -> None:
    with (
        duckdb.connect() as connection,
        pytest.raises(InputError, match=r"does not tell apart; got \"'age', 'Age'\""),
    ):
        source_of(connection.sql('SELECT 1 AS age, 2 AS "Age"'))


def test_names_that_stand_twice_are_refused() -> None:
    with duckdb.connect() as connection, pytest.raises(InputError, match="duplicate column names: 'age'"):
        source_of(connection.sql("SELECT 1 AS age, 2 AS age"))


# --- places -------------------------------------------------------------------------------------------------


def test_csv_files_are_of_the_kinds_that_all_rows_show(tmp_path: Path) -> None:
    rows = ["id,age,zip,note,gap,worn"] + [f"{k},{k / 4},{k:05},{k},,{k}" for k in range(1, 30_000)]
    (tmp_path / "a.csv").write_text("\n".join([*rows, '30000,,99999,"two, words",,?']), encoding="utf-8")
    source = opened(tmp_path / "*.csv", text=["id"], missing=["?"])
    (first,) = [batch for batch in source.batches(source.names) if batch.n_rows][:1]
    kinds = {name: first.column(name).kind for name in source.names}
    assert kinds == {
        "id": "categorical",
        "age": "numeric",
        "zip": "categorical",
        "note": "categorical",
        "gap": "numeric",
        "worn": "numeric",
    }
    assert sorted(values(source, "note"))[-1] == "two, words"
    assert np.isnan(values(source, "age")).sum() == 1


def test_a_text_among_numbers_of_a_csv_file_is_told_without_it(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("age,job\n41,cook\nsecret,cook\n", encoding="utf-8")
    source = opened(tmp_path / "a.csv", numbers=["age"])
    with pytest.raises(InputError, match="got 'Conversion Error'") as refused:
        values(source, "age")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("row", ["3,4,5", "3", 'x,"y'])
def test_a_row_of_a_csv_file_that_is_no_row_is_told(tmp_path: Path, row: str) -> None:
    for before in (1, 30_000):
        (tmp_path / "a.csv").write_text("\n".join(["a,b", *["1,2"] * before, row]), encoding="utf-8")
        with pytest.raises(InputError, match="DuckDB cannot read it"):
            values(opened(tmp_path / "a.csv", text=["a", "b"]), "a")


def test_csv_files_of_other_columns_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("b,a\n1,2\n", encoding="utf-8")
    with pytest.raises(InputError, match="in another order"):
        opened(tmp_path / "*.csv")


def test_a_query_reads_files_and_a_database(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": [1, 2], "age": [41, 17]}), tmp_path / "a.parquet")
    with duckdb.connect(tmp_path / "bank.duckdb") as connection:
        connection.execute("CREATE TABLE jobs AS SELECT 2 AS id, 'cook' AS job")
    text = (
        f"-- who works\nSELECT age, job FROM '{tmp_path}/a.parquet' JOIN jobs USING (id) WHERE job <> ';' ;; -- all;\n"
    )
    (tmp_path / "rows.sql").write_text(text, encoding="utf-8")
    source = opened(tmp_path / "rows.sql", database=str(tmp_path / "bank.duckdb"))
    assert (source.names, values(source, "age"), values(source, "job")) == (("age", "job"), [17.0], ["cook"])


@pytest.mark.parametrize("query", ["DROP TABLE jobs", "SELECT 1; SELECT 2", "COPY (SELECT 1) TO 'x.csv'", "", "SELEC"])
def test_a_file_that_holds_no_query_is_refused(tmp_path: Path, query: str) -> None:
    (tmp_path / "rows.sql").write_text(query, encoding="utf-8")
    with pytest.raises(InputError, match=r"one SELECT|Parser Error"):
        opened(tmp_path / "rows.sql")


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("none.parquet", "No files found"),
        ("none.csv", "there are no such files"),
        ("none.duckdb::loans", "there is no such database"),
        ("none.sql", "cannot be read"),
        ("loans.xlsx", "no place that DuckDB reads"),
        ("bank.duckdb::a.b.c.d", "no name of a table"),
        ("bank.duckdb::loans; DROP TABLE loans", "no name of a table"),
        ("bank.duckdb::none", "Table with name none does not exist"),
    ],
)
def test_what_is_not_there_is_told(tmp_path: Path, place: str, words: str) -> None:
    duckdb.connect(tmp_path / "bank.duckdb").close()
    with pytest.raises(InputError, match=words):
        opened(tmp_path / place)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"age": [17]}, "column 'job': .*; got 'in 1 of 2 files'"),
        ({"age": [17], "job": [1]}, "column 'job': .*; got 'texts in some files, no texts in others'"),
        ({"age": [17], "job": ["cook"], "more": [1]}, "column 'more': .*; got 'in 1 of 2 files'"),
    ],
)
def test_parquet_files_of_other_columns_are_told(tmp_path: Path, other: dict[str, Any], words: str) -> None:
    pq.write_table(pa.table({"age": [41], "job": ["cook"]}), tmp_path / "a.parquet")
    pq.write_table(pa.table(other), tmp_path / "b.parquet")
    with pytest.raises(InputError, match=words):
        opened(tmp_path / "*.parquet")


def test_parquet_files_are_read_by_name_and_nothing_known_is_of_any_kind(tmp_path: Path) -> None:
    pq.write_table(pa.table({"age": [41], "job": ["cook"]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"job": pa.nulls(1), "age": pa.array([17.5])}), tmp_path / "b.parquet")
    source = opened(tmp_path / "*.parquet")
    assert source.names == ("age", "job")
    assert (sorted(values(source, "age")), {*values(source, "job")}) == ([17.5, 41.0], {"cook", None})


def test_a_closed_connection_is_told() -> None:
    with duckdb.connect() as connection:
        relation = connection.sql("SELECT 1 AS age")
    with pytest.raises(InputError, match="relation of DuckDB: DuckDB cannot read it"):
        list(DuckDBSource(GivenRelation(relation)).batches(["age"]))


def test_relations_are_read_in_threads() -> None:
    with duckdb.connect() as connection:
        source = source_of(connection.sql("SELECT range AS x FROM range(400000)"))
        assert source is not None
        sums: list[float] = []

        def read() -> None:
            sums.append(sum(batch.column("x").values.sum() for batch in source.batches(["x"])))

        threads = [threading.Thread(target=read) for _ in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert sums == [399_999 * 200_000] * 4


def test_a_query_sees_no_variable_of_python(tmp_path: Path) -> None:
    hidden = pd.DataFrame({"x": [1]})
    (tmp_path / "rows.sql").write_text("SELECT * FROM hidden", encoding="utf-8")
    with pytest.raises(InputError, match="hidden does not exist"):
        opened(tmp_path / "rows.sql")
    assert len(hidden) == 1


def test_limits_hold_and_their_folder_goes(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": [1.0]}), tmp_path / "a.parquet")
    source = opened(tmp_path / "a.parquet", memory_limit="64MB", threads=1)
    settings = "SELECT current_setting('memory_limit'), current_setting('threads'), current_setting('temp_directory')"
    memory, threads, folder = source._rows._connection.sql(settings).fetchall()[0]
    assert (memory, threads, Path(folder).is_dir()) == ("61.0 MiB", 1, True)
    del source
    gc.collect()
    assert not Path(folder).exists()


@pytest.mark.parametrize("options", [{"memory_limit": "much"}, {"threads": 0}, {"threads": 1.5}])
def test_limits_that_are_none_are_refused(tmp_path: Path, options: dict[str, Any]) -> None:
    pq.write_table(pa.table({"x": [1.0]}), tmp_path / "a.parquet")
    with pytest.raises(InputError):
        opened(tmp_path / "a.parquet", **options)


def test_real_rows_are_those_of_the_core(tmp_path: Path) -> None:
    from scrutable.data.datasets import load_german_credit

    frame = load_german_credit().X
    pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), tmp_path / "a.parquet")
    source, table = opened(tmp_path / "a.parquet"), as_table(frame)
    assert source.names == table.names
    for name in table.names:
        assert sorted(values(source, name)) == sorted(table.column(name).values.tolist())
