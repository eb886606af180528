"""Checks of explainers: late rows count as early ones do, of those that are explained and of the reference."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from scrutable.testing.contract.check import check, require
from scrutable.testing.contract.examples.models import random_models_accepted
from scrutable.testing.contract.examples.random_models import drawn_rows
from scrutable.testing.contract.explainers.explaining import (
    explained,
    has_score,
    near,
    said_of,
    scores_of,
    takes_reference,
)
from scrutable.testing.contract.subject import Subject

#: Rows that are explained again and again, and how many explanations that gives.
_FEW, _MANY = 12, 300
#: Of the random models each third is asked, which are of several kinds.
_EACH = 3
_REFERENCE = 250
#: How often the rows of a reference stand in it, which is more rows than are read where a few are thought enough.
_TIMES = 20


@check("explainer", hint="explain every row by its own values, whatever came before it; keep no state between rows")
def late_rows_are_explained_as_early_ones(subject: Subject) -> None:
    """Among hundreds of rows, the last ones get the explanations that the same rows get at the beginning."""
    for name, model in list(random_models_accepted(subject).items())[::_EACH]:
        rows = drawn_rows(model, _FEW)
        again = rows.iloc[np.arange(_MANY) % _FEW].reset_index(drop=True)
        told = [said_of(each) for each in explained(subject, model, again, drawn_rows(model, _REFERENCE)) or ()]
        for row, each in enumerate(told):
            same = each == told[row % _FEW]
            require(
                same, f"row {row} of a random {name} is explained otherwise than row {row % _FEW}, a copy", got=each
            )


@check("explainer", hint="take the baselines from all rows of the reference, not from the first ones")
def late_rows_of_a_reference_count(subject: Subject) -> None:
    """The order of the rows of the reference changes no explanation."""
    if not takes_reference(subject):
        return
    for name, model in list(random_models_accepted(subject).items())[::_EACH]:
        if not has_score(model):
            continue
        rows = drawn_rows(model, _REFERENCE)
        rising = rows.iloc[np.argsort(scores_of(model, rows), kind="stable")]
        reference = rising.iloc[np.repeat(np.arange(len(rising)), _TIMES)].reset_index(drop=True)
        both = [explained(subject, model, rows.iloc[:_FEW], each) or () for each in (reference, reference.iloc[::-1])]
        for row, (first, second) in enumerate(zip(*both, strict=True)):
            same = _alike(json.loads(said_of(first)), json.loads(said_of(second)))
            fault = f"row {row} of a random {name} is explained otherwise where the reference is in another order"
            require(same, fault, got=said_of(second))


def _alike(first: Any, second: Any) -> bool:
    """Whether plain values are the same but for rounding."""
    if isinstance(first, dict) and isinstance(second, dict):
        return set(first) == set(second) and all(_alike(first[key], second[key]) for key in first)
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(_alike, first, second))
    if isinstance(first, float) and isinstance(second, float):
        return near(first, second)
    return bool(first == second)
