"""ROC, CAP, lift and KS in the model's document."""

from __future__ import annotations

import re

import pytest

from scrutable import create
from scrutable.data.datasets import make_credit
from scrutable_documents.common.sections import Picture
from scrutable_documents.report.options import ReportOptions
from scrutable_documents.report.performance import measure_parts, performance
from scrutable_documents.report.subject import read_subject
from scrutable_lifecycle.validation import validate

DATA = make_credit(1500, seed=2)
MODEL = create("learner", "scorecard", binner="quantile", favourable=0).fit(DATA.X, DATA.y).model_
LATER, EARLIER = DATA.X.assign(default=DATA.y)[1000:], DATA.X.assign(default=DATA.y)[:1000]


def pictures(**options: object) -> dict[str, Picture]:
    subject = read_subject(MODEL, None, ReportOptions(data=LATER, target="default", **options))  # type: ignore[arg-type]  # of any kind
    section = performance(subject, measure_parts(subject))
    drawn = [block for block in section.blocks if isinstance(block, Picture)]
    return {each.caption.partition(" ")[0].strip(":"): each for each in drawn[:4]}


def test_the_captions_tell_the_figures_of_a_validation() -> None:
    curve = validate(MODEL, LATER, LATER["default"]).curves["measured"]
    alone = pictures()
    assert list(alone) == ["ROC", "CAP", "Lift", "Shares"]
    assert alone["ROC"].caption.endswith(f"; AUC {curve.auc:.3f}")
    assert alone["CAP"].caption.endswith(f"accuracy ratio (Gini) {curve.accuracy_ratio:.3f}")
    assert f"KS {curve.ks:.1%} at " in alone["Shares"].caption
    first = curve.tenths[0]
    assert alone["Lift"].caption.endswith(f"{first.bads:.1%} in the first {first.share:.1%}")


def test_the_development_sample_stands_beside_the_others_where_its_outcomes_are_known() -> None:
    both, alone = pictures(reference=EARLIER), pictures(reference=EARLIER.drop(columns="default"))
    curve = validate(MODEL, EARLIER, EARLIER["default"]).curves["measured"]
    assert f"AUC {curve.auc:.3f} (development)" in both["ROC"].caption
    assert "development" not in alone["ROC"].caption
    assert both["ROC"].svg.count("stroke-dasharray") == 2  # the second line, and its name
    assert both["Lift"].svg.count("<rect") > alone["Lift"].svg.count("<rect")


def test_where_ks_lies_is_marked() -> None:
    [drawn] = re.findall(r'd="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)" stroke="#22272e"', str(pictures()["Shares"].svg))
    curve = validate(MODEL, LATER, LATER["default"]).curves["measured"]
    across, low, same, high = map(float, drawn)
    assert across == same
    assert (low - high) / (300 - 30 - 44) == pytest.approx(curve.ks, abs=1e-3)
