"""Drawn models with all that may stand around a score, and with a table of two features."""

from __future__ import annotations

import itertools
import statistics
from dataclasses import replace
from typing import Literal, TypeVar

import numpy as np

from scrutable.model import (
    Adjustment,
    Axis,
    FrozenMapping,
    Grade,
    Interaction,
    Outcome,
    Override,
    Policy,
    RegressionScorecard,
    RuleSet,
    Scorecard,
    TreeEnsemble,
    Value,
    features_read,
)
from scrutable.model.conditions import Clause
from scrutable.model.evaluator import evaluate
from scrutable.testing.contract.examples.drawer import Drawing
from scrutable.testing.contract.examples.drawing import (
    LINES,
    Drawn,
    attribute_conditions,
    clause,
    frame_of,
    points_of,
    split_clause,
    telling_clause,
)
from scrutable.testing.plain import reading_no_more

D = TypeVar("D", Scorecard, TreeEnsemble, RuleSet)


class ExtendedDrawing(Drawing):
    """Draws models with interactions, score adjustments, overrides and grades."""

    def extended_scorecard(self, outcome: Outcome) -> Scorecard:
        """A scorecard with a table of two of its features and a policy of every part."""
        card = self.scorecard(outcome)
        assert card.reasons is not None
        scored = [each for each in self.columns if each.feature.name in {c.feature for c in card.characteristics}]
        table = self._interaction(*scored[:2])
        reasons = replace(
            card.reasons,
            baselines=FrozenMapping({**card.reasons.baselines, table.name: max(table.cells)}),
            codes=FrozenMapping({**card.reasons.codes, table.name: "R2"}),
            k=6,
        )
        return self._decided(self._extended(replace(card, interactions=(table,), reasons=reasons)))

    def extended_regression(self) -> RegressionScorecard:
        """A regression scorecard with a table of two features."""
        table = replace(self._interaction(*self.columns[:2]), name="two of them")
        return replace(self.regression_scorecard(), interactions=(table,))

    def extended_trees(self, outcome: Outcome) -> TreeEnsemble:
        """Trees with a policy of every part."""
        return self._decided(self._extended(self.trees(outcome)))

    def extended_rules(self, outcome: Outcome) -> RuleSet:
        """Rules with overrides and grades."""
        return self._extended(self.rules(outcome))

    def _interaction(self, rows: Drawn, columns: Drawn) -> Interaction:
        one, other = (
            Axis(feature=each.feature.name, conditions=tuple(attribute_conditions(self.chance, each)))
            for each in (rows, columns)
        )
        points = tuple(tuple(points_of(self.chance, 1) for _ in other.conditions) for _ in one.conditions)
        labels = tuple(f"row {place}" for place in range(len(one.conditions)))
        return Interaction(rows=replace(one, labels=labels), columns=other, points=points)

    def _extended(self, model: D) -> D:
        """The model with score adjustments, unless votes decide, with overrides, and with grades of scores it has."""
        columns = itertools.cycle(self.columns)
        adjustments = () if isinstance(model, RuleSet) else self._adjustments(columns)
        policy = Policy(
            knock_outs=model.policy.knock_outs[:1], adjustments=adjustments, overrides=self._overrides(columns)
        )
        read = {feature.name for feature in reading_no_more(model, Policy()).features} | policy.features
        observed = {each.feature.name: _observed(each) for each in (*self.pool, *LINES)}
        features = tuple(replace(each, observed=observed[each.name]) for each in self._features(read))
        whole = replace(model, policy=policy, features=features)
        known = {feature.name for feature in features_read(whole)}
        rows = frame_of(self.rows, [each for each in (*self.pool, *LINES) if each.feature.name in known])
        scores = evaluate(whole, rows, reasons=False).score
        assert scores is not None
        reached = np.unique(scores)
        middle = float(statistics.median_low(reached.tolist()))
        grades = (
            Grade(name="top", at_least=float(reached[-1]), label="the best there are"),
            Grade(name="0", at_least=middle),
            Grade(name="rest"),
        )
        return replace(whole, policy=replace(policy, grades=grades))

    def _adjustments(self, columns: itertools.cycle[Drawn]) -> tuple[Adjustment, ...]:
        """One that takes points away and may be told, one that may not, and one that gives some."""
        kinds = (("A2", -30 - 1 / 7, True), ("A1", -20.0, False), ("A10", 15.5, True))
        return tuple(
            Adjustment(
                code=code,
                reason=f"What {code} looks at",
                when=(self._telling(next(columns)),),
                points=points,
                explained=told,
            )
            for code, points, told in kinds
        )

    def _overrides(self, columns: itertools.cycle[Drawn]) -> tuple[Override, ...]:
        """One that approves, one that declines and is a reason, and one that may not be told."""
        kinds: tuple[tuple[str, Literal["approve", "decline"], bool], ...] = (
            ("O1", "approve", True),
            ("O3", "decline", True),
            ("O2", "decline", False),
        )
        return tuple(
            Override(
                code=code,
                reason=f"What {code} looks at",
                decision=decision,
                when=(self._telling(next(columns)),),
                explained=told,
            )
            for code, decision, told in kinds
        )

    def _telling(self, column: Drawn) -> Clause:
        return telling_clause(self.chance, column, self.rows, self.chance.choice((clause, split_clause)))


def _observed(column: Drawn) -> tuple[Value, ...]:
    """What a fit may have recorded of a column: the inner half of its numbers, or all of its categories but one."""
    if column.feature.kind == "categorical":
        return column.values[:-1]
    numbers = sorted(float(value) for value in column.values)
    return numbers[len(numbers) // 4], numbers[-1 - len(numbers) // 4]
