"""The rows of a search as each of its learners reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from scrutable.data import TrainingData
from scrutable.errors import InputError
from scrutable_lifecycle.search.entrants import Entrant
from scrutable_lifecycle.search.ratio_asked import RatioAsked


def references_of(entrants: Sequence[Entrant]) -> dict[str, str]:
    """The references that learners name; those of the first one win."""
    return {name: label for entrant in reversed(entrants) for name, label in entrant.references.items()}


def read_alike(entrants: Sequence[Entrant], asked: RatioAsked, X: Any, y: Any, **further: Any) -> list[TrainingData]:
    """The rows as each learner reads them, in groups with the references that are asked for.

    Parameters
    ----------
    X, y, further : as for `Learner.read`.

    Raises
    ------
    InputError : no groups, or learners that favour different classes of the same outcomes; or as in `Learner.read`.
    """
    parts = [_read(entrant, asked, X, y, **further) for entrant in entrants]
    for entrant, data in zip(entrants, parts, strict=True):
        if data.outcome != parts[0].outcome:
            raise InputError(
                "learners favour different classes",
                where=f"learner {entrant.name!r}",
                got=data.outcome.favourable,
                allowed=f"that of {entrants[0].name!r}, {parts[0].outcome.favourable!r}",
                fix="give all of them the same favourable=",
            )
    return parts


def subset_of(entrant: Entrant, data: TrainingData, rows: Any, weighted: bool) -> TrainingData:
    """Some of the rows, read anew by the learner."""
    assert data.groups is not None
    if "reference_groups" in entrant.options:
        entrant.learner.set_params(reference_groups=None)  # the groups hold the references by now
    part: TrainingData = entrant.learner.read(
        data.table.subset(rows),
        pd.Series(data.classes[data.label[rows]], name=data.outcome.target),
        sensitive_features=data.groups.subset(rows),
        sample_weight=data.weight[rows] if weighted else None,
    )
    return part


def _read(entrant: Entrant, asked: RatioAsked, X: Any, y: Any, **further: Any) -> TrainingData:
    data = entrant.learner.read(X, y, **further)
    if data.groups is None:
        raise InputError("the search compares groups", where="sensitive_features", fix="pass protected attributes")
    return replace(data, groups=asked.with_references(data.groups))
