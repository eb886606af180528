"""What a model was not made for, as nodes: categories that it never saw, and numbers that nobody had."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from scrutable.data.features import Feature, Value
from scrutable.model.additive import Additive
from scrutable.model.conditions import Categories, Interval
from scrutable.model.contents import clauses_of, features_read
from scrutable.model.domain import next_double
from scrutable.model.program.ladders import Ladder, simplest
from scrutable.model.program.lowering.asking import Asking
from scrutable.model.program.nodes import AtLeast, Bucket, First, Points, Ref, Sum, Text
from scrutable.model.program.program import OUT_OF_RANGE, OUT_OF_RANGE_IN, SCORED, STATUS, UNSEEN, UNSEEN_IN, Output
from scrutable.model.segments import Model, SegmentedModel


def unusual(model: Model, asking: Asking) -> list[Output]:
    """The status of a row, two counts, and for each feature that can be unusual a truth.

    A category is unseen where it is neither among those that were observed nor named by a condition, nor a special
    code; missing is no category. Of numbers, those are categories which a model asks for one by one and never by an
    interval. Other numbers are out of range outside of the observed ones, where these were recorded.
    """
    unseen: dict[str, Ref] = {}
    beyond: dict[str, Ref] = {}
    named = _named(model)
    for feature in features_read(model):
        values, by_interval = named.get(feature.name, ([], False))
        if feature.kind == "categorical" or (values and not by_interval):
            known = [*(feature.observed if feature.kind == "categorical" else ()), *values]
            if known:
                unseen[feature.name] = asking.add(Bucket(asking.column(feature.name), _outside_of(known, feature)))
        elif feature.limits is not None:
            beyond[feature.name] = asking.add(Bucket(asking.column(feature.name), _beyond(feature.limits, feature)))
    counts = [_count(truths.values(), asking) for truths in (unseen, beyond)]
    return [
        Output(STATUS, _status(counts, asking), f"{SCORED!r}, or what is unusual about the row"),
        Output(UNSEEN, counts[0], "how many inputs are categories that the model never saw"),
        Output(OUT_OF_RANGE, counts[1], "how many inputs are numbers outside of those that were observed"),
        *(Output(f"{UNSEEN_IN}{name}", ref) for name, ref in unseen.items()),
        *(Output(f"{OUT_OF_RANGE_IN}{name}", ref) for name, ref in beyond.items()),
    ]


def named_values(model: Model) -> dict[str, tuple[Value, ...]]:
    """By feature, the values that conditions of a model name as categories.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> named_values(models_named()["tree-ensemble"])["job"]
    ('cook',)
    """
    return {name: tuple(dict.fromkeys(values)) for name, (values, _) in _named(model).items()}


def _named(model: Model) -> dict[str, tuple[list[Value], bool]]:
    """By feature, the categories that conditions name, and whether any asks by an interval."""
    named: dict[str, tuple[list[Value], bool]] = {}
    for feature, condition in _conditions(model):
        values, by_interval = named.get(feature, ([], False))
        values = [*values, *(condition.values if isinstance(condition, Categories) else ())]
        named[feature] = values, by_interval or isinstance(condition, Interval)
    return named


def _conditions(model: Model) -> Iterator[tuple[str, object]]:
    """Every condition that a model asks, with the name of its feature."""
    clauses = [clause for part in model.parts for clause in clauses_of(part)]
    if isinstance(model, SegmentedModel):
        clauses += [clause for segment in model.segments for clause in segment.when]
    yield from ((clause.feature, condition) for clause in clauses for condition in clause.any_of)
    for part in model.parts:
        for cut in part.cuts if isinstance(part, Additive) else ():
            yield from ((cut.feature, condition) for condition in cut.conditions)


def _outside_of(known: Sequence[Value], feature: Feature) -> Ladder:
    """The ladder that tells values which are none of those known."""
    start = float("-inf")
    return simplest(feature.kind, 2, [(start, 1)], dict.fromkeys((*known, *feature.special_codes), 0), 0)


def _beyond(limits: tuple[float, float], feature: Feature) -> Ladder:
    """The ladder that tells numbers below the least and above the greatest."""
    least, greatest = limits
    rungs = [(float("-inf"), 1), (least, 0), (next_double(greatest), 1)]
    return simplest("numeric", 2, rungs, dict.fromkeys(feature.special_codes, 0), 0)


def _count(truths: Iterable[Ref], asking: Asking) -> Ref:
    return asking.add(Sum(0.0, tuple(asking.add(Points(truth, (0.0, 1.0))) for truth in truths)))


def _status(counts: Sequence[Ref], asking: Asking) -> Ref:
    unseen, beyond = (asking.add(AtLeast(count, 1.0)) for count in counts)
    which = asking.add(First((asking.every([unseen, beyond]), unseen, beyond)))
    told = ("unseen category, number out of range", "unseen category", "number out of range")
    return asking.add(Text(which, (*told, SCORED)))
