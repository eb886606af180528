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
    Clause,
    Feature,
    Grade,
    Interaction,
    Interval,
    KnockOut,
    Missing,
    Override,
    Policy,
    Scorecard,
    TreeEnsemble,
    dumps,
    fingerprint,
    loads,
)
from scrutable.model.conditions import AttributeCondition, Conjunction, Otherwise
from scrutable.model.domain import clause_holds, holds
from scrutable.model.evaluator import evaluate
from scrutable.proof.edges import edge_rows
from scrutable.testing.contract.examples.models import models_named

Row = dict[str, Any]
WHEN = (Clause("age", (Missing(),)),)


class ByHand:
    """What a scorecard says of one row, by conditions and no program."""

    def __init__(self, card: Scorecard, row: Row) -> None:
        self.card, self.row = card, row
        self.features = {feature.name: feature for feature in card.features}
        self.decides = next(
            (rule for rule in (*card.policy.knock_outs, *card.policy.overrides) if self.applies(rule.when)), None
        )
        self.adjustments = [each for each in card.policy.adjustments if self.applies(each.when)]
        self.points = {each.feature: self.attribute(each).points for each in card.characteristics}
        self.points |= {
            each.name: each.points[self.place(each.rows.feature, each.rows.conditions)][
                self.place(each.columns.feature, each.columns.conditions)
            ]
            for each in card.interactions
        }
        self.score = card.base_points + sum(self.points.values()) + sum(each.points for each in self.adjustments)
        self.passed = self.score >= card.cutoff

    def applies(self, when: Conjunction) -> bool:
        return all(clause_holds(each, self.features[each.feature], self.row[each.feature]) for each in when)

    def attribute(self, characteristic: Any) -> Any:
        return characteristic.attributes[self.place(characteristic.feature, characteristic.conditions)]

    def place(self, name: str, conditions: tuple[AttributeCondition, ...]) -> int:
        feature, value = self.features[name], self.row[name]
        held = [not isinstance(each, Otherwise) and holds(each, feature, value) for each in conditions]
        return held.index(True) if any(held) else [isinstance(each, Otherwise) for each in conditions].index(True)

    @property
    def approved(self) -> bool:
        return self.passed if self.decides is None else not self.decides.declines

    @property
    def grade(self) -> str:
        return next(grade.name for grade in self.card.policy.grades if self.score >= grade.at_least)

    @property
    def reasons(self) -> list[tuple[str, float]]:
        """Codes and how far they fall short, NaN for those of rules."""
        policy = self.card.reasons
        assert policy is not None
        short: dict[str, float] = dict.fromkeys(policy.order, 0.0)
        codes = {each.feature: self.attribute(each).reason_code for each in self.card.characteristics}
        for name, points in self.points.items():
            code = codes.get(name) or policy.codes[name]
            short[code] = max(short[code], policy.baselines[name] - points)
        short |= {each.code: -each.points for each in self.adjustments if each.is_reason}
        ranked = [item for item in sorted(short.items(), key=lambda item: -item[1]) if item[1] > 0]
        if self.decides is not None and self.decides.declines:
            first = [(self.decides.code, math.nan)] if self.decides.is_reason else []
            ranked = first if self.passed else first + ranked
        return ranked[: policy.k]


def test_scorecards_are_what_they_are_by_hand() -> None:
    seen = dict.fromkeys(("interactions", "adjustments", "overrides", "grades"), 0)
    for card in drawn("scorecards", 60):
        seen["interactions"] += bool(card.interactions)
        for name in ("adjustments", "overrides", "grades"):
            seen[name] += bool(getattr(card.policy, name))
        frame = edge_rows(card, n_random=30).iloc[:60]
        told = evaluate(card, frame)
        rows = [
            {name: None if value is None or value != value else value for name, value in row.items()}
            for row in frame.to_dict("records")
        ]
        for place, row in enumerate(rows):
            by_hand = ByHand(card, row)
            assert told.score[place] == by_hand.score
            assert told.approved[place] == by_hand.approved
            assert {name: values[place] for name, values in told.points.items()} == by_hand.points
            rule = by_hand.decides
            assert told.knock_out[place] == (rule.code if isinstance(rule, KnockOut) else None)
            if told.override is not None:
                assert told.override[place] == (rule.code if isinstance(rule, Override) else None)
            if told.adjustment is not None:
                assert told.adjustment[place] == sum(each.points for each in by_hand.adjustments)
            if told.grade is not None:
                assert told.grade[place] == by_hand.grade
            if told.reasons is not None and told.shortfalls is not None:
                pairs = zip(told.reasons[place], told.shortfalls[place], strict=True)
                own = [(code, repr(float(short))) for code, short in pairs if code is not None]
                assert own == [(code, repr(float(short))) for code, short in by_hand.reasons]
    assert min(seen.values()) > 4, seen


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
        Override(code="O", reason="Age not known", when=WHEN, decision="refer")  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="override 'O': it applies to everybody"):
        Override(code="O", reason="Age not known", when=(), decision="decline")


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
        ((-math.inf, -math.inf), "grade 'B': no score can have the grade"),
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
    with pytest.raises(ModelError, match="characteristic 'debts': attributes leave a gap"):
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
