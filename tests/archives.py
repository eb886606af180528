"""Archives that tests change, as somebody would who can write to their folders."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from scrutable.testing.contract.examples.models import HOSTILE_TEXTS, models_named
from scrutable_records import Archive, Replayed
from scrutable_records.packing import packed

N_ROWS = 40
CARD = models_named()["scorecard"]


def applicants(n_rows: int = N_ROWS, seed: int = 0) -> dict[str, Any]:
    """Rows with edge values and hostile texts, and what is said of them."""
    draw = np.random.default_rng(seed)
    edges = np.array([np.nan, -0.0, 0.0, np.inf, -np.inf, 5e-324, 1e308, -9.0, 1.0, 40.0])
    words = np.array([None, "", "x", "cook", *HOSTILE_TEXTS], dtype=object)
    numbers = {name: edges[draw.integers(len(edges), size=n_rows)] for name in ("amount", "age", "region")}
    return {
        **numbers,
        "job": words[draw.integers(len(words), size=n_rows)],
        "loan": [f"L{number}" for number in range(1, n_rows + 1)],
    }


def by_what(done: Replayed) -> dict[str, list[int]]:
    """The numbers of records, by what differs."""
    numbers: dict[str, list[int]] = {}
    for each in done.differences:
        numbers.setdefault(each.what, []).extend(range(each.first, each.last + 1))
    return numbers


def part_of(archive: Archive, place: int = 0) -> tuple[Path, pa.Table]:
    """A part's file, and what it holds."""
    path = archive.folder / f"part-{place + 1:06}.parquet"
    return path, pq.read_table(path)


def changed(archive: Archive, change: Callable[[list[dict[str, Any]]], Any], place: int = 0) -> None:
    """Change the rows of a part as somebody would who can write there."""
    path, table = part_of(archive, place)
    rows = table.to_pylist()
    change(rows)
    pq.write_table(pa.Table.from_pylist(rows, table.schema), path, use_dictionary=False, store_schema=False)


def digest_of(row: Mapping[str, Any]) -> bytes:
    """The digest that a row should have, worked out value by value."""
    from scrutable_records.fields import FACTS

    facts = b"".join(packed(row[name]) for name in FACTS)
    return hashlib.sha256(row["previous_sha256"] + facts + (row["personal_sha256"] or b"-")).digest()


def linked(rows: list[dict[str, Any]], start: int = 0) -> None:
    """Make rows from one on follow each other again, as whoever covers a trace does."""
    for place in range(start, len(rows)):
        if place:
            rows[place]["previous_sha256"] = rows[place - 1]["sha256"]
        rows[place]["sha256"] = digest_of(rows[place])


def cover(archive: Archive) -> None:
    """Make the whole archive consistent: parts, links between them and the manifest."""
    file = archive.folder / "manifest.json"
    manifest, last = json.loads(file.read_text()), None
    for place, part in enumerate(manifest["parts"]):

        def relink(rows: list[dict[str, Any]], last: bytes | None = last) -> None:
            if last is not None:
                rows[0]["previous_sha256"] = last
            linked(rows)

        changed(archive, relink, place)
        rows = part_of(archive, place)[1].to_pylist()
        last = rows[-1]["sha256"]
        part["sha256"] = last.hex()
    file.write_text(json.dumps(manifest))
