"""A card that scorecardpy fitted on German credit scores every row as scorecardpy does, here and in a database.

The card and the scores are scorecardpy's own; make_scorecardpy_card.py made them.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from scrutable import create, evaluate
from scrutable.data.datasets import load_german_credit
from scrutable.model import Outcome
from scrutable.proof import certify, exporter_at, verification_rows
from scrutable_points_table.tables import ImportedCard, read_points_table

from .make_scorecardpy_card import INPUTS, with_holes

HERE = Path(__file__).parent / "scorecardpy"
OUTCOME = Outcome(target="credit_risk", classes=("bad", "good"), favourable="good")


@pytest.fixture(scope="module")
def found() -> ImportedCard:
    return read_points_table(HERE / "card.csv", outcome=OUTCOME, cutoff=500)


@pytest.mark.parametrize("column", ["score", "with_holes"])
def test_every_row_scores_as_in_scorecardpy(found: ImportedCard, column: str) -> None:
    rows = load_german_credit().frame[list(INPUTS)]
    rows = with_holes(rows) if column == "with_holes" else rows
    theirs = pd.read_csv(HERE / "scores.csv")[column].to_numpy()
    assert len(theirs) == 1000
    assert (evaluate(found.model, rows).score == theirs).all()


def test_the_report_says_that_there_are_no_rows_for_missing_values(found: ImportedCard) -> None:
    gaps = [finding for finding in found.report.of("gap") if "missing values" in finding.what]
    assert {finding.where for finding in gaps} == set(INPUTS)
    assert found.report.largest_difference == 0


def test_it_runs_in_a_database_with_a_certificate(found: ImportedCard) -> None:
    rows = verification_rows(found.model, with_holes(load_german_credit().frame[list(INPUTS)]), n_random=500)
    certificate = certify(found.model, [exporter_at("duckdb"), exporter_at("points-table")], rows)
    assert certificate.passed
    assert all(run.n_rows >= 1500 and not any(run.differing().values()) for run in certificate.runs)


def test_the_card_is_written_back_as_it_was(found: ImportedCard) -> None:
    export = create("exporter", "points-table", layout="scorecardpy").export(found.model)
    assert export.text.replace(",0.0\n", ",-0.0\n") == (HERE / "card.csv").read_text()
