"""Indeterminates: applicants whose outcome is neither good nor bad, such as accounts that were late once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.data.labelling import label
from scrutable.errors import InputError

Positions = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Indeterminates:
    """Positions of the rows with an outcome that counts, and of the indeterminate ones."""

    known: Positions
    indeterminate: Positions


def without_indeterminates(y: Any, indeterminate: Any) -> Indeterminates:
    """Which rows to learn from and to measure on, where one class of the outcome is neither good nor bad.

    Indeterminates are left out of learning and of every measure that needs an outcome. They are applicants all the
    same: count them, and what the model would approve of them.

    Parameters
    ----------
    y : (n,) classes; rows where it is None or NaN are neither known nor indeterminate.
    indeterminate : the class that is neither good nor bad; 2, 2.0 and "2" are the same.

    Raises
    ------
    InputError : no row has the class, or all have.

    Examples
    --------
    >>> found = without_indeterminates(["good", "late once", "bad"], "late once")
    >>> found.known.tolist(), found.indeterminate.tolist()
    ([0, 2], [1])
    """
    values = np.asarray(y)
    wanted = label(indeterminate)
    codes, levels = pd.factorize(values)
    there = codes >= 0
    named = np.array([*(label(each) == wanted for each in levels.tolist()), False], dtype=bool)
    neither = named[codes]
    if not neither.any() or neither[there].all():
        raise InputError(
            "every row is indeterminate" if neither.any() else "no row has the class that is called indeterminate",
            where="indeterminate",
            got=indeterminate,
            allowed=" or ".join(sorted(map(repr, levels.tolist()))[:10]),
            fix="name the class that is neither good nor bad",
        )
    return Indeterminates(known=np.flatnonzero(there & ~neither), indeterminate=np.flatnonzero(neither))
