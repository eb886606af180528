"""The formulas, computed by LibreOffice, equal the evaluator to the last bit over hostile scorecards and rows."""

from __future__ import annotations

import contextlib
from typing import Any

import pandas as pd
from drawn import drawn
from same_results import check_same

from scrutable.errors import UnsupportedModel
from scrutable.model import RegressionScorecard
from scrutable.proof.edges import edge_rows
from scrutable.testing.plain import without_extras, without_tables
from scrutable_excel.exporter import ExcelExporter

from .conftest import RunAll

EXPORTER = ExcelExporter(rows=1)


def held(kind: str, count: int) -> list[tuple[Any, pd.DataFrame]]:
    """Scorecards that a workbook can hold, each with its edge rows inside the domain."""
    pairs: list[tuple[Any, pd.DataFrame]] = []
    for each in drawn(kind, count):
        model = without_tables(each) if isinstance(each, RegressionScorecard) else without_extras(each)
        rows = edge_rows(model, n_random=20)
        with contextlib.suppress(UnsupportedModel):
            inside = EXPORTER.holds(EXPORTER.export(model), rows)
            if inside.any():
                pairs.append((model, rows[inside]))
    return pairs


def test_scorecards(run_all: RunAll) -> None:
    """All in one start of LibreOffice, which takes seconds."""
    pairs = [*held("scorecards", 60), *held("regression scorecards", 40)]
    assert len(pairs) > 35
    assert sum(isinstance(model, RegressionScorecard) for model, _ in pairs) > 15
    for (model, rows), theirs in zip(pairs, run_all(pairs), strict=True):
        check_same(model, rows, theirs)
