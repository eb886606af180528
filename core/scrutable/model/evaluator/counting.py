"""What is counted of many rows: decisions, scores, attributes and reasons, by their places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.model.evaluator.evaluate import read_inputs
from scrutable.model.evaluator.programs import program_for, program_of
from scrutable.model.program.reference import Texts
from scrutable.model.program.running import run
from scrutable.model.segments import DecisionModel

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Places = NDArray[np.integer[Any]]

_SINGLE = ("score", "probability", "approved", "knock_out", "override", "segment")
_ATTRIBUTE, _REASON = "attribute_", "reason_"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counted:
    """What a model that decides between two classes says of n rows.

    Parameters
    ----------
    score, probability : (n,) points, and the probability of the favourable class.
    approved, knocked_out : (n,) decisions, and whether a knock-out or an override declines whatever the score.
    attribute : (n,) place of the attribute of each characteristic; scorecards only.
    reasons : a text of each row for each rank, None where there is none; models with a reason policy only.
    segment : the name of each row's segment; segmented models only.
    """

    score: Floats
    probability: Floats
    approved: Bools
    knocked_out: Bools
    attribute: Mapping[str, Places]
    reasons: tuple[Texts, ...]
    segment: Texts | None


def counted(model: DecisionModel, X: Any, *, in_all: int | None = None) -> Counted:
    """Evaluate rows for who counts them, without points, shortfalls, rules, adjustments and grades.

    Parameters
    ----------
    X : as in `evaluate`.
    in_all : about how many rows there are, of which X has some; those of X if None.

    Raises
    ------
    InputError : a column is not there.
    KindError : a column is of another kind than the model reads.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> said = counted(models_named()["stumps"], {"age": [19.0, 40.0], "income": [1000.0, None]})
    >>> said.approved.tolist(), [said.reasons[0].table[place] for place in said.reasons[0].places]
    ([True, False], ['R1', 'R2'])
    """
    names = [name for name in program_of(model).names if name in _SINGLE or name.startswith((_ATTRIBUTE, _REASON))]
    columns, n_rows = read_inputs(model, X)
    values = run(program_for(model, names), columns, n_rows, coded=True, in_all=in_all)
    approved = np.asarray(values["approved"], dtype=bool)
    overridden = _told(values.get("override"), n_rows)
    return Counted(
        score=np.asarray(values["score"], dtype=np.float64),
        probability=np.asarray(values["probability"], dtype=np.float64),
        approved=approved,
        knocked_out=_told(values.get("knock_out"), n_rows) | (overridden & ~approved),
        attribute={name.removeprefix(_ATTRIBUTE): values[name] for name in names if name.startswith(_ATTRIBUTE)},
        reasons=tuple(values[name] for name in names if name.startswith(_REASON)),
        segment=values.get("segment"),
    )


def _told(texts: Texts | None, n_rows: int) -> Bools:
    """(n,) whether a row has a text."""
    if texts is None:
        return np.zeros(n_rows, dtype=bool)
    told: Bools = np.array([text is not None for text in texts.table], dtype=bool)[texts.places]
    return told
