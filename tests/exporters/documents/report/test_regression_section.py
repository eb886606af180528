"""Coefficients in the model's document: numbers, and bars with their intervals on one scale."""

from __future__ import annotations

import re

import pytest

from scrutable.measures import Coefficient, RegressionFigures
from scrutable.model import Evidence, FrozenMapping
from scrutable.testing.cards import card
from scrutable_documents.common.sections import Table
from scrutable_documents.report.options import ReportOptions
from scrutable_documents.report.regression import regression
from scrutable_documents.report.subject import read_subject

FIGURES = RegressionFigures(
    kind="logistic",
    multiplies="weight of evidence",
    rows=100,
    weight=100,
    rank=4,
    log_likelihood=-40.0,
    null_log_likelihood=-60.0,
    coefficients=(
        Coefficient(value=-123456.0, model_error=1.0, sandwich_error=1.0),
        Coefficient(feature="age", value=1.0, model_error=0.1, sandwich_error=0.1),
        Coefficient(feature="income", value=-0.5, model_error=50.0, sandwich_error=50.0),
        Coefficient(feature="job", value=0.0, held="sign"),
    ),
)


def test_bars_share_a_scale_that_a_wide_interval_does_not_stretch() -> None:
    evidence = Evidence(model_sha256="", metrics=FrozenMapping({"regression": FIGURES.to_json()}))
    section = regression(read_subject(card(), evidence, ReportOptions()))
    assert section is not None
    [table] = [block for block in section.blocks if isinstance(block, Table)]
    assert table.headers[-1] == "As a bar"
    intercept, age, income, job = (row[-1] for row in table.rows)
    assert intercept == ""
    assert "-123,456" in table.rows[0]
    # From -1.25 to 1.75: as far again as half of all that lies between the coefficients.
    bars = [[*map(float, re.findall(r'x="([\d.]+)"[^>]* width="([\d.]+)"', str(drawn))[0])] for drawn in (age, income)]
    assert bars == [pytest.approx([125 / 3, 100 / 3], abs=0.01), pytest.approx([25, 50 / 3], abs=0.01)]
    whisker = re.findall(r'x="([\d.]+)" y="4.4" width="([\d.]+)"', str(income))
    assert whisker == [("0.00", "100.00")]
    assert "4.4" not in str(job)
