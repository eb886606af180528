"""The formulas, computed by LibreOffice, equal the evaluator to the last bit over hostile scorecards and rows."""

from __future__ import annotations

import contextlib

import numpy as np
import pandas as pd
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from scrutable.errors import UnsupportedModel
from scrutable.model import RegressionScorecard, Scorecard
from scrutable.model.evaluator import differences, evaluate
from scrutable.proof.edge_rows import edge_rows
from scrutable.testing.strategies import regression_scorecards, scorecards
from scrutable_excel.exporter import ExcelExporter

from .conftest import RunAll

EXPORTER = ExcelExporter(rows=1)


Card = Scorecard | RegressionScorecard


def drawn(models: st.SearchStrategy[Card], n_examples: int) -> list[tuple[Card, pd.DataFrame]]:
    """Scorecards that a workbook can hold, each with its edge rows inside the domain."""
    found: list[tuple[Card, pd.DataFrame]] = []

    @settings(
        max_examples=n_examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(model=models)
    def collect(model: Card) -> None:
        rows = edge_rows(model, n_random=20)
        with contextlib.suppress(UnsupportedModel):
            inside = EXPORTER.holds(EXPORTER.export(model), rows)
            if inside.any():
                found.append((model, rows[inside]))

    collect()
    return found


def test_scorecards(run_all: RunAll) -> None:
    """All in one start of LibreOffice, which takes seconds."""
    pairs = [*drawn(scorecards(), 120), *drawn(regression_scorecards(), 40)]
    assert len(pairs) > 70
    assert sum(isinstance(model, RegressionScorecard) for model, _ in pairs) > 15
    for (model, rows), theirs in zip(pairs, run_all(pairs), strict=True):
        ours = evaluate(model, rows).frame()
        assert list(theirs) == list(ours)
        assert differences(ours, theirs) == {}, model
        for name, values in ours.items():
            assert values.dtype == theirs[name].dtype
            assert values.dtype == object or (np.signbit(values) == np.signbit(theirs[name])).all(), name
