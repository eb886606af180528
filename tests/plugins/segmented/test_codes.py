"""Codes of knock-outs of missing values, which nobody chose, beside those that somebody did."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scrutable import create, evaluate
from scrutable.data.datasets import load_german_credit
from scrutable.errors import InputError
from scrutable.model import Clause, KnockOut, Missing, Policy, SegmentedModel
from scrutable.plugins import refusing_missing
from scrutable_segmented.combined import Combined
from scrutable_segmented.combining import combine

GERMAN = load_german_credit()
SHORT = GERMAN.X["duration_months"] < 18
WHEN = {"short": "duration_months < 18"}


@pytest.fixture(scope="module")
def cards() -> dict[str, Any]:
    """Two cards, each with a selection of its own, that decline who lacks what was never missing."""
    made = {}
    for name, rows in (("short", SHORT), ("rest", ~SHORT)):
        learner = create("learner", "scorecard").fit(GERMAN.X[rows], GERMAN.y[rows])
        made[name], _ = refusing_missing(learner.model_, learner.evidence_, "unseen")
    return made


def reasons_by_code(model: SegmentedModel) -> dict[str, set[str]]:
    known: dict[str, set[str]] = {}
    for part in model.parts:
        for rule in part.policy.rules:
            known.setdefault(rule.code, set()).add(rule.reason)
    return known


def test_two_cards_of_different_inputs_are_combined(cards: dict[str, Any]) -> None:
    first, second = ({rule.code: rule.reason for rule in card.policy.rules} for card in cards.values())
    assert any(second.get(code, words) != words for code, words in first.items())  # or nothing is shown here
    both = Combined.of(cards, WHEN)
    known = reasons_by_code(both.model)
    assert all(len(words) == 1 for words in known.values())
    assert len({words for [words] in map(sorted, known.values())}) == len(known)
    for part, card in zip(both.model.parts, cards.values(), strict=True):
        assert [rule.reason for rule in part.policy.rules] == [rule.reason for rule in card.policy.rules]
    renamed = {new: old for old, new in both.renamed["rest"].items()}
    assert {renamed.get(rule.code, rule.code) for rule in both.model.parts[1].policy.rules} == set(second)
    nobody = {feature.name: [None] for feature in both.model.features}
    assert evaluate(both.model, nobody).approved.tolist() == [False]


def test_segments_refuse_missing_values_with_one_code_a_reason() -> None:
    segments = {"short": WHEN["short"], "rest": "else"}
    learner = create("learner", "segmented", segments=segments, learner="scorecard").fit(GERMAN.X, GERMAN.y)
    model, _ = refusing_missing(learner.model_, learner.evidence_, "unseen")
    assert isinstance(model, SegmentedModel)
    assert all(len(words) == 1 for words in reasons_by_code(model).values())


def test_codes_that_somebody_chose_stay(cards: dict[str, Any]) -> None:
    other = KnockOut(code="NO-CASH", reason="No account", when=(Clause("checking_status", (Missing(),)),))
    rest = replace(cards["rest"], policy=Policy(knock_outs=(other,)))
    whole = combine({"short": cards["short"], "rest": rest}, WHEN)
    assert [rule.code for rule in whole.parts[1].policy.rules] == ["NO-CASH"]
    assert whole.parts[0] == cards["short"]
    clash = replace(cards["short"], policy=Policy(knock_outs=(replace(other, reason="Another"),)))
    with pytest.raises(InputError, match="another segment's knock-out has this code and another reason"):
        combine({"short": clash, "rest": rest}, WHEN)
