"""Checks of explainers of models with segments: in each segment its own model is explained, against its own rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from scrutable.model import SegmentedModel
from scrutable.model.evaluator import evaluate
from scrutable.plugins.component import Component
from scrutable.testing.contract.check import check, require
from scrutable.testing.contract.examples.models import random_models_accepted
from scrutable.testing.contract.examples.random_models import drawn_rows
from scrutable.testing.contract.explainers.explaining import explained, near, said_of, takes_reference, told
from scrutable.testing.contract.explainers.influence import compares
from scrutable.testing.contract.subject import Subject

_ROWS = 12


def of_segments(component: Component) -> bool:
    """That it compares points with those of a population, in models with segments too."""
    return compares(component) and "segmented-model" in component.accepts


@check(
    "explainer",
    of=of_segments,
    hint="compare with the reference's rows of the segment: evaluate(model, reference).of_segment(name)",
)
def other_segments_change_nothing(subject: Subject) -> None:
    """Other rows of the reference that are of other segments change no explanation in this one."""
    for name, model, rows, reference in _models(subject):
        for segment, own, inside, place in _parts(model, rows, reference):
            others = reference[~inside]
            kept = pd.concat([reference[inside], others.iloc[::3], others.iloc[:1]], ignore_index=True)
            first, second = (explained(subject, model, own, each) for each in (reference, kept))
            if first is None or second is None:
                continue
            pairs = zip(map(said_of, first), map(said_of, second), strict=True)
            wrong = [place[row] for row, (one, other) in enumerate(pairs) if one != other]
            fault = f"other reference rows of other segments explain row(s) of {segment!r} in a random {name} otherwise"
            require(not wrong, fault, got=wrong)


@check("explainer", of=of_segments, hint="explain each segment by its own model and by its own rows of the reference")
def a_segment_is_explained_as_its_model_alone(subject: Subject) -> None:
    """Rows of a segment fall short, or gain, by as many points as where its model alone is explained to its rows."""
    for name, model, rows, reference in _models(subject):
        models = {each.name: each.model for each in model.segments}
        for segment, own, inside, place in _parts(model, rows, reference):
            both = [
                explained(subject, model, own, reference),
                explained(subject, models[segment], own, reference[inside].reset_index(drop=True)),
            ]
            if both[0] is None or both[1] is None:
                continue
            for row, (whole, alone) in enumerate(zip(*both, strict=True)):
                first, second = _points(subject, whole), _points(subject, alone)
                same = first.keys() == second.keys() and all(near(first[key], second[key]) for key in first)
                fault = f"row {place[row]}, of segment {segment!r} of a random {name}, is explained by other points"
                require(same, f"{fault} than by that segment's model alone", got=(first, second))


def _models(subject: Subject) -> Iterator[tuple[str, SegmentedModel, pd.DataFrame, pd.DataFrame]]:
    """Random models with segments, rows of them, and a reference."""
    for name, model in random_models_accepted(subject).items() if takes_reference(subject) else ():
        if isinstance(model, SegmentedModel):
            rows = drawn_rows(model)
            yield name, model, rows.iloc[: 4 * _ROWS].reset_index(drop=True), rows.iloc[4 * _ROWS :]


def _parts(
    model: SegmentedModel, rows: pd.DataFrame, reference: pd.DataFrame
) -> Iterator[tuple[str, pd.DataFrame, Any, list[int]]]:
    """Each segment: some of its rows, which rows of the reference are its own, and where its rows stand."""
    whose, theirs = (evaluate(model, each, reasons=False) for each in (rows, reference))
    for segment in model.segments:
        place = np.flatnonzero(whose.of_segment(segment.name))[:_ROWS]
        inside = np.asarray(theirs.of_segment(segment.name))
        if len(place) and inside.any() and not inside.all():
            yield segment.name, rows.iloc[place].reset_index(drop=True), inside, place.tolist()


def _points(subject: Subject, explanation: Any) -> dict[str, Any]:
    """What is told in points: contributions by feature, and shortfalls in their order."""
    points: dict[str, Any] = {}
    if "contributions" in subject.component.produces:
        points |= dict(told(explanation, "contributions"))
    if "reasons" in subject.component.produces:
        short = [each.points_short for each in told(explanation, "reasons")]
        points |= {
            f"reason {rank}": -1.0 if each is None else each for rank, each in enumerate(short, 1)
        }  # knocked out
    return points
