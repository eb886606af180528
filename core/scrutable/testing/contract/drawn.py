"""Random models of every kind, drawn once: what is checked on them is checked on scores, decisions and reasons."""

from __future__ import annotations

import functools
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Literal, TypeVar

import numpy as np
import pandas as pd

from scrutable.certificate import VerificationRows
from scrutable.certificate.edge_rows import edge_rows
from scrutable.model import (
    Attribute,
    Calibration,
    Characteristic,
    Conjunction,
    Feature,
    FrozenMapping,
    KnockOut,
    Leaf,
    Model,
    Outcome,
    Policy,
    Quantity,
    ReasonPolicy,
    RegressionScorecard,
    Rule,
    RuleSet,
    Scorecard,
    Segment,
    SegmentedModel,
    Split,
    Statistics,
    TreeEnsemble,
    snap,
)
from scrutable.model.effects import LeafEffects
from scrutable.model.evaluator import evaluate
from scrutable.model.segments import SingleModel
from scrutable.model.trees import Node, Path, features_of, paths, splits
from scrutable.testing.contract.drawing import (
    COLUMNS,
    LINES,
    Drawn,
    Row,
    attribute_conditions,
    baseline_of,
    clause,
    negated_clause,
    partition,
    points_of,
    rows_of,
    shuffled,
    split_clause,
    telling_clause,
)

Link = Literal["logit", "identity"]
M = TypeVar("M", Scorecard, TreeEnsemble)
_SEED = 21
#: Rows that decide where cutoffs lie, and further ones that models are run on.
_LOOKED_AT, _ROWS = 200, 250
_BASE = snap(500 + 1 / 7)
_WEIGHTS = (1.0, 1.0, 0.75, snap(1 / 3))
_CODES = ("R1", "R2", "R3")
#: Statistics of an attribute that nobody had, and of one that some had.
_NOBODY, _SOME = (Statistics(good=count, bad=count, share=count / 80, woe=0) for count in (0, 10))
#: How far the linear predictor goes beyond the ends at which probabilities stay as they are.
_Z = 55.0


@functools.cache
def drawn_models() -> Mapping[str, Model]:
    """Random models by name; some of every kind, with either class the favourable one.

    Several knock-outs apply to one row; clauses are negated, ask for missing values, and hold special codes inside
    their intervals; linear predictors go beyond ±36; scores equal the cutoff, and shortfalls and votes tie. Some
    attributes were nobody's; trees stand twice; segments give other numbers of reasons; one card has twenty lines.

    >>> list(drawn_models())[:2], drawn_models()["scorecard 1"].reasons.k
    (['scorecard 1', 'scorecard 2'], 3)
    """
    outcomes = (Outcome(classes=("bad", "good"), favourable="good"), Outcome(classes=(0, 1), favourable=0))
    third = Outcome(classes=(False, True), favourable=True)
    found: dict[str, Model] = {}
    for number, outcome in enumerate((*outcomes, third), 1):
        link: Link = "logit" if number < 3 else "identity"
        found[f"scorecard {number}"] = _Drawing(f"scorecard {number}", link).scorecard(outcome)
    for number, outcome in enumerate(outcomes, 1):
        link = "logit" if number < 2 else "identity"
        found[f"stumps {number}"] = _Drawing(f"stumps {number}", link).trees(outcome, alone=True)
        found[f"tree ensemble {number}"] = _Drawing(f"trees {number}", link).trees(outcome)
        found[f"rule set {number}"] = _Drawing(f"rules {number}").rules(outcome)
        found[f"segmented model {number}"] = _Drawing(f"segments {number}", link).segments(outcome)
    for classes in (("a", "b", "c"), (3, 1, 2, 0)):
        several = Outcome(classes=classes, favourable=classes[1])
        found[f"rule set of {len(classes)} classes"] = _Drawing(f"{len(classes)} classes").rules(several)
    found["regression scorecard"] = _Drawing("regression").regression_scorecard()
    found["scorecard of whole points"] = _Drawing("whole points").whole_scorecard(third)
    found["wide scorecard"] = _Drawing("wide").wide_scorecard(third)
    return found


