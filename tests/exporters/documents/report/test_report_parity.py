"""The page's script, in Chromium, equals the evaluator to the last bit over hostile models and rows."""

from __future__ import annotations

import numpy as np
import pytest
from drawn import KINDS, drawn
from same_results import check_same

from scrutable.errors import InputError
from scrutable.model.evaluator import differences, evaluate
from scrutable.proof.edges import edge_rows
from scrutable.testing.cards import card
from scrutable.testing.strategies import HOSTILE_TEXTS
from scrutable_documents.report.exporter import Report


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_model(kind: str, browser: str) -> None:
    """What node makes of more models is tested with the exporter `javascript`, whose text the page holds."""
    exporter = Report()
    for model in drawn(kind, 2):
        rows = edge_rows(model, n_random=20)
        check_same(model, rows, exporter.run(exporter.export(model), rows))


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
