"""Scorecards: an attribute a line, its points beside its condition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scrutable.model import (
    Attribute,
    Categories,
    Characteristic,
    Interval,
    Missing,
    ReasonPolicy,
    RegressionScorecard,
    Scorecard,
    Special,
    describe_alike,
)
from scrutable.plugins import one_line
from scrutable_r.conditions import Inputs
from scrutable_r.quoting import number, quoted, valued, vector
from scrutable_r.reasons import codes


@dataclass(frozen=True, slots=True)
class AttributeCall:
    """An attribute: the arguments of the R function `attribute`, and its condition in words."""

    arguments: str
    note: str


@dataclass(frozen=True, slots=True)
class CharacteristicCall:
    """A characteristic: its variable, its attributes, and the arguments that say how it becomes a reason."""

    variable: str
    lines: tuple[AttributeCall, ...]
    reason: str
    note: str


def context(model: Scorecard, inputs: Inputs) -> dict[str, Any]:
    """What the template of scorecards writes."""
    return {**context_of_points(model, inputs, model.reasons), **codes(model.reasons)}


def context_of_points(
    model: Scorecard | RegressionScorecard, inputs: Inputs, policy: ReasonPolicy | None = None
) -> dict[str, Any]:
    """What the templates of scorecards of all kinds write."""
    return {
        "characteristics": blocks(model.characteristics, inputs, policy),
        "base": number(model.base_points),
        "point_names": [quoted(f"points_{item.feature}") for item in model.characteristics],
    }


def blocks(
    characteristics: Sequence[Characteristic], inputs: Inputs, policy: ReasonPolicy | None = None
) -> list[CharacteristicCall]:
    """The characteristics in order."""
    return [_block(item, inputs, policy) for item in characteristics]


def _block(item: Characteristic, inputs: Inputs, policy: ReasonPolicy | None) -> CharacteristicCall:
    feature = inputs.features[item.feature]
    reason = ""
    if policy is not None:
        reason = f"baseline = {number(policy.baselines[item.feature])}, reason = {quoted(policy.codes[item.feature])}"
    return CharacteristicCall(
        variable=inputs.variables[item.feature],
        lines=tuple(_lines(item, policy is not None)),
        reason=reason,
        note=one_line(feature.title),
    )


def _lines(item: Characteristic, reasoned: bool) -> Iterator[AttributeCall]:
    for attribute, told in zip(item.attributes, describe_alike(item.conditions), strict=True):
        arguments = [number(attribute.points), *_who(attribute)]
        if reasoned and attribute.reason_code is not None:
            arguments.append(f"reason = {quoted(attribute.reason_code)}")
        yield AttributeCall(", ".join(arguments), _words(attribute, told))


def _who(attribute: Attribute) -> list[str]:
    """The argument that says who has an attribute; none for any other value."""
    condition = attribute.condition
    if isinstance(condition, Interval):
        return [f"from = {number(condition.lower)}"]
    if isinstance(condition, Categories):
        return [f"is = {vector(condition.values)}"]
    if isinstance(condition, Special):
        return [f"is = {vector(condition.codes)}"]
    return ["is = NA"] if isinstance(condition, Missing) else []


def _words(attribute: Attribute, told: str) -> str:
    return valued(f"{told}: {attribute.label}" if attribute.label else told, attribute.points)
