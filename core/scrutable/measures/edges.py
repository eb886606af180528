"""Where score bands begin and end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.array_checks import Floats
from scrutable.errors import InputError
from scrutable.errors.checks import check_number, check_whole

#: As many bands as anybody reads.
MOST_BANDS = 1000
#: Bands of equal shares where nothing else is asked for.
DEFAULT_BANDS = 10
#: Absorbs the rounding of a sum of weights, far below the share of any row.
_ROUNDING = 1e-12


def band_edges(
    score: Floats, weight: Floats, *, bands: int | None, edges: Sequence[float] | None, width: float | None
) -> tuple[float, ...]:
    """The ends of all bands, ascending: band i is [edges[i], edges[i + 1]).

    Parameters
    ----------
    score, weight : of the rows that the score decides about, with weights above 0.
    bands : so many of about equal shares; equal scores are never put apart, so that there may be fewer. The first and
        the last are open.
    edges : inner ends; the first and the last band are open.
    width : bands of this width, from a multiple of it on, as far as there are scores.

    Raises
    ------
    InputError : two of the three are given, or one that cannot be used.

    Examples
    --------
    >>> score = np.array([480.0, 495.0, 500.0, 512.0])
    >>> band_edges(score, np.ones(4), bands=2, edges=None, width=None)
    (-inf, 500.0, inf)
    >>> band_edges(score, np.ones(4), bands=None, edges=None, width=20)
    (480.0, 500.0, 520.0)
    """
    options = {"bands": bands, "edges": edges, "width": width}
    given = [name for name, value in options.items() if value is not None]
    if len(given) > 1:
        raise InputError("give one of the three", where="score bands", got=given, allowed="bands, edges or width")
    if edges is not None:
        return (-math.inf, *_checked_edges(edges), math.inf)
    if width is not None:
        return _equal_widths(score, width)
    count = DEFAULT_BANDS if bands is None else bands
    check_whole(count, "bands", 2, MOST_BANDS)
    return (-math.inf, *equal_shares(score, weight, count), math.inf)


def equal_shares(score: Floats, weight: Floats, count: int) -> tuple[float, ...]:
    """The inner ends of so many bands of about equal shares: scores below which there is at least the share asked for.

    Equal scores are never put apart, so there may be fewer ends than `count - 1`; without a score there is none.

    Parameters
    ----------
    score, weight : (n,) scores, and their weights above 0.

    Examples
    --------
    >>> equal_shares(np.array([480.0, 495.0, 495.0, 512.0]), np.ones(4), 2)
    (512.0,)
    >>> equal_shares(np.empty(0), np.empty(0), 2)
    ()
    """
    levels, position = np.unique(score, return_inverse=True)
    below = np.cumsum(np.bincount(position, weight)) / weight.sum()
    wanted = np.arange(1, count) / count - _ROUNDING
    first = np.searchsorted(below, wanted) + 1
    return tuple(levels[np.unique(first[first < levels.size])].tolist())


def band_of(score: Floats, edges: tuple[float, ...]) -> NDArray[np.intp]:
    """(n,) the band of each score; the open ends take what lies beyond.

    >>> band_of(np.array([499.9, 500.0]), (-math.inf, 500.0, math.inf)).tolist()
    [0, 1]
    """
    bands: NDArray[np.intp] = np.searchsorted(np.array(edges[1:-1]), score, side="right")
    return bands


def _checked_edges(edges: Any) -> tuple[float, ...]:
    try:
        values = np.asarray(edges, dtype=np.float64)
    except (TypeError, ValueError):  # no numbers, or lists of several lengths
        values = np.empty(0)
    if values.ndim != 1 or not 1 <= values.size < MOST_BANDS or not np.isfinite(values).all():
        allowed = f"1 to {MOST_BANDS - 1} finite numbers"
        raise InputError("unusable ends of score bands", where="edges", got=edges, allowed=allowed)
    if (np.diff(values) <= 0).any():
        raise InputError("the ends of score bands must increase", where="edges", got=values.tolist(), fix="sort them")
    return tuple(values.tolist())


def _equal_widths(score: Floats, width: float) -> tuple[float, ...]:
    check_number(width, "width", "a number of points above 0", low=np.nextafter(0, 1))
    step = Fraction(repr(float(width)))  # as it is written: 3 * 0.1 in doubles is no 0.3
    first, last = _place(float(score.min()), step), _place(float(score.max()), step)
    if last - first >= MOST_BANDS:
        fix = "give a larger width"
        raise InputError("too many score bands", where="width", got=width, allowed=f"{MOST_BANDS} bands", fix=fix)
    return tuple(float(step * place) for place in range(first, last + 2))


def _place(score: float, step: Fraction) -> int:
    """Which multiple of the step, in doubles, is the highest that is not above the score."""
    below = math.floor(Fraction(score) / step)
    return below + 1 if float(step * (below + 1)) <= score else below
