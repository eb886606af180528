"""Rows drawn of each outcome, and the weights that restore the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data import Floats, Positions, share
from scrutable.errors import InputError, did_you_mean
from scrutable.writing import plain_fields


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnClass:
    """What was drawn of an outcome.

    Parameters
    ----------
    outcome : good, bad or indeterminate.
    rows, drawn : rows before and after; None where they are kept back, being few.
    weight : rows that each drawn row stands for; None where `rows` is, whose divisors it would tell.
    """

    outcome: str
    rows: int | None
    drawn: int | None
    weight: float | None

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values."""
        return plain_fields(self)


def drawn_rows(
    outcomes: Sequence[str] | NDArray[Any], keep: Mapping[str, float], seed: int
) -> tuple[Positions, Floats]:
    """Positions of rows drawn at random within each outcome, and the weight of each: weights add up to the rows.

    Parameters
    ----------
    outcomes : (n,) the outcome of each row.
    keep : share to draw, by outcome; all rows of others stay, with weight 1.
    seed : of the draw.

    Raises
    ------
    InputError : an outcome that no row has, no share, or one that leaves no row.

    Examples
    --------
    >>> rows, weight = drawn_rows(["good", "good", "bad", "good", "good"], {"good": 0.5}, seed=0)
    >>> len(rows), sorted(weight.tolist())
    (3, [1.0, 2.0, 2.0])
    """
    values, chance = np.asarray(outcomes, dtype=object), np.random.default_rng(seed)
    weight = np.ones(len(values))
    stays = np.ones(len(values), dtype=bool)
    for outcome, part in sorted(keep.items()):
        rows = np.flatnonzero(values == outcome)
        if not rows.size:
            allowed = did_you_mean(outcome, sorted(set(values.tolist())))
            raise InputError("no row has this outcome", where="keep", got=outcome, allowed=allowed, fix="correct it")
        many = round(share(part, f"keep {outcome!r}", all_=True) * rows.size)
        if not many:
            raise InputError("no row would be left", where="keep", got=f"{outcome}={part:g}", fix="keep more of them")
        stays[rows] = False
        stays[chance.choice(rows, many, replace=False)] = True
        weight[rows] = rows.size / many
    positions = np.flatnonzero(stays)
    return positions, weight[positions]
