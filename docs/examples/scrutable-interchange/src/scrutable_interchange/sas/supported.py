"""Which models, and which rows, the DATA step reproduces exactly."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scrutable.errors import UnsupportedModel
from scrutable.model import Model, Scorecard, refuse_extras
from scrutable.model.evaluator import read_inputs

#: The domain in words.
EXCLUDED = (
    "rows with infinite numbers, or numbers other than 0 closer to it than 2.2250738585072014e-308; with texts that "
    "are blank, which is missing to SAS, end in a blank, hold NUL or a lone surrogate, or have more than 32,767 bytes"
)
_LONGEST_VALUE = 32_767


def supported(model: Model) -> Scorecard:
    """The model, if it is a scorecard whose columns SAS can tell apart.

    Raises
    ------
    UnsupportedModel : what it is instead.
    """
    if not isinstance(model, Scorecard):
        raise UnsupportedModel("only scorecards are exported to SAS", got=type(model).__name__)
    refuse_extras(model, by="the DATA step")
    if not model.characteristics:
        raise UnsupportedModel("there is nothing to add up", where="characteristics", got=())
    names = [feature.name.lower() for feature in model.features]
    own = set(own_variables(model))
    for feature in model.features:
        if feature.name.lower() in own or names.count(feature.name.lower()) > 1:
            raise UnsupportedModel(
                "SAS does not tell upper from lower case, and a variable of this name is there already",
                where=f"feature {feature.name!r}",
                got=feature.name,
                fix="rename the column",
            )
    return model


def results(scorecard: Scorecard) -> tuple[str, ...]:
    """The variables that the step adds, but for the points, which are numbered as the characteristics are."""
    k = 0 if scorecard.reasons is None else scorecard.reasons.k
    ranked = (f"{what}_{rank}" for what in ("reason", "short") for rank in range(1, k + 1))
    return ("score", "probability", "approved", "knock_out", *ranked)


def own_variables(scorecard: Scorecard) -> tuple[str, ...]:
    """Every variable that the step makes."""
    n_codes = 0 if scorecard.reasons is None else len(scorecard.reasons.order)
    points = (f"points_{position}" for position in range(1, len(scorecard.characteristics) + 1))
    return (*results(scorecard), *points, *(f"fall_{code}" for code in range(1, n_codes + 1)), "best_", "z_")


def held(model: Model, X: Any) -> NDArray[np.bool_]:
    """(n,) rows inside the declared domain."""
    columns, n_rows = read_inputs(model, X)
    inside = np.ones(n_rows, dtype=bool)
    for column in columns.values():
        if column.kind == "numeric":
            size = np.abs(column.values)
            inside &= column.missing | (size == 0) | ((size >= sys.float_info.min) & np.isfinite(size))
        else:
            inside &= column.encodable
            inside &= np.array([value is None or _holds(value) for value in column.values], dtype=bool)
    return inside


def _holds(value: str) -> bool:
    if "\0" in value or not value or value.endswith(" "):
        return False
    return len(value.encode(errors="replace")) <= _LONGEST_VALUE
