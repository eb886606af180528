"""Records go through tables of PostgreSQL and MariaDB and come back as they were."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from archives import CARD, N_ROWS, applicants

from scrutable import registry
from scrutable.errors import PluginError
from scrutable.testing.servers import mariadb_server, postgres_server
from scrutable_records import Archive, Decider, Said, StoredRecords, TableRows, replay, table_statement, write_rows_of


def test_postgresql_gives_the_rows_back(archive: Archive, models: Mapping[str, Decider], tmp_path: Path) -> None:
    psycopg = pytest.importorskip("psycopg")
    write_rows_of(StoredRecords(archive.folder), tmp_path / "rows.csv")
    with postgres_server() as url, psycopg.connect(url) as database:
        database.execute(table_statement(registry().load("dialect", "postgres")))
        with database.cursor().copy("COPY decision_archive FROM STDIN (FORMAT csv, HEADER)") as copy:
            copy.write((tmp_path / "rows.csv").read_bytes())
        asked = "COPY (SELECT * FROM decision_archive ORDER BY record) TO STDOUT (FORMAT csv, HEADER)"
        with database.cursor().copy(asked) as copy:
            (tmp_path / "out.csv").write_bytes(b"".join(copy))
    done = replay(TableRows(tmp_path / "out.csv"), models, heads=[archive.head])
    assert (done.passed, done.verified) == (True, N_ROWS), done.differences


def test_mariadb_gives_the_rows_back(archive: Archive, models: Mapping[str, Decider], tmp_path: Path) -> None:
    pymysql = pytest.importorskip("pymysql")
    archive.append(CARD, applicants(3) | {"loan": ["=1+1", "", "é"]}, Said(id="loan"))
    write_rows_of(StoredRecords(archive.folder), tmp_path / "rows.parquet")
    rows = [tuple(row.values()) for row in pq.read_table(tmp_path / "rows.parquet").to_pylist()]
    try:
        with mariadb_server() as url:
            database = pymysql.connect(unix_socket=url.rpartition("=")[2], user="root", charset="utf8mb4")
            cursor = database.cursor()
            cursor.execute("CREATE DATABASE risk CHARACTER SET utf8mb4")
            cursor.execute("USE risk")
            cursor.execute(table_statement(registry().load("dialect", "mariadb"), "risk.decisions"))
            cursor.executemany(f"INSERT INTO decisions VALUES ({', '.join(['%s'] * len(rows[0]))})", rows)
            cursor.execute("SELECT * FROM decisions ORDER BY record")
            _write_csv(tmp_path / "out.csv", [each[0] for each in cursor.description], cursor.fetchall())
            database.close()
    except PluginError as error:
        pytest.skip(str(error))
    done = replay(TableRows(tmp_path / "out.csv"), models, heads=[archive.head])
    assert (done.passed, done.verified) == (True, N_ROWS + 3), done.differences


def _write_csv(file: Path, names: list[str], rows: Any) -> None:
    """Rows as CSV in which what is NULL is \\N, as MariaDB's own export writes it."""
    with open(file, "w", newline="", encoding="utf-8") as handle:
        writer = csv.writer(handle, quoting=csv.QUOTE_ALL)
        writer.writerow(names)
        for row in rows:
            cells = ("\\N" if cell is None else '"' + str(cell).replace('"', '""') + '"' for cell in row)
            handle.write(",".join(cells) + "\r\n")
