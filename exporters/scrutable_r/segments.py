"""Segments: a function for each segment's model, and a choice among them."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scrutable.model import RuleSet, SegmentedModel, SingleModel, features_read, reasons_by_segment, results_of_segments
from scrutable.model.evaluator import kind_of
from scrutable.plugins import one_line
from scrutable_r.conditions import Inputs
from scrutable_r.quoting import quoted


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentFunction:
    """A segment: its name as a literal, its condition as R, both in words, and the R code that makes its function."""

    name: str
    when: str
    note: str
    body: str


def context(model: SegmentedModel, bodies: Sequence[str]) -> dict[str, Any]:
    """What the template of segments writes.

    Parameters
    ----------
    bodies : the R code of each segment's model.
    """
    titles = {feature.name: feature for feature in model.routing}
    # special codes as the routing knows them, variables as the whole has them
    inputs = Inputs(titles, Inputs.of(features_read(model)).variables)
    parts = [
        SegmentFunction(
            name=quoted(segment.name),
            when=inputs.conjunction(segment.when),
            note=one_line(f"{segment.name}: {segment.describe(titles)}"),
            body=textwrap.indent(body.strip("\n"), "  "),
        )
        for segment, body in zip(model.segments, bodies, strict=True)
    ]
    return {"parts": parts, "results": _results(model), "k": max(reasons_by_segment(model, None)) or None}


def _results(model: SegmentedModel) -> list[tuple[str, str]]:
    """The results after the segment, and the literal that stands where a segment has no such result."""
    counts = reasons_by_segment(model, None)
    each = [_of_one(segment.model, count) for segment, count in zip(model.segments, counts, strict=True)]
    return [(name, _NOTHING[kind_of(name)]) for name in results_of_segments(each)[1:]]


def _of_one(model: SingleModel, k: int) -> list[str]:
    """The results of a segment's model that the whole has, too."""
    names = ["score", "probability", "approved", "knock_out"]
    if not model.outcome.binary:
        names = [*(f"probability_{i}" for i in range(len(model.outcome.classes))), "predicted"]
    names += [f"{kind}_{place}" for kind in ("reason", "short") for place in range(1, k + 1)]
    return [*names, "rules"] if isinstance(model, RuleSet) else names


#: NA of the type of a result.
_NOTHING: dict[type[Any], str] = {np.object_: "NA_character_", np.int64: "NA_integer_", np.float64: "NA_real_"}
