"""A million archived decisions made anew by a whole process, and altered records among them."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from clock import process, yardstick
from exporting import cards
from report import Row

from scrutable import dump
from scrutable.model import Scorecard
from scrutable_records import Archive, Said

#: Applicants that are made, and recorded, at once.
_BLOCK = 250_000
_ALTERED = 100
#: What is done to a record, by the column that it is done to.
_ALTERATIONS: dict[str, Callable[[Any], Any]] = {
    "score": lambda value: float(np.nextafter(value, np.inf)),
    "decision": lambda value: 1 - value,
    "reasons": lambda _: '["R0"]',
    "occurred_at": lambda _: "2026-11-28T00:00:00.000000Z",
    "id": lambda value: value + "0",
    "input": lambda value: float(np.nextafter(0.0 if np.isnan(value) else value, np.inf)),
    "model": lambda value: value[::-1],
    "sha256": lambda value: value[::-1],
}


def rows_of_replay(*, quick: bool = False) -> Iterator[Row]:
    """CPU time and memory of `scrutable replay`, and how many of a hundred altered records it names."""
    n_rows, fewer, runs = (300_000, 100_000, 3) if quick else (1_000_000, 600_000, 5)  # 600,000 compile loops, too
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        model = cards.scorecard()
        (home / "models").mkdir()
        dump(model, home / "models" / "model.json")
        archive = _recorded(model, home / "decisions", n_rows)
        few = _recorded(model, home / "few", fewer)
        command = _replay(archive.folder, home)
        seconds, peak = process(command, runs)
        _, before = process(_replay(few.folder, home), runs)
        made_anew = json.loads(_said(command))["verified"]
        altered, named = _altered(archive), set[int]()
        for each in json.loads(_said(command))["differences"]:
            named |= set(range(each["first"], each["last"] + 1))
    what = f"replay of {n_rows:,} decisions"
    sorting = yardstick(5)
    yield Row(
        name=f"{what}: CPU",
        value=seconds,
        unit="s",
        relation="<=",
        bound=20.0 * n_rows / 1_000_000,
        note=f"of which {made_anew:,} were made anew alike; sorting a million doubles takes {sorting * 1e3:.0f} ms",
    )
    yield Row(name=f"{what}: memory / {fewer:,}", value=peak / before, unit="x", relation="<=", bound=1.25)
    yield Row(name=f"{what}: made anew alike", value=made_anew, unit="rows", relation=">=", bound=n_rows)
    yield Row(name="altered records named", value=len(named & altered), unit="records", relation=">=", bound=_ALTERED)
    yield Row(name="other records named", value=len(named - altered), unit="records", relation="<=", bound=0)


def _recorded(model: Scorecard, folder: Path, n_rows: int) -> Archive:
    archive = Archive(folder)
    for start in range(0, n_rows, _BLOCK):
        block = cards.applicants(min(_BLOCK, n_rows - start), seed=start)
        ids = [f"L{number}" for number in range(start, start + len(next(iter(block.values()))))]
        archive.append(model, {**block, "loan": ids}, Said(id="loan", now="2026-11-27"))
    return archive


def _replay(folder: Path, home: Path) -> list[str]:
    asked = ["replay", str(folder), "--models", str(home / "models"), "--json"]
    return [sys.executable, "-m", "scrutable.cli", *asked]


def _said(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def _altered(archive: Archive) -> set[int]:
    """The numbers of records of which one value was altered, drawn from all parts."""
    draw, numbers = np.random.default_rng(0), set[int]()
    parts = sorted(archive.folder.glob("*.parquet"))
    kinds = list(_ALTERATIONS)
    for place, path in enumerate(parts):
        table = pq.read_table(path)
        share = range(place, _ALTERED, len(parts))
        rows = draw.choice(len(table), size=len(share), replace=False)
        for row, number in zip(rows.tolist(), share, strict=True):
            kind = kinds[number % len(kinds)]
            name = next(each for each in table.column_names if each.startswith("input_")) if kind == "input" else kind
            table = _with(table, name, row, _ALTERATIONS[kind])
            numbers.add(table["record"][row].as_py())
        pq.write_table(table, path, use_dictionary=False, store_schema=False)
    return numbers


def _with(table: pa.Table, name: str, row: int, alter: Callable[[Any], Any]) -> pa.Table:
    """A table with one value altered."""
    column = table[name]
    one = pa.array([alter(column[row].as_py())], column.type)
    whole = pa.chunked_array([*column[:row].chunks, one, *column[row + 1 :].chunks], column.type)
    return table.set_column(table.column_names.index(name), table.schema.field(name), whole)
