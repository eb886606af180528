"""The fields of the what-if form: what each feature can be, and where it starts."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, assert_never

from scrutable.model import (
    Categories,
    Clause,
    Interval,
    Kind,
    Model,
    RegressionScorecard,
    RuleSet,
    Scorecard,
    SegmentedModel,
    TreeEnsemble,
    splits,
)
from scrutable.writing import number


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of the form.

    Parameters
    ----------
    specials : the special codes of a numeric feature.
    options : the texts that the model names, of a categorical one.
    other : a text that the model does not name.
    start : what stands in a numeric field at first, or the position of an option; empty for missing.
    """

    name: str
    title: str
    kind: Kind
    specials: tuple[Any, ...] = ()
    options: tuple[str, ...] = ()
    other: str = ""
    start: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for the page's script."""
        return asdict(self)


def form_fields(model: Model) -> list[Field]:
    """A field for each column that the model reads, in the order of its features."""
    conditions: dict[str, list[Any]] = {}
    for name, condition, share in _conditions(model):
        conditions.setdefault(name, []).append((condition, share))
    fields: dict[str, Field] = {}
    for feature in model.features:
        specials = tuple(
            dict.fromkeys(code for each in model.features if each.name == feature.name for code in each.special_codes)
        )
        seen = conditions.get(feature.name, [])
        if feature.kind == "numeric":
            made = Field(
                name=feature.name, title=feature.title, kind="numeric", specials=specials, start=_typical_number(seen)
            )
        else:
            options = _texts(seen, specials)
            made = Field(
                name=feature.name,
                title=feature.title,
                kind="categorical",
                options=options,
                other=_unnamed(options),
                start=_typical_text(seen, options),
            )
        fields.setdefault(feature.name, made)
    return list(fields.values())


def _conditions(model: Model) -> Iterator[tuple[str, Any, float]]:
    """Every condition on a feature, with the share of the applicants that met it in training where that is known."""
    match model:
        case SegmentedModel():
            for segment in model.segments:
                yield from _of_clauses(segment.when)
                yield from _conditions(segment.model)
            return
        case Scorecard() | RegressionScorecard():
            for axis in (axis for table in model.interactions for axis in table.axes):
                yield from ((axis.feature, condition, 0.0) for condition in axis.conditions)
            for characteristic in model.characteristics:
                for attribute in characteristic.attributes:
                    share = 0.0 if attribute.statistics is None else attribute.statistics.share
                    yield characteristic.feature, attribute.condition, share
        case RuleSet():
            for rule in (*model.rules, *model.fallback):
                yield from _of_clauses(rule.when)
        case TreeEnsemble():
            for tree in model.trees:
                yield from _of_clauses(split.when for split in splits(tree))
        case _:
            assert_never(model)
    if not isinstance(model, RegressionScorecard):
        for of_policy in model.policy.rules:
            yield from _of_clauses(of_policy.when)


def _of_clauses(clauses: Iterable[Clause]) -> Iterator[tuple[str, Any, float]]:
    for clause in clauses:
        for condition in clause.any_of:
            yield clause.feature, condition, 0.0


def _typical_number(seen: list[tuple[Any, float]]) -> str:
    """The end of the interval that most applicants were in, else the middle one of all ends."""
    intervals = [(share, condition) for condition, share in seen if isinstance(condition, Interval)]
    ends = [end for _, each in intervals for end in (each.lower, each.upper) if math.isfinite(end)]
    codes = [float(value) for condition, _ in seen if isinstance(condition, Categories) for value in condition.values]
    share, fullest = max(intervals, key=lambda each: each[0], default=(0.0, Interval()))
    if share > 0 and math.isfinite(fullest.lower):
        return _short(fullest.lower)
    return _short(statistics.median_low(ends or codes or [0.0]))


def _short(value: float) -> str:
    """A number near a cut, with few digits."""
    return number(float(f"{value:.6g}"))


def _texts(seen: list[tuple[Any, float]], specials: tuple[Any, ...]) -> tuple[str, ...]:
    named = (value for condition, _ in seen if isinstance(condition, Categories) for value in condition.values)
    return tuple(str(value) for value in dict.fromkeys([*named, *specials]))


def _typical_text(seen: list[tuple[Any, float]], options: tuple[str, ...]) -> str:
    named = [(share, condition) for condition, share in seen if isinstance(condition, Categories)]
    if not named:
        return ""
    return str(options.index(str(max(named, key=lambda each: each[0])[1].values[0])))


def _unnamed(options: tuple[str, ...]) -> str:
    name = "another value"
    while name in options:
        name += "?"
    return name
