"""What stands around a score, and tables of two features: rows by hand beside the evaluator, and refusals."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import replace
from typing import Any

import pytest
from drawn import drawn

from scrutable.errors import ModelError
from scrutable.model import (
    Adjustment,
    Axis,
    Categories,
    Clause,
    Feature,
    FrozenMapping,
    Grade,
    Interaction,
    Interval,
    KnockOut,
    Missing,
    Model,
    Override,
    Policy,
    Scorecard,
    Segment,
    SegmentedModel,
    TreeEnsemble,
    dumps,
    fingerprint,
    loads,
    policy_in_words,
    routing_in_words,
)
from scrutable.model.program import lowered
from scrutable.plugins import heading_lines
from scrutable.testing import cards
from scrutable.testing.contract.examples.models import models_named

WHEN = (Clause("age", (Missing(),)),)


def test_the_random_models_have_all_parts() -> None:
    cards = drawn("scorecards", 60)
    for name in ("adjustments", "overrides", "grades"):
        assert sum(bool(getattr(card.policy, name)) for card in cards) > 4
    assert sum(bool(card.interactions) for card in cards) > 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"points": 0}, "score adjustment 'A': it adds no points; got 0.0. Fix: leave it out"),
        ({"when": ()}, "score adjustment 'A': it applies to everybody. Fix: add its points to the base points"),
        ({"code": ""}, "score adjustment code: a name may not be empty"),
        ({"reason": ""}, "reason of score adjustment 'A': a name may not be empty"),
    ],
)
def test_adjustments_that_are_refused(change: dict[str, Any], message: str) -> None:
    right = {"code": "A", "reason": "Age not known", "when": WHEN, "points": -5}
    with pytest.raises(ModelError, match=message):
        Adjustment(**right | change)


def test_overrides_that_are_refused() -> None:
    with pytest.raises(ModelError, match="override 'O': unknown decision; got 'refer'; allowed: approve, decline"):
        Override(code="O", reason="Age not known", when=WHEN, decision="refer")
    with pytest.raises(ModelError, match="override 'O': it applies to everybody"):
        Override(code="O", reason="Age not known", when=(), decision="decline")


def test_what_is_no_tuple_is_told() -> None:
    override = Override(code="O", reason="Age not known", when=WHEN, decision="decline")
    with pytest.raises(ModelError, match="policy: overrides: expected several, in a tuple; got Override"):
        Policy(overrides=override)
    with pytest.raises(ModelError, match="override 'O': when: expected several, in a tuple; got Clause"):
        replace(override, when=WHEN[0])
    with pytest.raises(ModelError, match="clause on 'age': expected several, in a tuple; got Missing"):
        Clause("age", Missing())
    with pytest.raises(ModelError, match="categories: expected several, in a tuple; got 'phd'"):
        Categories("phd")


def test_the_first_version_holds_no_parts_of_the_second() -> None:
    card = next(each for each in drawn("scorecards", 60) if isinstance(each, Scorecard) and each.interactions)
    with pytest.raises(ModelError, match="model: schema_version: the schema version has neither interactions nor"):
        loads(_of_first_version(card))


def test_the_first_version_holds_neither_observed_values_nor_retired_codes() -> None:
    plain = cards.card()
    assert loads(_of_first_version(plain)) == plain
    assert plain.reasons is not None
    observed = replace(plain, features=(replace(plain.features[0], observed=(0, 9)), *plain.features[1:]))
    retired = replace(plain, reasons=replace(plain.reasons, retired=FrozenMapping({"R99": "What was considered"})))
    for model in (observed, retired):
        assert loads(dumps(model)) == model
        with pytest.raises(ModelError, match="model: schema_version: the schema version has neither interactions nor"):
            loads(_of_first_version(model))


def _of_first_version(model: Scorecard) -> str:
    data = json.loads(dumps(model)) | {"schema_version": 1}
    del data["fingerprint"]
    return json.dumps(data)


def test_one_code_is_one_rule() -> None:
    knock_out = KnockOut(code="K", reason="Age not known", when=WHEN)
    override = Override(code="K", reason="Age not known", when=WHEN, decision="decline")
    with pytest.raises(ModelError, match="codes of knock-outs, score adjustments and overrides: listed twice; got 'K'"):
        Policy(knock_outs=(knock_out,), overrides=(override,))


@pytest.mark.parametrize(
    ("ends", "message"),
    [
        ((500.0, 600.0, -math.inf), "grade 'B': no score can have the grade; got 600.0; allowed: below 500.0"),
        ((600.0, 600.0, -math.inf), "grade 'B': no score can have the grade"),
        ((600.0, 500.0, 400.0), "grade 'C': low scores have no grade; got 400.0"),
        (
            (-math.inf, -math.inf),
            "grade 'A': only the last grade has no lowest score",
        ),
    ],
)
def test_grades_that_are_refused(ends: tuple[float, ...], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Policy(grades=tuple(Grade(name=name, at_least=end) for name, end in zip("ABC", ends, strict=False)))


def test_tables_that_are_refused() -> None:
    age, debts = (Feature(name=name, kind="numeric") for name in ("age", "debts"))
    halves = (Interval(upper=30), Interval(lower=30), Missing())
    rows, columns = (Axis(feature=name, conditions=halves) for name in ("age", "debts"))
    table = Interaction(rows=rows, columns=columns, points=((1, 2, 3), (4, 5, 6), (7, 8, 9)))
    with pytest.raises(ModelError, match=r"interaction 'age x debts': points must be a row .* got \[3, 2\].* 3 rows"):
        replace(table, points=((1, 2, 3), (4, 5)))
    with pytest.raises(ModelError, match="an interaction is of two features; got 'age'"):
        replace(table, columns=rows, name="twice")
    with pytest.raises(ModelError, match="axis 'age': a label for each condition; got 1; allowed: none, or 3"):
        replace(rows, labels=("young",))
    with pytest.raises(ModelError, match="interaction 'age x debts': unknown feature; got 'debts'"):
        table.check({"age": age})
    with pytest.raises(ModelError, match="interaction 'age x debts', axis 'debts': attributes leave a gap"):
        replace(table, columns=replace(columns, conditions=halves[1:]), points=((1, 2), (4, 5), (7, 8))).check(
            {"age": age, "debts": debts}
        )


def test_the_name_of_a_table_is_no_features_name() -> None:
    card = models_named()["scorecard"]
    assert isinstance(card, Scorecard)
    axes = [Axis(feature=each.feature, conditions=each.conditions) for each in card.characteristics[:2]]
    points = tuple(tuple(0.0 for _ in axes[1].conditions) for _ in axes[0].conditions)
    table = Interaction(rows=axes[0], columns=axes[1], points=points, name="amount")
    with pytest.raises(ModelError, match="listed twice; got 'amount'"):
        replace(card, interactions=(table,), reasons=None)


def test_points_that_are_added_count_to_the_largest_score() -> None:
    trees = models_named()["stumps"]
    assert isinstance(trees, TreeEnsemble)
    much = Adjustment(code="A", reason="Age not known", when=WHEN, points=2.0**23)
    with pytest.raises(ModelError, match="the largest possible score is too large"):
        replace(trees, policy=Policy(adjustments=(much,)))


def test_a_rule_set_has_no_points() -> None:
    added = Adjustment(code="A", reason="Age not known", when=WHEN, points=5)
    with pytest.raises(ModelError, match="score adjustment 'A': a rule set has votes"):
        replace(models_named()["rule-set"], policy=Policy(adjustments=(added,)))


def test_the_first_version_is_read_and_keeps_its_fingerprint() -> None:
    for model in models_named().values():
        text = dumps(model)
        first = text.replace('"schema_version": 2', '"schema_version": 1').replace(
            f'  "fingerprint": "{fingerprint(model)}",\n', ""
        )
        assert loads(first) == model
        assert hashlib.sha256(first.encode()).hexdigest() == fingerprint(model)


def test_a_changed_file_is_told_by_its_fingerprint() -> None:
    for card in (drawn("scorecards", 120)[place] for place in range(0, 120, 17)):
        text = dumps(card)
        assert loads(json.dumps(json.loads(text), indent=1)) == card
        changed = text.replace(f'"cutoff": {card.cutoff!r}', f'"cutoff": {card.cutoff + 1!r}')
        with pytest.raises(ModelError, match="model: fingerprint: the model was changed after its fingerprint"):
            loads(changed)


def test_headings_say_that_an_override_decides() -> None:
    card = models_named()["scorecard"]
    assert isinstance(card, Scorecard)
    feature = card.features[0].name
    override = Override(code="O", reason="Not known", decision="approve", when=(Clause(feature, (Missing(),)),))
    overridden = replace(card, policy=Policy(overrides=(override,)), reasons=None, features=card.features)
    whole = SegmentedModel(segments=(Segment(name="all", model=overridden),), routing=())
    told = ("\n".join(heading_lines(overridden)), *routing_in_words(whole), *_about(overridden), *_about(whole))
    assert len(told) == 4
    assert all("unless an override decides" in each for each in told)
    plain = ("\n".join(heading_lines(card)), *_about(card))
    assert not any("override" in each for each in plain)


def _about(model: Model) -> list[str]:
    return [output.about for output in lowered(model).outputs if output.name == "approved"]


def test_grades_are_told_with_their_labels() -> None:
    card = models_named()["scorecard"]
    assert isinstance(card, Scorecard)
    graded = replace(
        card, policy=replace(card.policy, grades=(Grade(name="A", at_least=620, label="low"), Grade(name="B")))
    )
    assert policy_in_words(graded)[-1] == "Grades: A (low) from 620, B below"


def test_an_adjustment_that_is_rounded_away_takes_its_feature_along() -> None:
    card = models_named()["scorecard"]
    assert isinstance(card, Scorecard)
    tenure = Feature(name="tenure", kind="numeric")
    when = (Clause("tenure", (Missing(),)),)
    small = Adjustment(code="A", reason="Not known", points=-0.25, when=when)
    adjusted = replace(card, features=(*card.features, tenure), policy=replace(card.policy, adjustments=(small,)))
    assert tenure in adjusted.with_points(lambda points: 4 * points).features
    assert adjusted.with_points(round).features == card.features
