"""Lines of a model that reasons come from: attributes, rules, leaves, knock-outs, and the codes that each can give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, assert_never

import numpy as np
from numpy.typing import NDArray

from scrutable.model import (
    Adjustment,
    Attribute,
    Characteristic,
    Feature,
    Interaction,
    KnockOut,
    Leaf,
    LeafEffects,
    Node,
    Override,
    RegressionScorecard,
    Rule,
    RuleSet,
    Scorecard,
    TreeEnsemble,
    describe_all,
    features_of,
    leaves,
    paths,
    step_functions,
)
from scrutable.model.evaluator import Evaluation, assign, read_inputs
from scrutable.model.rulesets import fallback_sentences, hits_of, read_rules
from scrutable_documents.common.evaluated import Evaluated
from scrutable_documents.common.part import ModelPart
from scrutable_documents.common.ways import Coverage, way_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """A code that a line can give.

    Parameters
    ----------
    feature : whose code it is; None for a knock-out, a score adjustment and an override.
    short : points, or votes, that the line makes the feature fall short by; None where that takes more than the line.
    most : of a leaf, the most that it can add to the shortfall of an applicant, who need not get there.
    """

    code: str
    text: str
    feature: str | None = None
    short: float | None = None
    most: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CodedLine:
    """An attribute, a cell, a rule, a leaf, or a rule around the score.

    Parameters
    ----------
    kind : what it is; a "step" is an attribute that trees of a single feature add up to.
    of : the feature of an attribute; what people call a rule or a tree.
    words : when it applies, in words.
    points : of an attribute, the weight of a rule, the value of a leaf.
    baseline : what the points of an attribute are compared with.
    votes_for : the class of a rule.
    share : of the applicants to whom it applies; None where that is not known.
    codes : none where nothing can fall short here.
    """

    kind: Literal["attribute", "cell", "step", "rule", "fallback", "leaf", "knock-out", "score adjustment", "override"]
    of: str
    words: str
    points: float | None = None
    baseline: float | None = None
    votes_for: str | None = None
    share: float | None = None
    codes: tuple[Carried, ...] = ()

    @property
    def falls_short(self) -> bool:
        """Whether some code can come of it by itself."""
        return any(each.short is not None and each.short > 0 for each in self.codes)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def lines_of(part: ModelPart) -> tuple[CodedLine, ...]:
    """The rules around the score, then what the score is made of, in the model's order."""
    return (*_rules_around(part), *_scored(part))


def _scored(part: ModelPart) -> Iterator[CodedLine]:
    model = part.model
    match model:
        case Scorecard() | RegressionScorecard():
            yield from _of_scorecard(part, model)
        case RuleSet():
            yield from _of_rules(part, model)
        case TreeEnsemble():
            yield from _of_leaves(part, model)
            yield from _of_steps(part, model)
        case _:
            assert_never(model)


def _rules_around(part: ModelPart) -> Iterator[CodedLine]:
    """Shares are of the applicants to whom a knock-out or override is the first that applies."""
    features = {feature.name: feature for feature in part.model.features}
    for rule in part.rules:
        taken = -rule.points if isinstance(rule, Adjustment) else None
        yield CodedLine(
            kind=rule.kind,
            of=rule.code,
            words=describe_all(rule.when, features),
            points=None if taken is None else -taken,
            share=_share_decided(part, rule),
            codes=(Carried(code=rule.code, text=part.text(rule.code), short=taken),),
        )


def _share_decided(part: ModelPart, rule: KnockOut | Adjustment | Override) -> float | None:
    if part.sample is None or not isinstance(part.sample.evaluation, Evaluation) or isinstance(rule, Adjustment):
        return None
    evaluation = part.sample.evaluation
    deciding = evaluation.knock_out if isinstance(rule, KnockOut) else evaluation.override
    assert deciding is not None
    return float(np.mean(deciding == np.array(rule.code, dtype=object)))


def _of_scorecard(part: ModelPart, model: Scorecard | RegressionScorecard) -> Iterator[CodedLine]:
    """Every attribute; shares are of the applicants, and without them those in training."""
    for characteristic in model.characteristics:
        yield from _of_attributes(part, characteristic, "attribute")
    for table in model.interactions:
        yield from _of_cells(part, table)


def _of_steps(part: ModelPart, model: TreeEnsemble) -> Iterator[CodedLine]:
    """What the trees of a single feature add up to, an attribute a line."""
    for characteristic in step_functions(model).characteristics:
        yield from _of_attributes(part, characteristic, "step")


def _of_attributes(
    part: ModelPart, characteristic: Characteristic, kind: Literal["attribute", "step"]
) -> Iterator[CodedLine]:
    features = {feature.name: feature for feature in part.model.features}
    shares = _shares_of_attributes(part.sample, part, characteristic, features[characteristic.feature])
    policy = part.policy
    baseline = None if policy is None else policy.baselines[characteristic.feature]
    for attribute, title, share in zip(characteristic.attributes, characteristic.titles, shares, strict=True):
        yield CodedLine(
            kind=kind,
            of=characteristic.feature,
            words=title,
            points=attribute.points,
            baseline=baseline,
            share=share,
            codes=_code_of(part, characteristic.feature, attribute, baseline),
        )


