"""Where the values of a numeric feature lie, so that a page can place its cuts on an axis."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from scrutable.data.frames import as_table
from scrutable.writing import plain_fields
from scrutable_review import Review

#: Marks of an axis; more are not told apart on a screen.
_MARKS = 201


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Values of a feature as they rise, and the share of ordinary rows below each.

    Parameters
    ----------
    values : at least one, the least and the greatest among them.
    below : as many shares, the first 0.
    integer : whether all values of the feature are integers, so that cuts between them are of no use.
    """

    values: tuple[float, ...]
    below: tuple[float, ...]
    integer: bool

    @classmethod
    def of(cls, values: ArrayLike, weight: ArrayLike, *, special_codes: Iterable[Any] = ()) -> Self | None:
        """The scale of (n,) values with (n,) weights; None where no row has an ordinary, finite value.

        >>> Scale.of([3, 1, 1, -9], [1, 1, 1, 5], special_codes=[-9])
        Scale(values=(1.0, 3.0), below=(0.0, 0.6666666666666666), integer=True)
        """
        given, weights = np.asarray(values, float), np.asarray(weight, float)
        ordinary = np.isfinite(given) & ~np.isin(given, [float(code) for code in special_codes]) & (weights > 0)
        if not ordinary.any():
            return None
        distinct, place = np.unique(given[ordinary], return_inverse=True)
        mass = np.bincount(place, weights[ordinary])
        below = np.concatenate(([0.0], np.cumsum(mass)[:-1])) / mass.sum()
        kept = _spread(below)
        return cls(
            values=tuple(distinct[kept].tolist()),
            below=tuple(below[kept].tolist()),
            integer=bool((distinct == np.floor(distinct)).all()),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return plain_fields(self)


def scales_of(review: Review, X: Any, weight: ArrayLike | None = None) -> dict[str, Scale | None]:
    """The scale of each numeric feature of a review, from the rows that it is about.

    Parameters
    ----------
    X : (n, features) frame.
    weight : (n,) weights, equal where not given.
    """
    rows = as_table(X)
    weights = np.ones(rows.n_rows) if weight is None else weight
    scales = {}
    for name in review.features:
        if review.kind(name) == "numeric":
            special = [code for row in review.table(name).rows if row.kind == "special" for code in row.values]
            scales[name] = Scale.of(rows.column(name).values, weights, special_codes=special)
    return scales


def _spread(below: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.intp]]:
    """Positions of all values where they are few, else of those that part the rows equally, and of both ends."""
    if len(below) <= _MARKS:
        return np.arange(len(below))
    shares = np.linspace(0.0, 1.0, _MARKS)
    return np.unique(np.concatenate((np.searchsorted(below, shares, side="right") - 1, [0, len(below) - 1])))
