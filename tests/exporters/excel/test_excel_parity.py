"""The formulas, computed by LibreOffice, equal the evaluator to the last bit over hostile models and rows."""

from __future__ import annotations

import contextlib
from typing import Any

import pandas as pd
from drawn import KINDS, drawn
from same_results import check_same

from scrutable.errors import UnsupportedModel
from scrutable.proof.edges import edge_rows
from scrutable_excel.exporter import ExcelExporter

from .conftest import RunAll

EXPORTER = ExcelExporter(rows=1)


def held(kind: str, count: int) -> list[tuple[Any, pd.DataFrame]]:
    """Models that a workbook can hold, each with its edge rows inside the domain."""
    pairs: list[tuple[Any, pd.DataFrame]] = []
    for model in drawn(kind, count):
        rows = edge_rows(model, n_random=20)
        with contextlib.suppress(UnsupportedModel):
            inside = EXPORTER.holds(EXPORTER.export(model), rows)
            if inside.any():
                pairs.append((model, rows[inside]))
    return pairs


def test_models_of_every_kind(run_all: RunAll) -> None:
    """All in one start of LibreOffice, which takes seconds."""
    pairs_by_kind = {kind: held(kind, 60 if kind == "scorecards" else 30) for kind in KINDS}
    assert {kind: len(pairs) for kind, pairs in pairs_by_kind.items() if len(pairs) <= 10} == {}
    pairs = [pair for of_kind in pairs_by_kind.values() for pair in of_kind]
    for (model, rows), theirs in zip(pairs, run_all(pairs), strict=True):
        check_same(model, rows, theirs)
