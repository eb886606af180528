"""Counts per bin and the figures that credit scoring takes from them: IV, WoE and PSI."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from scrutable.data.exact import exact_bincount
from scrutable.data.masking import Masked
from scrutable.errors import InputError

Floats = npt.NDArray[np.float64]
Zero = Literal["ignore", "inf", "half"]
Strength = Literal["none", "weak", "moderate", "strong"]

#: As many rows an empty bin is taken to have with `zero="half"`.
HALF_A_ROW = 0.5

#: From these information values on, what a characteristic tells has these names (Pangia et al., section 3.2; after
#: Siddiqi 2006, chapter 5).
_BANDS: tuple[tuple[float, Strength], ...] = ((0.3, "strong"), (0.1, "moderate"), (0.02, "weak"))


def bin_counts(index: npt.ArrayLike, n_bins: int, y: npt.ArrayLike, weight: npt.ArrayLike | None = None) -> Floats:
    """Weighted counts of both outcomes in every bin, the same to the last bit for every order of the rows.

    Parameters
    ----------
    index : (n,) whole numbers from 0 to ``n_bins - 1``, the bin of every row.
    n_bins : number of bins; a bin without rows counts zero.
    y : (n,) outcome of every row, 1 (favourable) or 0.
    weight : (n,) finite weights of zero or more; one each when not given.

    Returns
    -------
    (n_bins, 2) array: column 0 non-favourable, column 1 favourable.

    Raises
    ------
    InputError : an index out of range, an outcome other than 0 or 1, a weight that is negative or not finite, or
        inputs of different lengths.

    Examples
    --------
    >>> bin_counts([0, 0, 2], 3, [1, 0, 1]).tolist()
    [[1.0, 1.0], [0.0, 0.0], [0.0, 1.0]]
    """
    bins = bin_index(index, n_bins)
    outcome = np.asarray(y)
    _same_length("outcomes", outcome, len(bins))
    favourable = outcome == 1
    neither = ~favourable & (outcome != 0)
    if neither.any():
        raise InputError(
            "an outcome is neither class",
            where="y",
            got=Masked(outcome[neither].tolist()[0]),
            allowed="0 or 1 (1 = favourable)",
            fix="encode the outcome as 1 for the favourable class and 0 for the other",
        )
    cells = 2 * bins + favourable
    if weight is None:
        return np.bincount(cells, minlength=2 * n_bins).astype(np.float64).reshape(n_bins, 2)
    return exact_bincount(cells, _checked_weight(weight, len(bins)), 2 * n_bins).reshape(n_bins, 2)


def bin_index(index: npt.ArrayLike, n_bins: int, *, where: str = "bin index") -> npt.NDArray[np.intp]:
    """Return the bin of every row as an array of whole numbers, or raise InputError when one is out of range.

    >>> bin_index([0, 2], 3).tolist()
    [0, 2]
    """
    bins = np.asarray(index)
    if bins.ndim != 1 or (bins.dtype.kind not in "iu" and bins.size):
        raise InputError(
            "expected one whole number a row",
            where=where,
            got=f"{bins.dtype} of shape {bins.shape}",
            allowed="a one-dimensional integer array",
            fix="pass the bin number of every row",
        )
    bins = bins.astype(np.intp, copy=False)
    if bins.size and (bins.min() < 0 or bins.max() >= n_bins):
        raise InputError(
            "a bin number is out of range",
            where=where,
            got=int(bins.min() if bins.min() < 0 else bins.max()),
            allowed=f"0 to {n_bins - 1}",
            fix="give every row a bin, with bins of their own for missing and unseen values",
        )
    return bins


def information_value(p_counts: npt.ArrayLike, q_counts: npt.ArrayLike, *, zero: Zero = "ignore") -> float:
    """Information value of two distributions over the same bins: Σ (p − q)·ln(p / q), in nats.

    With the counts of the two outcomes it is the IV of a characteristic; with two groups among one outcome it is
    what the fairness information value is made of. It is symmetric, and also known as Jeffreys divergence.

    Parameters
    ----------
    p_counts, q_counts : (n_bins,) counts of zero or more, normalised here to the shares p and q.
    zero : what a bin gives that only one of the two has: ``"ignore"`` nothing (as OptBinning does), ``"inf"``
        infinity, the limit of the formula, or ``"half"`` as much as if the other had half a row there, its other
        shares staying as they are. A bin that both lack gives nothing.

    Raises
    ------
    InputError : counts that are negative, not finite, of different lengths, or all zero.

    Examples
    --------
    >>> round(information_value([10, 30], [30, 10]), 4)
    1.0986
    >>> information_value([10, 30], [0, 10], zero="inf")
    inf
    >>> round(information_value([10, 30], [0, 10], zero="half"), 4)  # 0.2 ln 5 + 0.25 ln (4 / 3)
    0.3938
    """
    return float(information_value_by_bin(p_counts, q_counts, zero=zero).sum())


def strength(iv: float) -> Strength:
    """The usual word for an information value: below 0.02 none, below 0.1 weak, below 0.3 moderate, else strong.

    >>> [strength(iv) for iv in (0.019, 0.02, 0.1, 0.3)]
    ['none', 'weak', 'moderate', 'strong']
    """
    return next((name for least, name in _BANDS if iv >= least), "none")


def information_value_by_bin(p_counts: npt.ArrayLike, q_counts: npt.ArrayLike, *, zero: Zero = "ignore") -> Floats:
    """Give every bin's part of `information_value`, an (n_bins,) array.

    >>> information_value_by_bin([10, 30, 0], [30, 10, 0]).round(4).tolist()
    [0.5493, 0.5493, 0.0]
    """
    if zero not in ("ignore", "inf", "half"):
        raise InputError(
            "unknown treatment of a bin that one side lacks",
            where="zero",
            got=zero,
            allowed="'ignore', 'inf' or 'half'",
            fix="choose one of them",
        )
    p, q = _shares(p_counts, "p_counts"), _shares(q_counts, "q_counts")
    _same_length("q_counts", q, len(p))
    if zero == "half":
        p, q = _half_filled(p, p_counts, q), _half_filled(q, q_counts, p)
    both = (p > 0) & (q > 0)
    parts = np.zeros(len(p))
    with np.errstate(over="ignore", divide="ignore"):  # a ratio beyond doubles is without bound
        parts[both] = (p[both] - q[both]) * np.log(p[both] / q[both])
    if zero == "inf":
        parts[(p > 0) != (q > 0)] = np.inf
    return parts


def weight_of_evidence(counts: npt.ArrayLike, *, smoothing: float = 0.5) -> Floats:
    """Weight of evidence of every bin: ln((good_i / good) / (bad_i / bad)), positive where favourable outcomes abound.

    Parameters
    ----------
    counts : (n_bins, 2) counts as `bin_counts` gives them: non-favourable, favourable.
    smoothing : added to both counts of a bin that lacks exactly one outcome, and of no other, so that the rest keep
        their textbook values; the totals stay as they are. With 0 such a bin has an infinite weight of evidence.

    Returns
    -------
    (n_bins,) array in nats; 0 for an empty bin.

    Raises
    ------
    InputError : counts that are negative, not finite, or without one of the outcomes; negative smoothing.

    Examples
    --------
    >>> weight_of_evidence([[10, 30], [30, 10], [0, 0]]).round(4).tolist()
    [1.0986, -1.0986, 0.0]
    """
    table = np.asarray(counts, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] != 2:
        raise InputError(
            "expected a row a bin and a column an outcome",
            where="counts",
            got=table.shape,
            allowed="shape (n_bins, 2)",
            fix="pass what bin_counts returns",
        )
    if not smoothing >= 0:
        raise InputError(
            "smoothing is negative", where="smoothing", got=smoothing, allowed="0 or more", fix="use the default of 0.5"
        )
    totals = [
        _checked_counts(column, name).sum()
        for column, name in zip(table.T, ("non-favourable counts", "favourable counts"), strict=True)
    ]
    sides = np.count_nonzero(table, axis=1, keepdims=True)
    smoothed = table + smoothing * (sides == 1)
    seen = sides[:, 0] > 0
    woe = np.zeros(len(table))
    with np.errstate(divide="ignore"):
        woe[seen] = np.log(smoothed[seen, 1] / totals[1]) - np.log(smoothed[seen, 0] / totals[0])
    return woe


def outcome_information_by_bin(counts: npt.ArrayLike, woe: npt.ArrayLike) -> Floats:
    """Give every bin's part of the information value about the outcome: (good_i / good − bad_i / bad) · WoE_i, in nats.

    It is `information_value_by_bin` where a bin has both outcomes. A bin with only good or only bad rows (a pure bin)
    has the finite WoE that a pseudo-count gives it (`weight_of_evidence`), so that its part is finite, too. Where so
    few rows are pure that this WoE lies on the other side of the average, the bin adds nothing.

    Parameters
    ----------
    counts : (n_bins, 2) counts as `bin_counts` gives them: non-favourable, favourable.
    woe : (n_bins,) their weight of evidence.

    Examples
    --------
    >>> counts = np.array([[0, 30], [30, 0]])
    >>> outcome_information_by_bin(counts, weight_of_evidence(counts)).round(4).tolist()  # ln 61 twice
    [4.1109, 4.1109]
    """
    table = np.asarray(counts, dtype=np.float64)
    bad, good = (table / table.sum(axis=0)).T
    parts: Floats = np.maximum(0.0, (good - bad) * np.asarray(woe, dtype=np.float64))
    return parts


def _half_filled(shares: Floats, counts: npt.ArrayLike, others: Floats) -> Floats:
    """The shares, with half a row in each bin that only the others have."""
    filled: Floats = np.where((shares == 0) & (others > 0), HALF_A_ROW / np.sum(counts, dtype=np.float64), shares)
    return filled


def _shares(counts: npt.ArrayLike, where: str) -> Floats:
    checked = _checked_counts(np.asarray(counts, dtype=np.float64), where)
    shares: Floats = checked / checked.sum()
    return shares


def _checked_counts(counts: Floats, where: str) -> Floats:
    if counts.ndim != 1 or not np.all(np.isfinite(counts) & (counts >= 0)):
        raise InputError(
            "expected one count a bin",
            where=where,
            got=counts.tolist(),
            allowed="finite numbers of zero or more",
            fix="pass a column of what bin_counts returns",
        )
    if not counts.any():
        raise InputError(
            "every bin is empty",
            where=where,
            got=counts.tolist(),
            allowed="at least one count above 0",
            fix="pass data that has this group or outcome",
        )
    return counts


def _checked_weight(weight: npt.ArrayLike, n: int) -> Floats:
    weights = np.asarray(weight, dtype=np.float64)
    _same_length("sample weights", weights, n)
    wrong = weights[~np.isfinite(weights) | (weights < 0)]
    if wrong.size:
        raise InputError(
            "a weight is negative or not finite",
            where="sample weights",
            got=float(wrong[0]),
            allowed="finite numbers of zero or more",
            fix="mend or drop the rows in question",
        )
    return weights


def _same_length(where: str, array: npt.NDArray[np.generic], n: int) -> None:
    if array.shape != (n,):
        raise InputError(
            "the length differs from that of the other input",
            where=where,
            got=array.shape,
            allowed=f"({n},)",
            fix="pass arrays that belong to the same rows or bins",
        )
