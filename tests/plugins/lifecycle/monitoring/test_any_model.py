"""Monitoring of hostile models of every kind, on rows chosen to break them."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrutable.measures.population_stability import shifts_of
from scrutable.measures.scored import score_rows
from scrutable.model import DecisionModel, Policy, RegressionScorecard, Scorecard
from scrutable.model.evaluator import evaluate
from scrutable.proof.edges import edge_rows
from scrutable.testing.strategies import models
from scrutable_lifecycle.monitoring import Monitoring, monitor
from scrutable_lifecycle.monitoring.document import to_json
from scrutable_lifecycle.monitoring.model_drift import ModelDrift

SLOW = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


def _decides(model: Any) -> bool:
    return not isinstance(model, RegressionScorecard) and model.outcome.binary and bool(model.features)


@SLOW
@given(models().filter(_decides), st.integers(0, 2**32 - 1))
def test_every_model_can_be_monitored(model: DecisionModel, seed: int) -> None:
    frame = edge_rows(model, seed=seed)
    before, now = frame.iloc[: len(frame) // 2], frame.iloc[len(frame) // 2 :]
    found = monitor(model, before, now, n_boot=5)
    for part in found.parts:
        _check_part(part)
    same = monitor(model, frame, frame, n_boot=5)
    assert all(check.value == 0 for check in same.checks if check.figure in ("psi", "csi"))
    if isinstance(model, Scorecard):
        _check_shift(model, before, now)
    _check_page(found)


def _check_part(part: ModelDrift) -> None:
    every = (*part.characteristics, *part.rules, *([part.score] if part.score else []))
    for each in every:
        assert each.index >= 0
        assert sum(band.baseline for band in each.bands) == pytest.approx(1)
        assert sum(band.new for band in each.bands) == pytest.approx(1)


def _check_shift(model: Scorecard, before: Any, now: Any) -> None:
    """Exactly, in fractions: the shifts of all terms are that of the mean score without adjustments."""
    samples = [score_rows(model, rows) for rows in (before, now)]
    total = Fraction(0)
    for name, term in model.terms.items():
        points = list(term.cells)
        counts = [sample.cohort.sizes(sample.evaluation.attribute[name], len(points)) for sample in samples]
        total += sum(shifts_of(points, counts[0], counts[1]))
    means = []
    for rows in (before, now):
        score = evaluate(without_adjustments(model), rows, reasons=False).score
        assert score is not None
        means.append(sum(map(Fraction, score.tolist()), Fraction(0)) / len(score))
    assert total == means[1] - means[0]


def without_adjustments(model: Scorecard) -> Scorecard:
    read = model.features_scored
    features = tuple(feature for feature in model.features if feature.name in read)
    return replace(model, policy=Policy(), features=features)


def _check_page(found: Monitoring) -> None:
    """Every picture is well-formed, and nothing of a model or of data is markup."""
    page = found.html()
    assert to_json(found)
    assert "<script" not in page
    names = {name for tag in re.findall(r"<(/?[a-zA-Z!][^\s>]*)", page) for name in [tag.strip("/").lower()]}
    assert names <= _TAGS
    for picture in re.findall(r"<svg.*?</svg>", page, re.S):
        ElementTree.fromstring(picture)


_TAGS = {
    *(
        "!doctype",
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "h1",
        "h2",
        "h3",
        "p",
        "span",
        "table",
        "tr",
        "th",
        "td",
    ),
    *(
        "code",
        "div",
        "details",
        "summary",
        "ul",
        "li",
        "figure",
        "figcaption",
        "svg",
        "rect",
        "polyline",
        "circle",
        "text",
        "br",
    ),
}
