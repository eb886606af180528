"""What is deployed beside the model: planted differences that are found, and reads while versions are switched."""

from __future__ import annotations

import math
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from report import Row

from producing.planted import KINDS, Planted, all_planted, model, view
from scrutable.errors import PluginError, ScrutableError
from scrutable.proof import exporter_at
from scrutable.testing.servers import postgres_server
from scrutable_deployment import Returned, attested, deploy, proof_script, roll_back, verify_deployed

_ENGINES = ("postgres", "duckdb", "sqlite")
_COLUMNS = ("proof", "model", "engine", "rows_compared", "differences", "digest")
_READ = "SELECT COUNT(DISTINCT model_version), MAX(model_version), SUM(score) FROM score"


def rows_of_deployed(*, quick: bool = False) -> Iterator[Row]:
    """Planted differences found by `verify --deployed` and by the script; what passes; reads of one version."""
    with ExitStack() as servers:
        for engine in _ENGINES:
            try:
                url = servers.enter_context(_database(engine))
            except PluginError as error:
                yield Row(name=f"{engine}: not here", value=math.nan, unit="", relation=">=", bound=0, note=str(error))
                continue
            yield from _found(engine, url, all_planted(engine)[:: 6 if quick else 1])
            if engine == "postgres":
                yield from _switched(url, *((8, 5) if quick else (50, 20)))


def _found(engine: str, url: str, planted: list[Planted]) -> Iterator[Row]:
    by_view = sum(not _verified(engine, url, each) for each in planted)
    yield _count(f"{engine}: planted differences, verify --deployed", by_view, len(planted))
    yield _count(f"{engine}: nothing planted, verify --deployed passes", int(_verified(engine, url, None)), 1)
    of_text = [each for each in planted if each.column is None]
    by_script = sum(not _proven(engine, url, each) for each in of_text)
    yield _count(f"{engine}: planted differences, proof script", by_script, len(of_text))
    yield _count(f"{engine}: nothing planted, proof script passes", int(_proven(engine, url, None)), 1)
    refused = sum(_refused(engine, url, salt, rows) for salt, rows in (("f" * 32, 100), ("0" * 32, 101)))
    yield _count(f"{engine}: results of another script or salt, refused", refused, 2)


def _count(name: str, value: int, bound: int) -> Row:
    return Row(name=name, value=value, unit="", relation=">=", bound=bound)


def _verified(engine: str, url: str, planted: Planted | None) -> bool:
    """Whether what is deployed passes."""
    changed = None if planted is None or planted.column is None else planted.column
    _run(url, "DROP VIEW IF EXISTS score", *_applicants(engine, changed, 100))
    _run(url, view(engine, None if changed else planted))
    try:
        return verify_deployed(model(), url, "score", rows=500).passed
    except ScrutableError:
        return False


def _proven(engine: str, url: str, planted: Planted | None) -> bool:
    """Whether the script of a deployed text, run in the engine, becomes a certificate that passes."""
    read: dict[str, Any] = {"text": view(engine, planted), "table": "applicants", "key": "id"}
    proof = proof_script(model(), engine, rows=400, salt="0" * 32, **read)
    return attested(model(), _returned(url, proof.text), proof.text).passed


def _refused(engine: str, url: str, salt: str, rows: int) -> bool:
    ours = proof_script(model(), engine, rows=100, salt="0" * 32)
    other = proof_script(model(), engine, rows=rows, salt=salt)
    try:
        attested(model(), _returned(url, other.text), ours.text)
    except ScrutableError:
        return True
    return False


def _returned(url: str, text: str) -> Returned:
    [[name, fingerprint, engine, *numbers]] = _run(url, text)
    values = (name, fingerprint, engine, *map(int, numbers))
    return Returned(**dict(zip(_COLUMNS, values, strict=True)))


def _switched(url: str, readers: int, reads: int) -> Iterator[Row]:
    """Readers of all rows, while versions are switched there and back until all have read."""
    _run(url, "DROP VIEW IF EXISTS score", *_applicants("postgres", None, 20_000))
    versions = {1: model(), 2: replace(model(), base_points=520.0)}
    sums = {}
    for version, each in versions.items():
        deploy(each, "score", url=url, key=["id"], run=True)
        [[_, _, total]] = _run(url, _READ)
        sums[version] = float(total)
    seen: list[tuple[int, int, float]] = []

    def reader() -> None:
        with _connected(url) as connection:
            for _ in range(reads):
                [[n_versions, version, total]] = _rows(connection, _READ)
                seen.append((int(n_versions), int(version), float(total)))

    threads = [threading.Thread(target=reader) for _ in range(readers)]
    for thread in threads:
        thread.start()
    switches = 0
    while any(thread.is_alive() for thread in threads):
        roll_back("score", url=url, run=True)
        deploy(versions[2], "score", url=url, key=["id"], run=True)
        switches += 2
    whole = sum(n_versions == 1 and total == sums[version] for n_versions, version, total in seen)
    note = (
        f"{readers} readers, {switches} switches and rollbacks, both versions read: {len({v for _, v, _ in seen}) == 2}"
    )
    yield Row(name="reads of one version", value=whole, unit="", relation=">=", bound=readers * reads, note=note)


def _applicants(engine: str, changed: tuple[str, str] | None, n_rows: int) -> list[str]:
    kinds = {"id": "INTEGER", "age": KINDS[engine], "income": KINDS[engine], "housing": "TEXT"}
    kinds |= dict([changed] if changed else [])
    columns = ", ".join(f"{name} {kind}" for name, kind in kinds.items())
    ages, incomes = ("NULL", "-9", "17", "25", "30", "61.5"), ("NULL", "0", "1000", "999", "2501")
    rows = [
        f"({i}, {ages[i % 6]}, {incomes[i % 5]}, {('NULL', repr('own'), repr('rent'))[i % 3]})" for i in range(n_rows)
    ]
    return [
        "DROP TABLE IF EXISTS applicants",
        f"CREATE TABLE applicants ({columns})",
        f"INSERT INTO applicants VALUES {', '.join(rows)}",
    ]


@contextmanager
def _database(engine: str) -> Iterator[str]:
    if engine == "postgres":
        with postgres_server() as url:
            yield url
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "bank.db")
        if engine == "sqlite":
            sqlite3.connect(path).close()
        else:
            import duckdb

            duckdb.connect(str(path)).close()
        yield f"{engine}:///{path}"


@contextmanager
def _connected(url: str) -> Iterator[Any]:
    exporter: Any = exporter_at(url)
    with exporter.connected() as connection:
        is_server = hasattr(connection, "exec_driver_sql")
        yield connection.execution_options(isolation_level="AUTOCOMMIT") if is_server else connection


def _run(url: str, *texts: str) -> list[Any]:
    """The rows of the last text, if it is a query."""
    with _connected(url) as connection:
        for text in texts[:-1]:
            _execute(connection, text)
        return _rows(connection, texts[-1])


def _execute(connection: Any, text: str) -> Any:
    if hasattr(connection, "exec_driver_sql"):
        return connection.exec_driver_sql(text, execution_options={"no_parameters": True})
    return connection.execute(text)


def _rows(connection: Any, text: str) -> list[Any]:
    result = _execute(connection, text)
    told = getattr(result, "returns_rows", getattr(result, "description", None))
    return [list(row) for row in result.fetchall()] if told else []
