"""The document's figures on calibration: by hand, and those of `scrutable validate` told of the favourable outcome."""

from __future__ import annotations

import pytest
from cards import ensemble, numbers

from scrutable import create
from scrutable.data.datasets import load_german_credit
from scrutable.model import Calibration, Clause, Interval, Leaf, Model, Split
from scrutable_documents.common.sections import Facts, Picture, Section, Table
from scrutable_documents.report.options import ReportOptions
from scrutable_documents.report.performance import measure_parts, performance
from scrutable_documents.report.subject import read_subject
from scrutable_lifecycle.validation import validate

DATA = load_german_credit()


def _section(model: Model, **options: object) -> Section:
    subject = read_subject(model, None, ReportOptions(**options))  # type: ignore[arg-type] # options of any kind
    return performance(subject, measure_parts(subject))


def _calibration(section: Section) -> Table:
    [table] = [block for block in section.blocks if isinstance(block, Table) and block.caption == "Calibration"]
    return table


def test_by_hand() -> None:
    """Twelve applicants with a probability of 75%, nine good; four with 50% and four with 25%, one good each."""
    low, middle = (Clause("amount", (Interval(upper=end),)) for end in (1, 2))
    model = ensemble(
        features=numbers("amount"),
        trees=(Split(low, Leaf(0.25), Split(middle, Leaf(0.5), Leaf(0.75))),),
        cutoff=0.5,
        calibration=Calibration(slope=1, intercept=0, link="identity"),
    )
    amounts = [0.0] * 4 + [1.0] * 4 + [2.0] * 12
    outcomes = ["good"] + ["bad"] * 3 + ["good"] + ["bad"] * 3 + ["good"] * 9 + ["bad"] * 3
    section = _section(model, data={"amount": amounts}, target=outcomes)
    assert [list(row) for row in _calibration(section).rows] == [
        ["0.0% to 25.0%", "4", "25.0%", "25.0%", "0.0%"],
        ["25.0% to 50.0%", "4", "50.0%", "25.0%", "-25.0%"],
        ["50.0% to 100.0%", "12", "75.0%", "75.0%", "0.0%"],
    ]
    [facts] = [block for block in section.blocks if isinstance(block, Facts)]
    assert dict(facts.pairs) == {
        "Mean predicted": "60.0%",  # (4 * 25% + 4 * 50% + 12 * 75%) / 20
        "Observed": "55.0%",  # 11 of 20
        # of 25%: 9/16 + 3/16; of 50%: 4/4; of 75%: 9/16 + 3 * 9/16; together 4, of 20
        "Brier score": "0.2000",
    }
    drawn = [block for block in section.blocks if isinstance(block, Picture)]
    [picture] = [each for each in drawn if each.caption.startswith("Observed share")]
    assert picture.svg.count("<circle") == 3


@pytest.mark.parametrize("learner", ["scorecard", "lda-xgb1"])
def test_the_bins_are_those_of_a_validation(learner: str) -> None:
    fitted = create("learner", learner, favourable="good").fit(DATA.X[:600], DATA.y[:600])
    rows = DATA.frame[600:975]  # 375 are no multiple of ten, so that where a bin ends is a matter of rule
    overall = validate(fitted.model_, rows, rows["credit_risk"]).calibration.overall
    section = _section(fitted.model_, data=rows, target="credit_risk")
    assert [row[1:4] for row in map(tuple, _calibration(section).rows)] == [
        (f"{each.size:.0f}", f"{1 - each.mean_pd:.1%}", f"{1 - each.bad_rate:.1%}") for each in reversed(overall.bins)
    ]
    [facts] = [block for block in section.blocks if isinstance(block, Facts)]
    assert dict(facts.pairs)["Brier score"] == f"{overall.brier.score:.4f}"