def drawn_rows(model: Model, count: int = _ROWS) -> pd.DataFrame:
    """(count, features) rows of the values that conditions of drawn models name; the same each time."""
    named = {feature.name for feature in model.features}
    columns = [column for column in (*COLUMNS, *LINES) if column.feature.name in named]
    return _frame(rows_of(Random(_SEED), columns, count), columns)


def rows_to_run(model: Model) -> VerificationRows:
    """Those rows, and every edge value of the model."""
    edge, drawn = edge_rows(model, n_random=0), drawn_rows(model)
    whole = pd.concat([drawn, edge], ignore_index=True)
    return VerificationRows(frame=whole, edge=len(edge), drawn=len(drawn), data=0, seed=_SEED)


class _Drawing:
    """Draws one model after another from a seed of its own."""

    def __init__(self, seed: str, link: Link = "logit") -> None:
        self.link = link
        self.chance = Random(f"{_SEED} {seed}")
        self.columns = shuffled(self.chance, COLUMNS)
        self.rows = rows_of(self.chance, COLUMNS, _LOOKED_AT)

    def scorecard(self, outcome: Outcome, columns: Sequence[Drawn] = ()) -> Scorecard:
        """Four characteristics, and knock-outs that may read further columns."""
        scored = [*columns, *self.columns][:4]
        characteristics = tuple(self._characteristic(column, place) for place, column in enumerate(scored))
        policy = self._policy()
        card = Scorecard(
            outcome=outcome,
            features=_features({column.feature.name for column in scored} | policy.features),
            characteristics=characteristics,
            base_points=_BASE,
            cutoff=0.0,
            calibration=Calibration(slope=1.0),
            policy=policy,
            reasons=self._reasons(
                {column.feature.name: baseline_of(self.chance, place) for place, column in enumerate(scored)}
            ),
        )
        return self._decided(card)

    def whole_scorecard(self, outcome: Outcome) -> Scorecard:
        """Points and baselines that are whole, and a cutoff between two scores."""
        card = self.scorecard(outcome)
        assert card.reasons is not None
        baselines = {name: float(round(points)) for name, points in card.reasons.baselines.items()}
        characteristics = tuple(
            replace(each, attributes=tuple(replace(one, points=round(one.points)) for one in each.attributes))
            for each in card.characteristics
        )
        reasons = replace(card.reasons, baselines=FrozenMapping(baselines))
        card = self._decided(replace(card, characteristics=characteristics, base_points=500, reasons=reasons))
        return replace(card, cutoff=card.cutoff + 0.5)

    def wide_scorecard(self, outcome: Outcome) -> Scorecard:
        """Twenty characteristics, each with a reason of its own; codes are in no order."""
        self.rows = rows_of(self.chance, (*COLUMNS, *LINES), _LOOKED_AT)
        card = self.scorecard(outcome)
        characteristics = tuple(
            replace(one, attributes=tuple(replace(each, reason_code=None) for each in one.attributes))
            for one in (self._characteristic(column, 0) for column in LINES)
        )
        names = [column.feature.name for column in LINES]
        codes = {name: f"L{place}" for place, name in enumerate(names, 1)}
        reasons = self._reasons({name: baseline_of(self.chance, 0) for name in names})
        reasons = replace(
            reasons,
            codes=FrozenMapping(codes),
            texts=FrozenMapping({code: f"What {code} considers" for code in codes.values()}),
            order=tuple(shuffled(self.chance, list(codes.values()))),
        )
        features = _features({*names, *card.policy.features})
        return self._decided(
            replace(card, features=features, characteristics=characteristics, reasons=reasons, base_points=500)
        )

    def regression_scorecard(self) -> RegressionScorecard:
        """A characteristic of every column."""
        characteristics = tuple(
            replace(each, attributes=tuple(replace(one, reason_code=None, statistics=None) for one in each.attributes))
            for each in (self._characteristic(column, place) for place, column in enumerate(self.columns))
        )
        return RegressionScorecard(
            outcome=Quantity(target="loss"),
            features=_features({each.feature for each in characteristics}),
            characteristics=characteristics,
            base_points=_BASE,
        )

    def trees(self, outcome: Outcome, *, alone: bool = False) -> TreeEnsemble:
        """Four trees of two or three splits in depth, each of one column if they stand alone, and the first again."""
        pools = [[self.columns[place % 3]] if alone else self.columns[place : place + 3] for place in range(4)]
        roots = tuple(self._tree(pool, place, 2 if alone else 3) for place, pool in enumerate(pools))
        roots = (*roots, roots[0])
        policy = self._policy()
        read = {split.when.feature for tree in roots for split in splits(tree)}
        several = [tree for tree in roots if len(features_of(tree)) > 1]
        effects = tuple(tuple(map(self._effects, (path for _, path in paths(tree)))) for tree in several)
        own = [features_of(tree) for tree in roots]
        places = {name: sum(place for place, names in enumerate(own) if names == {name}) for name in sorted(read)}
        baselines = {name: baseline_of(self.chance, place) for name, place in places.items()}
        ensemble = TreeEnsemble(
            outcome=outcome,
            features=_features(read | policy.features),
            trees=roots,
            base_score=_BASE,
            cutoff=0.0,
            calibration=Calibration(slope=1.0),
            policy=policy,
            reasons=self._reasons(baselines, effects),
        )
        return self._decided(ensemble)

    def rules(self, outcome: Outcome) -> RuleSet:
        """Rules whose votes tie, and a fallback of two; knock-outs and reasons where there are two classes."""
        classes = list(outcome.classes)
        rules = tuple(
            Rule(when=self._conjunction(), outcome=classes[number % len(classes)], weight=self.chance.choice(_WEIGHTS))
            for number in range(3 * len(classes))
        )
        parts = partition(self.chance, self.columns[0])
        sides = self.chance.sample(classes, 2)
        fallback = tuple(Rule(when=when, outcome=side, weight=0.75) for when, side in zip(parts, sides, strict=True))
        policy = self._policy() if outcome.binary else Policy()
        against = {
            clause.feature for rule in rules + fallback if rule.outcome != outcome.favourable for clause in rule.when
        }
        read = {clause.feature for rule in rules + fallback for clause in rule.when}
        return RuleSet(
            outcome=outcome,
            features=_features(read | policy.features),
            rules=rules,
            fallback=fallback,
            cutoff=0.0 if outcome.binary else None,
            policy=policy,
            reasons=self._reasons({}, codes_of=against) if outcome.binary else None,
        )

    def segments(self, outcome: Outcome) -> SegmentedModel:
        """A model of each kind, the first of whose segments overlap; each has a number of reasons of its own."""
        first, second, *_ = self.columns
        when = [(telling_clause(self.chance, column, self.rows),) for column in (first, second)]
        kinds: list[SingleModel] = [self.scorecard(outcome), self.rules(outcome), self.trees(outcome)]
        kinds = shuffled(self.chance, kinds)
        models = [_with_reasons(model, count) for model, count in zip(kinds, (2, 3, 4), strict=True)]
        parts = [
            Segment(name=name, model=model, when=asked)
            for name, model, asked in zip(("first", "second", "others"), models, (*when, ()), strict=True)
        ]
        routing = _features({clause.feature for each in when for clause in each})
        return SegmentedModel(segments=tuple(parts), routing=routing)

    def _characteristic(self, column: Drawn, place: int) -> Characteristic:
        attributes = tuple(
            Attribute(
                condition=condition,
                points=points_of(self.chance, place),
                reason_code=self.chance.choice((None, None, None, "R4")),
                statistics=_SOME if number % 3 else _NOBODY,
            )
            for number, condition in enumerate(attribute_conditions(self.chance, column))
        )
        return Characteristic(feature=column.feature.name, attributes=attributes)

    def _tree(self, pool: Sequence[Drawn], place: int, depth: int) -> Node:
        if not depth:
            return Leaf(points_of(self.chance, place))
        below = [self._tree(pool, place, depth - self.chance.choice((1, 1, depth))) for _ in range(2)]
        return Split(split_clause(self.chance, self.chance.choice(pool)), *below)

    def _effects(self, path: Path) -> LeafEffects:
        names = tuple(dict.fromkeys(clause.feature for clause, _ in path))
        values = ([points_of(self.chance, 0) for _ in names] for _ in range(2 ** len(names)))
        return LeafEffects(names, tuple(map(tuple, values)))

    def _conjunction(self) -> Conjunction:
        columns = self.chance.sample(COLUMNS, self.chance.choice((1, 2, 2)))
        return tuple(clause(self.chance, column) for column in columns)

    def _policy(self) -> Policy:
        """Three knock-outs that hold for some of the rows each; their codes are in no order, and one asks for "not"."""
        coded = self.chance.choice([column for column in COLUMNS if column.coded])
        columns = self.chance.sample([column for column in COLUMNS if column is not coded], 2)
        kinds = zip((coded, *columns), (negated_clause, split_clause, clause), strict=True)
        clauses = [telling_clause(self.chance, column, self.rows, of) for column, of in kinds]
        codes = self.chance.sample(("K1", "K2", "K3"), 3)
        return Policy(
            knock_outs=tuple(
                KnockOut(code=code, reason=f"What {code} looks at", when=(asked,))
                for code, asked in zip(codes, shuffled(self.chance, clauses), strict=True)
            )
        )

    def _reasons(
        self,
        baselines: Mapping[str, float],
        effects: tuple[tuple[LeafEffects, ...], ...] = (),
        codes_of: set[str] | None = None,
    ) -> ReasonPolicy:
        """A policy whose codes several features share."""
        names = sorted(baselines) if codes_of is None else sorted(codes_of)
        order = self.chance.choice((("R4", "R3", "R2", "R1"), ("R3", "R4", "R2", "R1")))  # never as in the alphabet
        return ReasonPolicy(
            method="drawn at random",
            population="nobody",
            cutoff=0.0,
            baselines=FrozenMapping(baselines),
            codes=FrozenMapping({name: self.chance.choice(_CODES) for name in names}),
            texts=FrozenMapping({code: f"What {code} considers" for code in order}),
            order=order,
            k=3,
            effects=effects,
        )

    def _decided(self, model: M) -> M:
        """The model with a cutoff that some scores equal, and probabilities that come near 0 and 1 on both sides.

        The cutoff is not where the probability is a half, so that whoever decides by that decides otherwise.
        """
        columns = [column for column in (*COLUMNS, *LINES) if column.feature.name in self.rows[0]]
        scores = evaluate(model, _frame(self.rows, columns), reasons=False).score
        assert scores is not None
        low, high = float(np.min(scores)), float(np.max(scores))
        slope = 2 * _Z / (high - low)
        calibration = Calibration(slope=slope, intercept=-slope * (low + 0.45 * (high - low)))
        if self.link == "identity":
            calibration = Calibration(
                slope=1.5 / (high - low), intercept=0.25 - 1.5 * low / (high - low), link="identity"
            )
        return replace(model, cutoff=float(statistics.median_low(scores.tolist())), calibration=calibration)


def _with_reasons(model: SingleModel, count: int) -> SingleModel:
    """The model with another number of reasons."""
    assert model.reasons is not None
    return replace(model, reasons=replace(model.reasons, k=count))


def _features(names: set[str]) -> tuple[Feature, ...]:
    return tuple(column.feature for column in (*COLUMNS, *LINES) if column.feature.name in names)


def _frame(rows: Sequence[Row], columns: Sequence[Drawn]) -> pd.DataFrame:
    dtypes = {column.feature.name: float if column.feature.kind == "numeric" else object for column in columns}
    return pd.DataFrame({name: pd.Series([row[name] for row in rows], dtype=dtype) for name, dtype in dtypes.items()})
