"""Records go through a database's table and come back as they were."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

import pytest
from archives import CARD, N_ROWS, applicants, by_what, changed

from scrutable import registry
from scrutable.errors import InputError
from scrutable.testing.contract.examples.models import models_named
from scrutable_records import (
    Archive,
    Decider,
    Said,
    StoredRecords,
    TableRows,
    Which,
    erase,
    replay,
    table_statement,
    write_rows_of,
)


@pytest.fixture
def plain(tmp_path: Path) -> Archive:
    """Decisions of two models in turns, one erased, with texts that CSV can hold."""
    made = Archive(tmp_path / "plain")
    for _ in range(2):
        made.append(CARD, applicants(), Said(id="loan", now="2026-11-27"))
        made.append(models_named()["stumps"], {"age": [19.0, -0.0], "income": [None, 1e308]})
    erase(made, Which(records=(3,)), by="records office", why="request 17")
    return made


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_rows_are_replayed_as_the_archive_is(
    plain: Archive, models: Mapping[str, Decider], tmp_path: Path, suffix: str
) -> None:
    file = tmp_path / f"rows{suffix}"
    assert write_rows_of(StoredRecords(plain.folder), file).records == 2 * N_ROWS + 5
    rows, stored = (replay(each, models, heads=[plain.head]) for each in (TableRows(file), StoredRecords(plain.folder)))
    assert rows == stored
    assert (rows.passed, rows.erased, rows.verified) == (True, 1, 2 * N_ROWS + 3)


def test_a_database_gives_the_rows_back(plain: Archive, models: Mapping[str, Decider], tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    statement = table_statement(registry().load("dialect", "duckdb"), "decisions")
    write_rows_of(StoredRecords(plain.folder), tmp_path / "first.parquet")
    with duckdb.connect() as database:
        database.execute(statement)
        database.execute(f"INSERT INTO decisions SELECT * FROM '{tmp_path}/first.parquet' ORDER BY record DESC")
        database.execute(f"COPY (SELECT * FROM decisions ORDER BY record) TO '{tmp_path}/out.csv' (HEADER)")
        database.execute(f"COPY (SELECT * FROM decisions ORDER BY record) TO '{tmp_path}/out.parquet'")
        for suffix in (".csv", ".parquet"):
            done = replay(TableRows(tmp_path / f"out{suffix}"), models, heads=[plain.head])
            assert (done.passed, done.verified) == (True, 2 * N_ROWS + 3), done.differences
        database.execute("UPDATE decisions SET score = score + 1 WHERE record = 7")
        database.execute("UPDATE decisions SET inputs = replace(inputs, 'age', 'Age') WHERE record = 8")
        database.execute("UPDATE decisions SET inputs = '{' WHERE record = 9")
        database.execute("DELETE FROM decisions WHERE record = 10")
        database.execute(f"COPY (SELECT * FROM decisions ORDER BY record) TO '{tmp_path}/out.csv' (HEADER)")
    assert by_what(replay(TableRows(tmp_path / "out.csv"), models)) == {
        "altered": [7],
        "score": [7],
        "personal": [8, 9],
        "incomplete": [8, 9],
        "missing": [10],
    }


def test_rows_after_one_follow_a_head_that_was_kept(
    plain: Archive, models: Mapping[str, Decider], tmp_path: Path
) -> None:
    write_rows_of(StoredRecords(plain.folder), tmp_path / "rows.parquet", after=50)
    done = replay(TableRows(tmp_path / "rows.parquet"), models, heads=[plain.head])
    assert (done.passed, done.records) == (True, 2 * N_ROWS + 5 - 50)


def test_rows_that_do_not_stand_in_order_are_named_and_read(
    archive: Archive, models: Mapping[str, Decider], tmp_path: Path
) -> None:
    write_rows_of(StoredRecords(archive.folder), tmp_path / "rows.parquet")
    import pyarrow.parquet as pq

    table = pq.read_table(tmp_path / "rows.parquet")
    order = [*range(5), 9, *range(6, 9), 5, *range(10, N_ROWS)]
    named_so = table.take(order).rename_columns([name.upper() for name in table.column_names])
    pq.write_table(named_so, tmp_path / "rows.parquet")
    done = replay(TableRows(tmp_path / "rows.parquet"), models)
    assert by_what(done) == {"out of place": [6, 10]}
    assert all("ORDER BY record" in str(each) for each in done.differences)
    assert done.verified == N_ROWS


@pytest.mark.parametrize("loan", ["=1+1", "", "a\rb"])
def test_csv_with_texts_that_it_cannot_hold_is_refused(tmp_path: Path, loan: str) -> None:
    archive = Archive(tmp_path / "decisions")
    archive.append(CARD, applicants(1) | {"loan": [loan]}, Said(id="loan"))
    with pytest.raises(InputError, match="cannot be written to CSV exactly"):
        write_rows_of(StoredRecords(archive.folder), tmp_path / "rows.csv")
    assert not (tmp_path / "rows.csv").exists()
    assert write_rows_of(StoredRecords(archive.folder), tmp_path / "rows.parquet").records == 1


def test_an_archive_that_is_not_whole_is_not_exported(archive: Archive, tmp_path: Path) -> None:
    changed(archive, lambda rows: rows.pop(3))
    with pytest.raises(InputError, match="the archive is not whole; got 'record 4: the archive lacks them'"):
        write_rows_of(StoredRecords(archive.folder), tmp_path / "rows.parquet")


def test_a_file_without_a_column_is_refused(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("record,score\n1,2\n")
    with pytest.raises(InputError, match="missing column of the table of records"):
        list(TableRows(tmp_path / "rows.csv")._batches(["sha256"]))


@pytest.mark.parametrize(
    ("column", "cell"), [("record", "secret"), ("record", "9" * 30), ("about", "1.5"), ("score", "secret")]
)
def test_a_cell_that_is_no_number_is_refused_and_not_told(tmp_path: Path, column: str, cell: str) -> None:
    with pytest.raises(InputError, match=f"column {column!r}") as error:
        replay(TableRows(_with(tmp_path, column, cell)), {})
    assert cell not in str(error.value)


def test_a_row_without_a_number_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="column 'record'"):
        TableRows(_with(tmp_path, "record", ""))


@pytest.mark.parametrize("value", ['{"bits": "00"}', '{"bits": 5}', "1" + "0" * 400, '"\\ud800"', "[1]", "true"])
def test_inputs_that_are_none_do_not_fit_their_digest(tmp_path: Path, value: str) -> None:
    rows = TableRows(_with(tmp_path, "inputs", f'{{"age": {value}, "income": 1.0}}'))
    assert "personal" in by_what(replay(rows, {}))


def _with(folder: Path, column: str, cell: str) -> Path:
    """A file of two records, of which the second has another cell."""
    made, file = Archive(folder / "made"), folder / "rows.csv"
    made.append(models_named()["stumps"], {"age": [19.0, 40.0], "income": [1.0, 2.0]})
    write_rows_of(StoredRecords(made.folder), file)
    titles, one, other = csv.reader(file.read_text().splitlines())
    other[titles.index(column)] = cell
    with file.open("w", newline="") as handle:
        csv.writer(handle).writerows([titles, one, other])
    return file


@pytest.mark.parametrize("name", ["x; drop table y", "a b", "", "a.", '"a"'])
def test_a_table_with_an_odd_name_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="not a plain name of a table"):
        table_statement(registry().load("dialect", "postgres"), name)


@pytest.mark.parametrize("listing", registry().listings("dialect"), ids=lambda listing: listing.name)
def test_every_dialect_has_a_statement(listing: object) -> None:
    import sqlglot

    dialect = registry().load("dialect", listing.name)  # type: ignore[attr-defined]
    [parsed] = sqlglot.parse(table_statement(dialect), dialect=dialect.sqlglot)
    assert len(parsed.find(sqlglot.exp.Schema).expressions) == 21