def _of_cells(part: ModelPart, table: Interaction) -> Iterator[CodedLine]:
    """Every cell of a table of two features; shares are not told."""
    policy, (rows, columns) = part.policy, table.axes
    baseline = None if policy is None else policy.baselines[table.name]
    for row, first in zip(table.points, rows.titles, strict=True):
        for cell, second in zip(row, columns.titles, strict=True):
            short = None if baseline is None else max(0.0, baseline - cell)
            yield CodedLine(
                kind="cell",
                of=table.name,
                words=f"{part.titles[rows.feature]} {first}; {part.titles[columns.feature]} {second}",
                points=cell,
                baseline=baseline,
                codes=() if short is None else _carried(part, table.name, short),
            )


def _code_of(part: ModelPart, feature: str, attribute: Attribute, baseline: float | None) -> tuple[Carried, ...]:
    if part.policy is None or baseline is None:
        return ()
    code = attribute.reason_code or part.policy.codes[feature]
    short = max(0.0, baseline - attribute.points)
    return (Carried(code=code, text=part.text(code), feature=feature, short=short),)


def _shares_of_attributes(
    sample: Evaluated | None, part: ModelPart, characteristic: Characteristic, feature: Feature
) -> Sequence[float | None]:
    if sample is None:
        known = (attribute.statistics for attribute in characteristic.attributes)
        return [None if statistics is None else statistics.share for statistics in known]
    columns, n_rows = read_inputs(part.model, sample.table)
    conditions = [attribute.condition for attribute in characteristic.attributes]
    held: NDArray[np.intp] = assign(conditions, feature, columns[feature.name])
    shares: list[float] = (np.bincount(held, minlength=len(conditions)) / n_rows).tolist()
    return shares


def _of_leaves(part: ModelPart, model: TreeEnsemble) -> Iterator[CodedLine]:
    """Every leaf; shares are of the applicants who get there."""
    share_of, titles = None if part.sample is None else Coverage(model, part.sample.table), part.titles
    effects = iter(() if part.policy is None else part.policy.effects)
    for number, tree in enumerate(model.trees, 1):
        several = part.policy is not None and len(features_of(tree)) > 1
        of_tree = next(effects) if several else (None,) * sum(1 for _ in leaves(tree))
        for (leaf, path), taken in zip(paths(tree), of_tree, strict=True):
            words = way_words(path, titles)
            yield CodedLine(
                kind="leaf",
                of=f"Tree {number}",
                words=f"{leaf.label}: {words}" if leaf.label else words,
                points=leaf.value,
                share=None if share_of is None else share_of(path),
                codes=_codes_of_one(part, tree, leaf) if taken is None else _codes_of_several(part, taken),
            )


def _codes_of_one(part: ModelPart, tree: Node, leaf: Leaf) -> tuple[Carried, ...]:
    """The code of the only feature, unless no leaf gives more."""
    if leaf.value == max(each.value for each in leaves(tree)):
        return ()
    return tuple(each for feature in features_of(tree) for each in _carried(part, feature, None))


def _codes_of_several(part: ModelPart, effects: LeafEffects) -> tuple[Carried, ...]:
    """Codes of the features that the leaf takes points from, whether or not an applicant gets there."""
    codes: list[Carried] = []
    for position, feature in enumerate(effects.features):
        most = -min(row[position] for row in effects.values)
        if most > 0:
            codes += _carried(part, feature, -effects.values[-1][position], most)
    return tuple(codes)


def _of_rules(part: ModelPart, model: RuleSet) -> Iterator[CodedLine]:
    """Every rule, then those of the fallback; shares are of the applicants on whom the rule votes."""
    voting, deciding = _shares_of_rules(part, model)
    for reading, share in zip(read_rules(model), voting, strict=True):
        yield CodedLine(
            kind="rule",
            of=f"Rule {reading.number}",
            words=reading.sentence,
            points=reading.rule.weight,
            votes_for=str(reading.rule.outcome),
            share=share,
            codes=_codes_against(part, model, reading.rule),
        )
    for number, (rule, sentence, share) in enumerate(
        zip(model.fallback, fallback_sentences(model), deciding, strict=True), 1
    ):
        yield CodedLine(
            kind="fallback",
            of=f"Fallback {number}",
            words=sentence,
            points=rule.weight,
            votes_for=str(rule.outcome),
            share=share,
            codes=_codes_against(part, model, rule),
        )


def _codes_against(part: ModelPart, model: RuleSet, rule: Rule) -> tuple[Carried, ...]:
    if not model.against(rule):
        return ()
    return tuple(each for clause in rule.when for each in _carried(part, clause.feature, rule.weight))


def _shares_of_rules(part: ModelPart, model: RuleSet) -> tuple[list[float | None], list[float | None]]:
    if part.sample is None:
        return [None] * len(model.rules), [None] * len(model.fallback)
    hits = hits_of(model.rules, model, part.sample.table)
    fallback = hits_of(model.fallback, model, part.sample.table)
    fallback[hits.any(axis=1)] = False
    return hits.mean(axis=0).tolist(), fallback.mean(axis=0).tolist()


def _carried(part: ModelPart, feature: str, short: float | None, most: float | None = None) -> tuple[Carried, ...]:
    """The code of a feature, where the model has a reason policy in which the feature can be a reason."""
    if part.policy is None or feature not in part.policy.codes:
        return ()
    code = part.policy.codes[feature]
    return (Carried(code=code, text=part.text(code), feature=feature, short=short, most=most),)
