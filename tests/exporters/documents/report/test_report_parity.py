"""The page's script, in Chromium, equals the evaluator to the last bit over hostile models and rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError
from scrutable.model import Model
from scrutable.model.evaluator import differences, evaluate
from scrutable.proof.edge_rows import edge_rows
from scrutable.testing.cards import card
from scrutable.testing.strategies import (
    HOSTILE_TEXTS,
    models,
    regression_scorecards,
    rule_sets,
    scorecards,
    segmented_models,
    tree_ensembles,
)
from scrutable_documents.report.exporter import Report

from .conftest import EvaluateAll

SETTINGS = settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def drawn(strategy: st.SearchStrategy[Any], count: int = 30) -> list[Any]:
    """Models that hypothesis draws, all at once, since a browser takes a second to start."""
    found: list[Any] = []

    @settings(SETTINGS, max_examples=count)
    @given(strategy)
    def collect(model: Any) -> None:
        found.append(model)

    collect()
    return found


@pytest.mark.parametrize(
    "strategy",
    [scorecards(), regression_scorecards(), rule_sets(2), rule_sets(), tree_ensembles(), segmented_models()],
    ids=["scorecards", "regression", "rules of two classes", "rules", "trees", "segments"],
)
def test_every_kind_of_model(strategy: st.SearchStrategy[Any], evaluate_all: EvaluateAll) -> None:
    pairs = [(model, edge_rows(model, n_random=5)) for model in drawn(strategy)]
    for (model, rows), theirs in zip(pairs, evaluate_all(pairs), strict=True):
        ours = evaluate(model, rows).frame()
        assert list(theirs) == list(ours)
        assert differences(ours, theirs) == {}, model
        for name, values in ours.items():
            assert values.dtype == theirs[name].dtype
            assert values.dtype == object or (np.signbit(values) == np.signbit(theirs[name])).all(), name


@pytest.mark.parametrize("model", drawn(models(), 3))
def test_whole_pages(model: Model, browser: str) -> None:
    exporter = Report()
    rows = edge_rows(model, n_random=5)
    assert differences(evaluate(model, rows).frame(), exporter.run(exporter.export(model), rows)) == {}


def test_a_page_of_hostile_words(browser: str) -> None:
    nasty = "</script><script>document.title='gone'</script><!--"
    model = card(amount="__proto__", job="constructor", categories=(nasty, *HOSTILE_TEXTS), words=nasty, code=nasty)
    rows = edge_rows(model, n_random=30)
    exporter = Report(title=nasty, purpose=nasty, date=nasty)
    assert differences(evaluate(model, rows).frame(), exporter.run(exporter.export(model), rows)) == {}


def test_blocks_of_rows_come_back_in_order(browser: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrutable_documents.report.chromium._BLOCK", 7)
    rows = {"amount": np.arange(20.0), "job": ["cook"] * 20}
    exporter = Report.at("chromium")
    found = exporter.run(exporter.export(card()), rows)
    assert found["score"].tolist() == evaluate(card(), rows).score.tolist()
    assert exporter.engine().startswith("Chrom")


def test_a_pdf_does_not_run() -> None:
    exporter = Report(format="pdf")
    with pytest.raises(InputError, match=r"only a page runs.*got \['report.pdf'\]"):
        exporter.run(exporter.export(card()), {"amount": [1.0], "job": ["cook"]})
