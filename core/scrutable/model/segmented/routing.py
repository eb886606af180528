"""Applicants of a model of segments, apart: each segment with its own rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Table, as_table
from scrutable.data.sample_weights import weights
from scrutable.errors import ScrutableError
from scrutable.model import Segment, SegmentedModel
from scrutable.model.evaluator import evaluate


def rows_by_segment(model: SegmentedModel, table: Table) -> Iterator[tuple[Segment, NDArray[np.intp]]]:
    """Each segment with the positions of its rows."""
    evaluation = evaluate(model, table, reasons=False)
    for segment in model.segments:
        yield segment, np.flatnonzero(evaluation.of_segment(segment.name))


def parts(model: SegmentedModel, X: Any, weight: Any, where: str = "weight") -> Iterator[tuple[Segment, Any, Any]]:
    """Each segment with its rows and their weights; None where there are none at all.

    Parameters
    ----------
    where : what errors call the weights.
    """
    if X is None:
        yield from ((segment, None, None) for segment in model.segments)
        return
    table = as_table(X)
    every = None if weight is None else weights(weight, table.n_rows, where)
    for segment, rows in rows_by_segment(model, table):
        yield segment, table.subset(rows), None if every is None else every[rows]


@contextmanager
def in_segment(segment: Segment) -> Iterator[None]:
    """Let errors say which segment they are of."""
    try:
        yield
    except ScrutableError as error:
        where = f"segment {segment.name!r}"
        error.where = f"{where}, {error.where}" if error.where else where
        raise
