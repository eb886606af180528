"""Segments: a function for each segment's model, and a choice among them."""

from __future__ import annotations

from dataclasses import dataclass

from scrutable.model import SegmentedModel, features_read, results_of_segments
from scrutable.plugins import one_line
from scrutable_python.common import Body, variables
from scrutable_python.conditions import Variable, conjunction
from scrutable_python.render import part_of_segment
from scrutable_python.text import literal


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentFunction:
    """A segment.

    Parameters
    ----------
    name : literal of its name.
    when : its condition.
    note : name and condition in words.
    arguments : the variables that its function is called with.
    text : its function, with what that needs.
    """

    name: str
    when: str
    note: str
    arguments: str
    text: str


def body(model: SegmentedModel, bodies: list[Body]) -> Body:
    """The segment, and what all its models say alike.

    Parameters
    ----------
    bodies : of the segments' models.
    """
    names = variables(features_read(model))
    routing = {feature.name: Variable(feature, names[feature.name].name) for feature in model.routing}
    titles = {feature.name: feature for feature in model.routing}
    parts = [
        SegmentFunction(
            name=literal(segment.name),
            when=conjunction(segment.when, routing),
            note=one_line(f"{segment.name}: {segment.describe(titles)}"),
            arguments=", ".join(names[feature.name].name for feature in segment.model.features),
            text=part_of_segment(own),
        )
        for segment, own in zip(model.segments, bodies, strict=True)
    ]
    columns = results_of_segments(own.columns for own in bodies)
    context = {"variables": list(names.values()), "parts": parts, "results": [literal(name) for name in columns[1:]]}
    return Body(template="segmented.jinja", context=context, columns=columns)
