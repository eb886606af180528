"""Figures of a regression as evidence holds them, and what they say."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from scrutable.errors import InputError, ModelError
from scrutable.measures import (
    REGRESSION_FIGURES,
    Coefficient,
    CoefficientTable,
    PureAttribute,
    RegressionFigures,
    TiedTogether,
    fit_in_words,
    p_in_words,
    remarks,
    warnings_in_words,
)
from scrutable.model import Evidence, FrozenMapping, dump_evidence, load_evidence
from scrutable.model.codec import encode

COEFFICIENTS = (
    Coefficient(value=0.5, model_error=0.25, sandwich_error=0.2),
    Coefficient(feature="age", value=1.25, model_error=0.5, sandwich_error=0.6, vif=1.5),
    Coefficient(feature="debt", value=0.0, held="sign"),
    Coefficient(feature="twin", value=0.3, vif=math.inf, held="dependent"),
)
FIGURES = RegressionFigures(
    kind="logistic",
    multiplies="weight of evidence",
    coefficients=COEFFICIENTS,
    rows=200,
    weight=200.0,
    rank=3,
    log_likelihood=-100.0,
    null_log_likelihood=-110.0,
    ridge=1e-4,
    condition_number=math.inf,
)


def evidence(entry: Any) -> Evidence:
    return Evidence(model_sha256="", metrics=FrozenMapping({REGRESSION_FIGURES: entry}))


def test_evidence_keeps_the_figures(tmp_path: Path) -> None:
    whole = replace(
        FIGURES,
        pure=(PureAttribute(feature="age", attribute="< 20", favourable=False),),
        tied=(TiedTogether(feature="age", attributes=("< 20", ">= 20")),),
        errors="sandwich",
        separated=True,
    )
    for figures in (FIGURES, whole, replace(FIGURES, log_likelihood=math.inf)):
        dump_evidence(evidence(figures.to_json()), tmp_path / "evidence.json", overwrite=True)
        assert RegressionFigures.of(load_evidence(tmp_path / "evidence.json")) == figures
    assert RegressionFigures.of(Evidence(model_sha256="")) is None


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"coefficients": COEFFICIENTS[1:]}, "expected the intercept first"),
        ({"coefficients": ()}, "expected the intercept first"),
        ({"kind": "probit"}, "kind.*no such word.*probit.*logistic, linear"),
        ({"errors": "HC3"}, "errors.*no such word.*HC3"),
        ({"rows": -1}, "rows.*no such number"),
        ({"confidence": 1.5}, "confidence.*no such number"),
        ({"ridge": -1.0}, "ridge.*no such number"),
    ],
)
def test_what_cannot_be_is_refused(change: dict[str, Any], text: str) -> None:
    with pytest.raises(ModelError, match=text):
        replace(FIGURES, **change)


@pytest.mark.parametrize(
    ("change", "text"),
    [({"held": "lost"}, "no such word"), ({"held": "sign"}, "why there is none"), ({"model_error": -1.0}, "errors of")],
)
def test_a_coefficient_that_cannot_be_is_refused(change: dict[str, Any], text: str) -> None:
    with pytest.raises(ModelError, match=text):
        replace(COEFFICIENTS[1], **change)


@pytest.mark.parametrize("entry", [3, (), FrozenMapping({"kind": "logistic"})])
def test_entries_that_are_none_are_refused(entry: Any) -> None:
    with pytest.raises(ModelError, match="metrics, regression"):
        RegressionFigures.of(evidence(entry))


def test_evidence_without_is_told_of() -> None:
    with pytest.raises(InputError, match=r"mine\.json: there are no figures of a regression; got 'no figures'"):
        RegressionFigures.read(Evidence(model_sha256=""), "mine.json")


def test_tests_and_intervals_are_by_the_normal_distribution_or_students() -> None:
    age = COEFFICIENTS[1]
    assert FIGURES.z(age) == 2.5
    assert FIGURES.p(age) == pytest.approx(2 * stats.norm.sf(2.5))
    low, high = (float(end) for end in stats.norm.interval(0.95, 1.25, 0.5))
    assert FIGURES.interval(age) == pytest.approx((low, high))
    robust = replace(FIGURES, errors="sandwich", confidence=0.9)
    assert robust.interval(age) == pytest.approx(stats.norm.interval(0.9, 1.25, 0.6))
    linear = replace(FIGURES, kind="linear", rows=10)
    assert linear.residual_degrees == 7
    assert linear.p(age) == pytest.approx(2 * stats.t.sf(2.5, 7))
    assert linear.interval(age) == pytest.approx(stats.t.interval(0.95, 7, 1.25, 0.5))
    for each in COEFFICIENTS[2:]:
        assert (FIGURES.z(each), FIGURES.p(each), FIGURES.interval(each)) == (None, None, None)


def test_the_fit_is_told_by_its_likelihood() -> None:
    assert FIGURES.likelihood_ratio == 20.0
    assert FIGURES.likelihood_ratio_p == pytest.approx(stats.chi2.sf(20, 2))
    assert (FIGURES.aic, FIGURES.bic) == (206.0, pytest.approx(200 + 3 * math.log(200)))
    weighed = replace(FIGURES, weight=50.0)
    assert weighed.bic == pytest.approx(200 + 3 * math.log(50))
    assert replace(weighed, kind="linear").bic == pytest.approx(200 + 3 * math.log(200))
    alone = replace(FIGURES, coefficients=COEFFICIENTS[:1], rank=1, log_likelihood=-110.0)
    assert (alone.likelihood_ratio, alone.likelihood_ratio_p) == (0.0, None)


def test_the_frame_and_the_json_have_every_coefficient() -> None:
    frame = FIGURES.frame()
    assert frame["feature"].tolist() == ["(intercept)", "age", "debt", "twin"]
    assert frame["held"].tolist() == ["", "", "sign", "dependent"]
    assert np.isnan(frame["error"]).tolist() == [False, False, True, True]
    told = FIGURES.to_dict()
    assert told["coefficients"][3]["vif"] == told["condition_number"] == "inf"
    assert told["coefficients"][1]["p"] == FIGURES.p(COEFFICIENTS[1])
    assert {"pure", "tied", "aic", "bic", "likelihood_ratio", "ridge", "errors"} <= set(told)
    assert encode(told) == told


def test_the_page_of_a_notebook_holds_no_markup_of_names() -> None:
    hostile = replace(COEFFICIENTS[1], feature="<script>alert(1)</script>")
    page = replace(FIGURES, coefficients=(COEFFICIENTS[0], hostile))._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_the_table_says_why_there_is_no_error() -> None:
    told = CoefficientTable.of(FIGURES, {"age": "Age in years"})
    assert told.headers == ("Characteristic", "Coefficient", "S.e.", "z", "p", "95 % interval", "VIF")
    assert told.numbers == frozenset(range(1, 7))
    assert told.rows == (
        ("(intercept)", "0.5000", "0.2500", "2.00", ".0455", "0.0100 to 0.9900", ""),
        ("Age in years", "1.2500", "0.5000", "2.50", ".0124", "0.2700 to 2.2300", "1.50"),
        ("Debt", "0.0000", "", "", "", "on its bound", ""),
        ("Twin", "0.3000", "", "", "", "adds up to others", "infinite"),
    )
    robust = CoefficientTable.of(replace(FIGURES, errors="sandwich", kind="linear"), {})
    assert robust.headers[2:4] == ("Robust s.e.", "t")


def test_attributes_stand_below_their_characteristic() -> None:
    attributes = tuple(
        Coefficient(feature="age", attribute=words, value=value, vif=1.25, held=held)
        for words, value, held in (("< 20", -1e-5, "pure"), (">= 20", 0.0, "reference"))
    )
    figures = replace(FIGURES, coefficients=(COEFFICIENTS[0], *attributes), multiplies="attribute")
    rows = CoefficientTable.of(figures, {}).rows
    assert [row[:2] for row in rows] == [("(intercept)", ""), ("Age", "< 20"), ("", ">= 20")]
    assert [row[-2:] for row in rows[1:]] == [("separated", "1.25"), ("reference", "")]
    assert rows[1][2] == "-10⁻⁵"
    repeated = CoefficientTable.of(figures, {}, repeating=True).rows
    assert [row[0] for row in repeated] == ["(intercept)", "Age", "Age"]


@pytest.mark.parametrize(("p", "told"), [(1.0, "1.0000"), (0.04999, ".0500"), (1e-4, ".0001"), (9.9e-5, "<.0001")])
def test_p_values_in_words(p: float, told: str) -> None:
    assert p_in_words(p) == told


def test_what_holds_and_what_is_not_told_is_named() -> None:
    said = list(warnings_in_words(FIGURES))
    assert said[0].startswith(
        "Held at 0 by their sign, since the fit would turn their weight of evidence round: 'debt'"
    )
    assert "'twin'; only the ridge divides among them what they tell together" in said[1]
    assert "no fit is unique" in list(warnings_in_words(replace(FIGURES, ridge=0.0)))[1]
    assert "condition number infinite" in fit_in_words(FIGURES)
    assert fit_in_words(replace(FIGURES, weight=250.5)).startswith("Logistic regression on 200 rows of weight 250.5: ")
    many = tuple(Coefficient(feature=f"x{number}", value=0.0, held="many") for number in range(30))
    large = replace(FIGURES, coefficients=(Coefficient(value=0.0, held="many"), *many))
    assert any("30 coefficients: too many for these rows" in each for each in warnings_in_words(large))
    assert list(remarks(large)) == []
    held = tuple(Coefficient(feature=f"x{number}", value=0.0, held="sign") for number in range(30))
    assert "'x11', 18 more" in next(warnings_in_words(replace(large, coefficients=(COEFFICIENTS[0], *held))))


def test_remarks_say_what_errors_take_as_given() -> None:
    said = " ".join(remarks(FIGURES))
    assert "Standard errors are the model's" in said
    assert "errors take them as given: they are rather too small" in said
    assert "A ridge of 0.0001 draws coefficients towards 0" in said
    assert "ridge" not in " ".join(remarks(replace(FIGURES, ridge=0.0)))
    assert "take the spread to be the same for all" in " ".join(remarks(replace(FIGURES, kind="linear")))
    assert "compare each attribute with the reference" in " ".join(remarks(replace(FIGURES, multiplies="attribute")))
