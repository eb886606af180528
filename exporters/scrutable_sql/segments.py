"""Segments: the statement of each segment's model as a part of its own, and a choice among their results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scrutable.model import SegmentedModel, features_read, results_of_segments
from scrutable_sql.common import Plan, Result
from scrutable_sql.conditions import conjunction
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Case, Column, Rung, Step
from scrutable_sql.quoting import comment, literal

#: The column that holds the number of the segment.
_NUMBER = "segment_number"
_ABOUT = "the segment: the first whose condition holds"


def plan(model: SegmentedModel, parts: Sequence[Plan], options: SQLOptions) -> Plan:
    """The step segments, then the steps of each part, of which nothing but its results is left.

    Every row goes through every part: no engine has to split the table, and rows keep their order.

    Parameters
    ----------
    parts : the plan of each segment's model.
    """
    wanted = results_of_segments([result.name for result in part.results] for part in parts)
    steps = [Step("segments", _ABOUT, (_number(model, options),), ends=True)]
    for position, (segment, part) in enumerate(zip(model.segments, parts, strict=True), 1):
        steps += [replace(step, name=f"segment_{position}_{step.name}") for step in part.steps]
        results = [result for result in part.results if result.name in wanted]
        columns = tuple(Column(result.expression, _own(position, result.name)) for result in results)
        about = comment(f"what the model of segment {position}, {segment.name!r}, says of every row")
        steps.append(Step(f"segment_{position}", about, columns, ends=True))
    names = [literal(segment.name, options.target) for segment in model.segments]
    told = Result("segment", _chosen(names), "the segment")
    return Plan(tuple(steps), (told, *(_result(name, parts) for name in wanted[1:])), _laddered(model, parts))


def _number(model: SegmentedModel, options: SQLOptions) -> Column:
    features = {feature.name: feature for feature in model.routing}
    rungs = tuple(
        Rung(
            conjunction(segment.when, features, options.target),
            str(position),
            comment(f"{segment.name}: {segment.describe(features)}"),
        )
        for position, segment in enumerate(model.segments[:-1], 1)
    )
    last = str(len(model.segments))
    note = comment(f"{model.segments[-1].name}: {model.segments[-1].describe()}")
    return Column(Case(rungs, last, note) if rungs else last, _NUMBER, note="" if rungs else note)


def _result(name: str, parts: Sequence[Plan]) -> Result:
    """One result, from the part of the row's segment; NULL where that part has none."""
    having = [any(result.name == name for result in part.results) for part in parts]
    about = next(result.about for part in parts for result in part.results if result.name == name)
    if name == "approved":
        about = "1 if the score is at least the cutoff of the segment, no knock-out; else 0"
    own = [_own(position, name) if has else "NULL" for position, has in enumerate(having, 1)]
    return Result(name, _chosen(own), about)


def _chosen(values: Sequence[str]) -> str | Case:
    """The value of the row's segment."""
    if len(values) == 1:
        return values[0]
    rungs = tuple(Rung(f"{_NUMBER} = {position}", value) for position, value in enumerate(values, 1) if value != "NULL")
    return Case(rungs[:-1], rungs[-1].then) if len(rungs) == len(values) else Case(rungs)


def _own(position: int, name: str) -> str:
    return f"segment_{position}_{name}"


def _laddered(model: SegmentedModel, parts: Sequence[Plan]) -> frozenset[str]:
    """Features that nothing but ladders asks for in any part."""
    asked = {feature.name for feature in model.routing}
    for segment, part in zip(model.segments, parts, strict=True):
        asked |= {feature.name for feature in segment.model.features} - part.laddered
    return frozenset(feature.name for feature in features_read(model)) - asked
