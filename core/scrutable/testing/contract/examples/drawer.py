"""Whole models drawn from a seed: whatever they are made of may go wrong in careless engines."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Literal, TypeVar

import numpy as np

from scrutable.model import (
    Attribute,
    Calibration,
    Characteristic,
    Clause,
    Conjunction,
    Feature,
    FrozenMapping,
    Interval,
    KnockOut,
    Leaf,
    Outcome,
    Policy,
    Quantity,
    ReasonPolicy,
    RegressionScorecard,
    Rule,
    RuleSet,
    Scaling,
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
from scrutable.model.trees import Node, Path, depth, features_of, paths, splits
from scrutable.testing.contract.examples.altered import with_attributes
from scrutable.testing.contract.examples.drawing import (
    COLUMNS,
    LINES,
    OTHER_CODES,
    WITHOUT_CODES,
    Drawn,
    attribute_conditions,
    baseline_of,
    both_ends,
    clause,
    commonly,
    frame_of,
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
#: The seed of all that is drawn.
SEED = 21
#: Rows that decide where cutoffs lie.
_LOOKED_AT = 200
_BASE = snap(500 + 1 / 7)
_WEIGHTS = (1.0, 1.0, 0.75, snap(1 / 3))
_CODES = ("R1", "R2", "R3")
#: Statistics of an attribute that nobody had, and of one that some had.
_NOBODY, _SOME = (Statistics(good=count, bad=count, share=count / 80, woe=0) for count in (0, 10))
#: How far the linear predictor goes beyond the ends at which probabilities stay as they are.
_Z = 55.0


class Drawing:
    """Draws one model after another from a seed of its own.

    Parameters
    ----------
    pool : the columns that its models read.
    near : whether some points are apart by less than others would round away, and all special codes of a column are one
        attribute.
    """

    def __init__(self, seed: str, link: Link = "logit", pool: Sequence[Drawn] = COLUMNS, *, near: bool = False) -> None:
        self.seed = seed
        self.link = link
        self.pool = pool
        self.near = near
        self.chance = Random(f"{SEED} {seed}")
        self.columns = shuffled(self.chance, pool)
        self.rows = rows_of(self.chance, pool, _LOOKED_AT)

    def scorecard(self, outcome: Outcome, columns: Sequence[Drawn] = ()) -> Scorecard:
        """Four characteristics, and knock-outs that may read further columns."""
        scored = [*columns, *self.columns][:4]
        characteristics = tuple(self._characteristic(column, place) for place, column in enumerate(scored))
        policy = self._policy()
        card = Scorecard(
            outcome=outcome,
            features=self._features({column.feature.name for column in scored} | policy.features),
            characteristics=characteristics,
            base_points=_BASE,
            cutoff=0.0,
            calibration=Calibration(slope=1.0),
            scaling=Scaling(decimals=2) if self.near else None,
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
        reasons = replace(card.reasons, baselines=FrozenMapping(baselines))
        whole = with_attributes(
            card, lambda _, one: replace(one, points=round(one.points)), base_points=500, reasons=reasons
        )
        card = self._decided(whole)
        return replace(card, cutoff=card.cutoff + 0.5)

    def wide_scorecard(self, outcome: Outcome) -> Scorecard:
        """Twenty characteristics, each with a reason of its own, and as many knock-outs; codes are in no order."""
        self.rows = rows_of(self.chance, (*self.pool, *LINES), _LOOKED_AT)
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
            k=12,
        )
        wide = replace(
            card,
            features=self._features(set(names)),
            characteristics=characteristics,
            base_points=500,
            policy=_at_every_step(LINES[0]),
            reasons=reasons,
        )
        return self._decided(wide)

    def deep_trees(self, outcome: Outcome) -> TreeEnsemble:
        """A tree whose leaves lie up to nine splits deep; no reasons."""
        root = self._tree(self.columns, 0, 9)
        while depth(root) < 9:
            root = self._tree(self.columns, 0, 9)
        ensemble = TreeEnsemble(
            outcome=outcome,
            features=self._features({split.when.feature for split in splits(root)}),
            trees=(root,),
            base_score=-_BASE,
            cutoff=0.0,
            calibration=Calibration(slope=1.0),
        )
        return self._decided(ensemble)

    def many_segments(self, outcome: Outcome) -> SegmentedModel:
        """Twelve scorecards for values of a line that overlap; their names are in no order."""
        line = LINES[0].feature
        names = shuffled(self.chance, [f"part {place}" for place in range(1, 13)])
        whens = [(Clause(line.name, (Interval(upper=9.0 * place),)),) for place in range(1, 12)]
        parts = [
            Segment(name=name, model=Drawing(f"{self.seed} {name}", self.link).scorecard(outcome), when=when)
            for name, when in zip(names, [*whens, ()], strict=True)
        ]
        return SegmentedModel(segments=tuple(parts), routing=(line,))

    def regression_scorecard(self) -> RegressionScorecard:
        """A characteristic of every column."""
        characteristics = tuple(self._characteristic(column, place) for place, column in enumerate(self.columns))
        card = RegressionScorecard(
            outcome=Quantity(target="loss"),
            features=self._features({each.feature for each in characteristics}),
            characteristics=characteristics,
            base_points=_BASE,
        )
        return with_attributes(card, lambda _, one: replace(one, reason_code=None, statistics=None))

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
            features=self._features(read | policy.features),
            trees=roots,
            base_score=_BASE,
            cutoff=0.0,
            calibration=Calibration(slope=1.0),
            policy=policy,
            reasons=self._reasons(baselines, effects),
        )
        return self._decided(ensemble)

    def rules(self, outcome: Outcome, count: int = 0) -> RuleSet:
        """Rules whose votes tie, three a class unless told; knock-outs and reasons where there are two classes.

        The fallback has two rules, or one where the link is the identity.
        """
        classes = list(outcome.classes)
        rules = tuple(
            Rule(
                when=self._conjunction(),
                outcome=classes[number % len(classes)],
                weight=self.chance.choice(_WEIGHTS),
                label=self.chance.choice(("", "some words")),
            )
            for number in range(count or 3 * len(classes))
        )
        parts = partition(self.chance, self.columns[0]) if self.link == "logit" else [()]
        sides = self.chance.sample(classes, 2) if self.link == "logit" else [outcome.favourable]
        fallback = tuple(Rule(when=when, outcome=side, weight=0.75) for when, side in zip(parts, sides, strict=False))
        policy = self._policy() if outcome.binary else Policy()
        against = {
            clause.feature for rule in rules + fallback if rule.outcome != outcome.favourable for clause in rule.when
        }
        read = {clause.feature for rule in rules + fallback for clause in rule.when}
        return RuleSet(
            outcome=outcome,
            features=self._features(read | policy.features),
            rules=rules,
            fallback=fallback,
            cutoff=0.0 if outcome.binary else None,
            policy=policy,
            reasons=self._reasons({}, codes_of=against) if outcome.binary else None,
        )

    def segments(self, outcome: Outcome) -> SegmentedModel:
        """A model of each kind, for segments that overlap; each has a number of reasons and codes of its own.

        One segment is asked for by two columns, one by two clauses on one column; their names are in no order.
        """
        first, second, third, *_ = self.columns
        by_two = [(telling_clause(self.chance, column, self.rows, commonly)) for column in (first, second)]
        kinds: list[SingleModel] = [
            self.scorecard(outcome),
            Drawing(f"{self.seed} rules", self.link, WITHOUT_CODES).rules(outcome),
            Drawing(f"{self.seed} trees", self.link, OTHER_CODES).trees(outcome),
        ]
        kinds = shuffled(self.chance, kinds)
        models = [_with_reasons(model, count) for model, count in zip(kinds, (2, 3, 4), strict=True)]
        whens: tuple[Conjunction, ...] = (both_ends(self.chance, third), tuple(by_two), ())
        parts = [
            Segment(name=name, model=model, when=when)
            for name, model, when in zip(("z", "10", "9"), models, whens, strict=True)
        ]
        routing = self._features({clause.feature for when in whens for clause in when})
        return SegmentedModel(segments=tuple(parts), routing=routing)

    def _characteristic(self, column: Drawn, place: int) -> Characteristic:
        attributes = tuple(
            Attribute(
                condition=condition,
                points=points_of(self.chance, place, near=self.near),
                label=self.chance.choice(("", "", "told apart by no label")),
                reason_code=self.chance.choice((None, None, None, "R4")),
                statistics=_SOME if number % 3 else _NOBODY,
            )
            for number, condition in enumerate(attribute_conditions(self.chance, column, together=self.near))
        )
        return Characteristic(feature=column.feature.name, attributes=attributes)

    def _tree(self, pool: Sequence[Drawn], place: int, depth: int) -> Node:
        if not depth:
            return Leaf(points_of(self.chance, place), self.chance.choice(("", "a leaf")))
        below = [self._tree(pool, place, depth - self.chance.choice((1, 1, depth))) for _ in range(2)]
        return Split(split_clause(self.chance, self.chance.choice(pool)), *below)

    def _effects(self, path: Path) -> LeafEffects:
        names = tuple(dict.fromkeys(clause.feature for clause, _ in path))
        values = ([points_of(self.chance, 0) for _ in names] for _ in range(2 ** len(names)))
        return LeafEffects(names, tuple(map(tuple, values)))

    def _conjunction(self) -> Conjunction:
        columns = self.chance.sample(self.pool, self.chance.choice((1, 2, 2)))
        return tuple(clause(self.chance, column) for column in columns)

    def _policy(self) -> Policy:
        """Three knock-outs that hold for some of the rows each; their codes are in no order, and one asks for "not".

        A fourth one asks twice for one column.
        """
        coded = self.chance.choice([column for column in self.pool if column.coded])
        columns = self.chance.sample([column for column in self.pool if column is not coded], 2)
        kinds = zip((coded, *columns), (negated_clause, split_clause, clause), strict=True)
        clauses = [telling_clause(self.chance, column, self.rows, of) for column, of in kinds]
        codes = self.chance.sample(("K1", "K2", "K3", "K10"), 4)
        asked = shuffled(self.chance, [*((each,) for each in clauses), both_ends(self.chance, columns[0])])
        return Policy(
            knock_outs=tuple(
                KnockOut(code=code, reason=f"What {code} looks at", when=when)
                for code, when in zip(codes, asked, strict=True)
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

    def _features(self, names: set[str]) -> tuple[Feature, ...]:
        return tuple(column.feature for column in (*self.pool, *LINES) if column.feature.name in names)

    def _decided(self, model: M) -> M:
        """The model with a cutoff that some scores equal, and probabilities that come near 0 and 1 on both sides.

        The cutoff is not where the probability is a half, so that whoever decides by that decides otherwise.
        """
        scores = evaluate(model, frame_of(self.rows, (*self.pool, *LINES)), reasons=False).score
        assert scores is not None
        low, high = float(np.min(scores)), float(np.max(scores))
        slope = 2 * _Z / (high - low)
        calibration = Calibration(slope=slope, intercept=-slope * (low + 0.45 * (high - low)))
        if self.link == "identity":
            calibration = Calibration(
                slope=1.5 / (high - low), intercept=0.25 - 1.5 * low / (high - low), link="identity"
            )
        return replace(model, cutoff=float(statistics.median_low(scores.tolist())), calibration=calibration)


def _at_every_step(column: Drawn) -> Policy:
    """Twenty knock-outs that overlap; those of the lowest values come last."""
    return Policy(
        knock_outs=tuple(
            KnockOut(
                code=f"K{place}",
                reason=f"What K{place} looks at",
                when=(Clause(column.feature.name, (Interval(6.0 * place, 6.0 * place + 4, closed="both"),)),),
            )
            for place in range(20, 0, -1)
        )
    )


def _with_reasons(model: SingleModel, count: int) -> SingleModel:
    """The model with another number of reasons."""
    assert model.reasons is not None
    return replace(model, reasons=replace(model.reasons, k=count))
