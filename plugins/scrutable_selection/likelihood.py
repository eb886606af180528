"""The likelihood that selection asks: of all characteristics, or of some, wherever the rows are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scrutable.binning import CodedLikelihood
from scrutable.errors import InputError, did_you_mean
from scrutable.errors.checks import check_whole
from scrutable.plugins.bases import Likelihood

__all__ = ["CodedLikelihood", "Floats", "Ints", "Likelihood", "check_freedom", "positions"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]


def positions(names: Sequence[str], wanted: Sequence[str], where: str) -> list[int]:
    """Where the wanted characteristics stand among the names.

    Raises
    ------
    InputError : one is not among them.

    Examples
    --------
    >>> positions(["age", "income"], ["income"], "must")
    [1]
    """
    at = {name: position for position, name in enumerate(names)}
    missing = [name for name in wanted if name not in at]
    if missing:
        raise InputError(
            "there is no such characteristic",
            where=where,
            got=missing[0],
            allowed="names of the characteristics",
            fix=did_you_mean(missing[0], names) or "mend the name",
        )
    return [at[name] for name in wanted]


def check_freedom(likelihood: Likelihood, freedom: Sequence[int]) -> None:
    """Refuse degrees of freedom that are not one whole number from 1 on a characteristic."""
    if len(freedom) != len(likelihood.names):
        raise InputError(
            "expected a number a characteristic",
            where="freedom",
            got=len(freedom),
            allowed=f"{len(likelihood.names)} whole numbers",
            fix="give the attributes less one of each",
        )
    for each in freedom:
        check_whole(each, "freedom", 1)
