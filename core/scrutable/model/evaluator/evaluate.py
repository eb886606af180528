"""Evaluation of every kind of model over a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict, overload

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Column, as_table, select
from scrutable.data.outcome import CLAMP, Calibration, ClassLabel, Outcome
from scrutable.model.characteristics import Additive
from scrutable.model.evaluator.assign import ClauseMasks, assign
from scrutable.model.evaluator.outputs import Codes, Evaluation, Floats, RegressionEvaluation
from scrutable.model.evaluator.path_shortfalls import short_of_rules, short_of_trees
from scrutable.model.evaluator.reasons import Ranked, ranked_attributes, ranked_features
from scrutable.model.evaluator.rules_in_words import rules_in_words
from scrutable.model.knock_outs import Policy
from scrutable.model.regression import RegressionScorecard
from scrutable.model.rules import Rule, RuleSet
from scrutable.model.scorecard import Scorecard
from scrutable.model.segments import DecisionModel, Model, SegmentedModel
from scrutable.model.trees import Leaf, Node, TreeEnsemble

Columns = Mapping[str, Column]


class _Added(TypedDict):
    """Fields that evaluations of both kinds of scorecard share."""

    score: Floats
    points: dict[str, Floats]
    attribute: dict[str, NDArray[np.intp]]


@overload
def evaluate(model: DecisionModel, X: Any, *, reasons: bool = True) -> Evaluation: ...


@overload
def evaluate(model: RegressionScorecard, X: Any, *, reasons: bool = True) -> RegressionEvaluation: ...


@overload
def evaluate(model: Model, X: Any, *, reasons: bool = True) -> Evaluation | RegressionEvaluation: ...


def evaluate(model: Model, X: Any, *, reasons: bool = True) -> Evaluation | RegressionEvaluation:
    """Everything a model says of each row of a table.

    Parameters
    ----------
    model : any model of the representation.
    X : a frame (pandas, polars, pyarrow), a dict of columns or a `Table`, n rows. Columns the model does not read are
        ignored.
    reasons : whether to say why: ranked reasons, where the model has a reason policy, or the rules that apply. It
        takes as long as all the rest.

    Raises
    ------
    InputError : a column is not there.
    KindError : a column is of another kind than the model reads.

    Examples
    --------
    >>> from scrutable.model import *
    >>> age = Characteristic(feature="age", attributes=(
    ...     Attribute(condition=Interval(upper=25), points=10), Attribute(condition=Interval(lower=25), points=40),
    ...     Attribute(condition=Missing(), points=20)))
    >>> card = Scorecard(outcome=Outcome(classes=("bad", "good"), favourable="good"),
    ...     features=(Feature(name="age", kind="numeric"),), characteristics=(age,), base_points=500, cutoff=530,
    ...     calibration=Calibration(slope=0.03, intercept=-16))
    >>> found = evaluate(card, {"age": [19.0, 25.0, None]})
    >>> found.score.tolist(), found.approved.tolist()
    ([510.0, 540.0, 520.0], [False, True, False])
    """
    columns, n_rows = read_inputs(model, X)
    if isinstance(model, RegressionScorecard):
        return RegressionEvaluation(outcome=model.outcome, **_added_up(model, columns, n_rows))
    return _evaluate(model, columns, n_rows, reasons)


def read_inputs(model: Model, X: Any) -> tuple[dict[str, Column], int]:
    """The columns that a model reads, checked for presence and kind, and the number of rows."""
    table = as_table(X)
    return select(table, ((feature.name, feature.kind) for feature in model.features)), table.n_rows


def probability(calibration: Calibration, score: Floats) -> Floats:
    """Probability of the favourable class, in the order of operations that `Calibration` declares."""
    z = calibration.intercept + calibration.slope * score
    if calibration.link == "identity":
        return np.minimum(1.0, np.maximum(0.0, z))
    return 1.0 / (1.0 + np.exp(-np.clip(z, -CLAMP, CLAMP)))


def _evaluate(model: DecisionModel, columns: Columns, n_rows: int, reasons: bool) -> Evaluation:
    if isinstance(model, SegmentedModel):
        return _evaluate_segments(model, columns, n_rows, reasons)
    masks = ClauseMasks(model.features, columns, n_rows)
    knock_out = _knock_outs(model.policy, masks, n_rows)
    if isinstance(model, Scorecard):
        return _evaluate_scorecard(model, columns, knock_out, reasons)
    if isinstance(model, RuleSet):
        return _evaluate_rules(model, masks, knock_out, reasons)
    return _evaluate_trees(model, masks, knock_out, reasons)


def _knock_outs(policy: Policy, masks: ClauseMasks, n_rows: int) -> Codes:
    codes: Codes = np.full(n_rows, None, dtype=object)
    for rule in reversed(policy.knock_outs):  # the first that applies has the last word
        codes[masks.conjunction(rule.when)] = rule.code
    return codes


def _decide(outcome: Outcome, score: Floats, cutoff: float, knock_out: Codes) -> NDArray[np.intp]:
    favourable = (score >= cutoff) & (knock_out == np.array(None))
    return np.where(favourable, outcome.favourable_index, 1 - outcome.favourable_index)


def _both(outcome: Outcome, favourable: Floats) -> Floats:
    pair = (1.0 - favourable, favourable) if outcome.favourable_index == 1 else (favourable, 1.0 - favourable)
    return np.stack(pair, axis=1)


def _evaluate_scorecard(model: Scorecard, columns: Columns, knock_out: Codes, reasons: bool) -> Evaluation:
    added = _added_up(model, columns, len(knock_out))
    ranked = None
    if reasons and model.reasons is not None:
        ranked = ranked_attributes(model, model.reasons, added["attribute"], knock_out, added["score"] >= model.cutoff)
    return Evaluation(
        outcome=model.outcome,
        predicted=_decide(model.outcome, added["score"], model.cutoff, knock_out),
        class_probability=_both(model.outcome, probability(model.calibration, added["score"])),
        knock_out=knock_out,
        **_why(ranked),
        **added,
    )


def _why(ranked: Ranked | None) -> dict[str, Any]:
    return {} if ranked is None else {"reasons": ranked.reasons, "shortfalls": ranked.shortfalls}


def _added_up(model: Additive, columns: Columns, n_rows: int) -> _Added:
    """The score, and what it is made of."""
    features = {feature.name: feature for feature in model.features}
    score: Floats = np.full(n_rows, model.base_points)
    attribute, points = {}, {}
    for characteristic in model.characteristics:
        name = characteristic.feature
        conditions = [item.condition for item in characteristic.attributes]
        attribute[name] = assign(conditions, features[name], columns[name])
        points[name] = np.array([item.points for item in characteristic.attributes])[attribute[name]]
        score += points[name]
    return {"score": score, "points": points, "attribute": attribute}


def _evaluate_rules(model: RuleSet, masks: ClauseMasks, knock_out: Codes, reasons: bool) -> Evaluation:
    classes = {label: place for place, label in enumerate(model.outcome.classes)}
    votes = _votes(model.rules, classes, masks, len(knock_out))
    uncovered = votes.sum(axis=1) == 0
    votes[uncovered] = _votes(model.fallback, classes, masks, len(knock_out))[uncovered]
    shares = votes / votes.sum(axis=1, keepdims=True)
    if model.cutoff is None:
        score, predicted = None, np.argmax(votes, axis=1)
    else:
        good = model.outcome.favourable_index
        score = votes[:, good] - votes[:, 1 - good]
        predicted = _decide(model.outcome, score, model.cutoff, knock_out)
    ranked = None
    if reasons and model.reasons is not None:
        assert score is not None
        assert model.cutoff is not None
        short = short_of_rules(model, model.reasons, masks, uncovered)
        ranked = ranked_features(model.reasons, short, knock_out, score >= model.cutoff)
    return Evaluation(
        outcome=model.outcome,
        predicted=predicted,
        class_probability=shares,
        knock_out=knock_out,
        score=score,
        class_scores=votes,
        rules=_applying(model, masks) if reasons else None,
        **_why(ranked),
    )


def _votes(rules: tuple[Rule, ...], classes: Mapping[ClassLabel, int], masks: ClauseMasks, n_rows: int) -> Floats:
    votes = np.zeros((n_rows, len(classes)))
    for rule in rules:
        votes[masks.conjunction(rule.when), classes[rule.outcome]] += rule.weight
    return votes


def _applying(model: RuleSet, masks: ClauseMasks) -> Codes:
    hits, fallback = (masks.conjunctions([rule.when for rule in rules]) for rules in (model.rules, model.fallback))
    return rules_in_words(hits, fallback)


def _evaluate_trees(model: TreeEnsemble, masks: ClauseMasks, knock_out: Codes, reasons: bool) -> Evaluation:
    score: Floats = np.full(len(knock_out), model.base_score)
    for tree in model.trees:
        _add_leaves(tree, masks, np.arange(len(score)), score)
    ranked = None
    if reasons and model.reasons is not None:
        short = short_of_trees(model, model.reasons, masks, len(score))
        ranked = ranked_features(model.reasons, short, knock_out, score >= model.cutoff)
    return Evaluation(
        outcome=model.outcome,
        predicted=_decide(model.outcome, score, model.cutoff, knock_out),
        class_probability=_both(model.outcome, probability(model.calibration, score)),
        knock_out=knock_out,
        score=score,
        **_why(ranked),
    )


def _add_leaves(node: Node, masks: ClauseMasks, rows: NDArray[np.intp], score: Floats) -> None:
    if isinstance(node, Leaf):
        score[rows] += node.value
        return
    held = masks.clause(node.when)[rows]
    _add_leaves(node.then, masks, rows[held], score)
    _add_leaves(node.otherwise, masks, rows[~held], score)


def _evaluate_segments(model: SegmentedModel, columns: Columns, n_rows: int, reasons: bool) -> Evaluation:
    masks = ClauseMasks(model.routing, columns, n_rows)
    segment: Codes = np.full(n_rows, None, dtype=object)
    for part in reversed(model.segments):
        segment[masks.conjunction(part.when)] = part.name
    out: dict[str, Any] = {
        "predicted": np.zeros(n_rows, dtype=np.intp),
        "class_probability": np.zeros((n_rows, len(model.outcome.classes))),
        "knock_out": np.full(n_rows, None, dtype=object),
    }
    if model.outcome.binary:
        out["score"] = np.zeros(n_rows)
    most = max((part.model.reasons.k for part in model.segments if part.model.reasons), default=0)
    if reasons and most:
        out |= _why(Ranked.empty(n_rows, most))
    if reasons and any(isinstance(part.model, RuleSet) for part in model.segments):
        out["rules"] = np.full(n_rows, None, dtype=object)
    for part in model.segments:
        rows = np.flatnonzero(segment == np.array(part.name, dtype=object))
        own = {feature.name: columns[feature.name].take(rows) for feature in part.model.features}
        evaluation = _evaluate(part.model, own, len(rows), reasons)
        for key, values in out.items():
            part_values = getattr(evaluation, key)
            if key in ("reasons", "shortfalls") and part_values is not None:
                values[rows, : part_values.shape[1]] = part_values
            elif part_values is not None:
                values[rows] = part_values
    return Evaluation(outcome=model.outcome, segment=segment, **out)
