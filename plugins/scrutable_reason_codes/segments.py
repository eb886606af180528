"""Reason codes of a model of segments: each applicant by the model, the cutoff and the policy of their own segment."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from scrutable.data.frames import as_table
from scrutable.model import SegmentedModel, SingleModel
from scrutable.model.segmented import agreeing, in_segment, parts, rows_by_segment
from scrutable_reason_codes.codes_in_words import Teller
from scrutable_reason_codes.comparison import Agreement
from scrutable_reason_codes.explanation import ReasonExplanation
from scrutable_reason_codes.own_reasons import own_policy, single_model
from scrutable_reason_codes.population import WEIGHTS

#: The model of a segment with a policy: from the model, its rows of the reference, and their weights.
Change = Callable[[SingleModel, Any, Any], SingleModel]
#: The methods side by side: of a model, its rows, those of the reference, and their weights.
Comparison = Callable[..., Iterable[Agreement]]


def explained_by_segment(model: SegmentedModel, X: Any) -> Iterator[ReasonExplanation]:
    """The explanation of each row, in order, by the policy of its segment's model.

    Raises
    ------
    ModelError : a segment that has rows has no policy.
    """
    table = as_table(X)
    tellers: dict[str, Teller] = {}
    places = np.zeros(table.n_rows, dtype=np.intp)
    names = np.empty(table.n_rows, dtype=object)
    for segment, rows in rows_by_segment(model, table):
        if len(rows):
            places[rows], names[rows] = np.arange(len(rows)), segment.name
            policy = own_policy(single_model(segment.model), f"reason codes, segment {segment.name!r}")
            tellers[segment.name] = Teller(segment.model, policy, table.subset(rows))
    return (
        replace(tellers[name].explanation(int(place)), row=row, segment=name)
        for row, (name, place) in enumerate(zip(names, places, strict=True))
    )


def changed_by_segment(
    model: SegmentedModel,
    changes: Mapping[str, Change],
    reference: Any = None,
    weight: Any = None,
    *,
    chosen: Collection[str] = (),
) -> SegmentedModel:
    """The whole with another policy in each segment's model.

    Where two segments would call different reasons by one code, codes that nobody chose are numbered anew.

    Parameters
    ----------
    changes : by segment.
    reference, weight : applicants, who are taken by their segment, and their weights.
    chosen : codes that somebody chose.

    Raises
    ------
    ScrutableError : as of the change of a segment, which the message names.
    ModelError : segments disagree on the text of a code that was chosen.
    """
    models = {}
    for segment, rows, weights in parts(model, reference, weight, WEIGHTS):
        with in_segment(segment):
            models[segment.name] = changes[segment.name](single_model(segment.model), rows, weights)
    agreed = agreeing(models, keep=chosen)
    return replace(model, segments=tuple(replace(each, model=agreed[each.name]) for each in model.segments))


def compared_by_segment(
    model: SegmentedModel, comparisons: Mapping[str, Comparison], X: Any, reference: Any, weight: Any
) -> Iterator[Agreement]:
    """The methods side by side in each segment, one segment after another."""
    for (segment, rows, _), (_, known, own_weight) in zip(
        parts(model, X, None), parts(model, reference, weight, WEIGHTS), strict=True
    ):
        with in_segment(segment):
            compared = comparisons[segment.name](segment.model, rows, reference=known, weight=own_weight)
        yield from (replace(each, segment=segment.name) for each in compared)
