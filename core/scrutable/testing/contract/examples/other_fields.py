"""Models that differ from another in many fields, each of them in other ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from scrutable.model import (
    Characteristic,
    Clause,
    FrozenMapping,
    Interval,
    KnockOut,
    Leaf,
    Missing,
    RuleSet,
    Scorecard,
    Split,
    TreeEnsemble,
)
from scrutable.model.conditions import AttributeCondition, ClauseCondition, Closed
from scrutable.model.segments import SingleModel
from scrutable.model.trees import Node

T = TypeVar("T")
#: How far points, cuts and cutoffs are moved; no short decimal.
_STEP = 1 + 1 / 7
_OTHER_END: dict[Closed, Closed] = {"left": "neither", "right": "both", "both": "right", "neither": "left"}


def with_other_fields(model: SingleModel, every: int, start: int) -> SingleModel:
    """The model with each `every`-th field changed, from the one at a place on, as far as the model allows it."""
    for place in range(start, len(list(_one_field(model))), every):
        model = list(_one_field(model))[place]
    return model


def _one_field(model: SingleModel) -> Iterator[SingleModel]:
    """Models that differ from this one in a field."""
    yield from _of_knock_outs(model)
    yield from _of_reasons(model)
    if isinstance(model, Scorecard):
        yield from _of_scorecard(model)
    if isinstance(model, TreeEnsemble):
        yield from _of_trees(model)
    if isinstance(model, RuleSet):
        yield from _of_rules(model)
    else:
        yield replace(model, cutoff=model.cutoff + _STEP)
        yield replace(model, calibration=replace(model.calibration, slope=model.calibration.slope / 2))
        intercept = model.calibration.intercept + _STEP / 8
        yield replace(model, calibration=replace(model.calibration, intercept=intercept))


def _of_scorecard(card: Scorecard) -> Iterator[SingleModel]:
    yield replace(card, base_points=card.base_points - _STEP)
    for place in (0, len(card.characteristics) - 1):
        one = card.characteristics[place]
        for number, attribute in enumerate(one.attributes):
            moved = replace(attribute, points=attribute.points + _STEP)
            changed = replace(one, attributes=_with(one.attributes, number, moved))
            characteristics = _with(card.characteristics, place, changed)
            yield replace(card, characteristics=characteristics)
    for place, one in enumerate(card.characteristics):
        cut = _with_another_cut(one)
        if cut is not None:
            yield replace(card, characteristics=_with(card.characteristics, place, cut))


def _with_another_cut(one: Characteristic) -> Characteristic | None:
    """The characteristic with its highest cut moved down; None where it has none."""
    cuts = [each.condition.lower for each in one.attributes if isinstance(each.condition, Interval)]
    if len(cuts) < 2:
        return None
    old, new = cuts[-1], cuts[-1] - min(_STEP, (cuts[-1] - cuts[-2]) / 2)

    def moved(condition: AttributeCondition) -> AttributeCondition:
        if not isinstance(condition, Interval):
            return condition
        ends = [new if end == old else end for end in (condition.lower, condition.upper)]
        return replace(condition, lower=ends[0], upper=ends[1])

    attributes = (replace(each, condition=moved(each.condition)) for each in one.attributes)
    return replace(one, attributes=tuple(attributes))


def _of_trees(model: TreeEnsemble) -> Iterator[SingleModel]:
    yield replace(model, base_score=model.base_score - _STEP)
    for place, tree in enumerate(model.trees):
        for grown in (_last_leaf(tree), _first_split(tree)):
            yield replace(model, trees=_with(model.trees, place, grown))


def _last_leaf(node: Node) -> Node:
    if isinstance(node, Leaf):
        return replace(node, value=node.value + _STEP)
    return Split(node.when, node.then, _last_leaf(node.otherwise))


def _first_split(node: Node) -> Node:
    return node if isinstance(node, Leaf) else Split(_other_clause(node.when), node.then, node.otherwise)


def _of_rules(model: RuleSet) -> Iterator[SingleModel]:
    for place in (0, len(model.rules) - 1):
        rule = model.rules[place]
        yield replace(model, rules=_with(model.rules, place, replace(rule, weight=rule.weight / 2)))
        when = (*rule.when[:-1], _other_clause(rule.when[-1]))
        yield replace(model, rules=_with(model.rules, place, replace(rule, when=when)))
    last = len(model.fallback) - 1
    weaker = replace(model.fallback[last], weight=0.25)
    yield replace(model, fallback=_with(model.fallback, last, weaker))


def _of_knock_outs(model: SingleModel) -> Iterator[SingleModel]:
    rules = model.policy.knock_outs
    for place, rule in enumerate(rules):
        clause = _other_clause(rule.when[0])
        yield _knocking(model, _with(rules, place, replace(rule, when=(clause,))))
        fewer = Clause(rules[place - 1].when[0].feature, rules[place - 1].when[0].any_of)
        both = replace(rule, when=(rule.when[0], fewer))
        yield _knocking(model, _with(rules, place, both))
        told = replace(rule, code=f"{rule.code}b")
        yield _knocking(model, _with(rules, place, told))
    yield _knocking(model, rules[::-1])


def _knocking(model: SingleModel, rules: tuple[KnockOut, ...]) -> SingleModel:
    return replace(model, policy=replace(model.policy, knock_outs=rules))


def _of_reasons(model: SingleModel) -> Iterator[SingleModel]:
    reasons = model.reasons
    if reasons is None:
        return
    for count in (1, reasons.k + 2):
        yield replace(model, reasons=replace(reasons, k=count))
    yield replace(model, reasons=replace(reasons, order=reasons.order[::-1]))
    for name in list(reasons.codes)[:: max(1, len(reasons.codes) - 1)]:
        others = [code for code in reasons.order if code != reasons.codes[name]]
        yield replace(model, reasons=replace(reasons, codes=_with_entry(reasons.codes, name, others[0])))
    for name, points in list(reasons.baselines.items())[:: max(1, len(reasons.baselines) - 1)]:
        moved = replace(reasons, baselines=_with_entry(reasons.baselines, name, points + 16 * _STEP))
        yield replace(model, reasons=moved)


def _with_entry(values: Mapping[str, T], name: str, value: T) -> FrozenMapping[T]:
    return FrozenMapping({**values, name: value})


def _other_clause(clause: Clause) -> Clause:
    """The clause with another end of its interval, or with missing values where it had none or the other way round."""
    for place, each in enumerate(clause.any_of):
        if isinstance(each, Interval):
            other = replace(each, closed=_OTHER_END[each.closed])
            if each.lower == float("-inf"):
                other = replace(each, closed="right" if each.closed in ("left", "neither") else "left")
            return replace(clause, any_of=_with(clause.any_of, place, other))
    kept: tuple[ClauseCondition, ...] = tuple(each for each in clause.any_of if not isinstance(each, Missing))
    return replace(clause, any_of=kept if 0 < len(kept) < len(clause.any_of) else (*kept, Missing()))


def _with(values: Sequence[T], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])
