"""What fit says of trends that were asked for."""

from __future__ import annotations

from scrutable import create
from scrutable.data.datasets import load_german_credit
from scrutable_additive.sentences import about_path

DATA = load_german_credit()


def test_what_a_trend_costs_that_the_rows_go_against_is_said_by_fit() -> None:
    X = DATA.X[["duration_months", "credit_amount", "installment_rate"]]
    learner = create("learner", "additive", favourable="good", trends={"credit_amount": "ascending"})
    told = [line for line in about_path(learner.fit(X, DATA.y).evidence_) if line.startswith("'credit_amount'")]
    assert len(told) == 1
    assert "as asked; this loses" in told[0]
    assert told[0].endswith("% of the variance")
