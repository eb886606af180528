"""Words of a data dictionary in a model, which come after its own, and what it says of changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scrutable import create
from scrutable.data.datasets import load_german_credit
from scrutable.data.features import Feature
from scrutable.model import FrozenMapping, Scorecard, dumps, with_labels
from scrutable.model.evaluator import evaluate
from scrutable.plugins import DataDictionary, actions_by_dictionary, in_words_of

USED = ["duration_months", "savings", "checking_status"]
SAID: dict[str, Any] = {
    "duration_months": {"label": "Term", "unit": "months", "reason": "Length of the loan"},
    "savings": {"label": "Savings", "code": "CASH"},
    "checking_status": {"code": "CASH"},
}


@pytest.fixture(scope="module")
def model() -> Scorecard:
    german = load_german_credit()
    fitted: Scorecard = create("learner", "scorecard", binner="quantile").fit(german.X[USED], german.y).model_
    return fitted


def words(model: Scorecard, columns: dict[str, Any] = SAID, **further: Any) -> tuple[dict[str, str], dict[str, str]]:
    changed = in_words_of(model, DataDictionary.of({"columns": columns, **further}))
    assert changed.reasons is not None
    return {each.name: each.title for each in changed.features}, dict(changed.reasons.texts)


def test_a_model_without_words_gets_those_of_the_dictionary(model: Scorecard) -> None:
    titles, texts = words(model, reasons={"texts": {"CASH": "Balances", "R02": "Never this"}})
    assert titles == {
        "duration_months": "Term (months)",
        "savings": "Savings",
        "checking_status": "Checking status",
    }
    assert texts == {"R01": "Length of the loan", "R02": "Balances", "R03": "Balances"}


def test_words_of_the_model_stay(model: Scorecard) -> None:
    own = with_labels(model, {"savings": "Bank book"})
    assert own.reasons is not None
    own = replace(own, reasons=replace(own.reasons, texts=FrozenMapping({**own.reasons.texts, "R01": "Its own"})))
    titles, texts = words(own)
    assert titles["savings"] == "Bank book"
    assert texts == {"R01": "Its own", "R02": "Bank book", "R03": "Checking status"}


def test_a_language_is_added_where_every_code_has_a_text(model: Scorecard) -> None:
    spoken = {name: {**SAID[name], "translations": {"de": f"Über {name}"}} for name in USED}
    whole = in_words_of(model, DataDictionary.of({"columns": spoken}))
    assert whole.reasons is not None
    assert dict(whole.reasons.translations["de"])["R02"] == "Über savings"
    part = in_words_of(model, DataDictionary.of({"columns": {**spoken, "savings": SAID["savings"]}}))
    assert part.reasons is not None
    assert part.reasons.languages == ()


def test_nothing_but_words_changes(model: Scorecard) -> None:
    X = load_german_credit().X[USED]
    changed = in_words_of(model, DataDictionary.of({"columns": SAID}))
    assert evaluate(changed, X).score.tolist() == evaluate(model, X).score.tolist()
    assert dumps(in_words_of(model, DataDictionary())) == dumps(model)
    assert in_words_of(model, None) is model


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, {"change": "up", "lower": 1.0, "upper": 9.0}),
        ({"a": "down"}, {"change": "down", "lower": 1.0, "upper": 9.0}),
        ({"a": {"lower": 4, "upper": 99}}, {"change": "up", "lower": 4, "upper": 9.0}),
        ({"a": {"lower": -4, "cost": 2}}, {"change": "up", "lower": 1.0, "upper": 9.0, "cost": 2}),
    ],
)
def test_actions_that_are_stated_come_first_within_the_range(given: dict[str, Any], expected: dict[str, Any]) -> None:
    known = DataDictionary.of({"columns": {"a": {"range": [1, 9], "change": "up"}, "b": {"range": [0, 1]}}})
    features = [Feature(name="a", kind="numeric"), Feature(name="b", kind="categorical")]
    assert actions_by_dictionary(known, features, given) == {"a": expected}
