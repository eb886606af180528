"""Every bin that merging neighbouring pre-bins can make, tabulated once from their counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import Trend
from scrutable.measures.numerics import information_value_by_bin
from scrutable_lda_xgb1.options import MergeOptions

Floats = NDArray[np.float64]

_NEARLY = 1 - 1e-12  # weights that add up to a least number may miss it by rounding


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PreBinned:
    """Weighted counts of one feature in m bins: first the n pre-bins, then those that cannot be merged.

    Parameters
    ----------
    n : number of pre-bins; the bins after them hold missing values and special codes.
    good, bad : (m,) good and bad rows.
    protected, reference : (m, bounds) protected and reference rows of each bound.
    limits : (bounds,) largest fairness information values, over all m bins.
    lightest : weight of the lightest row; half of it is the pseudo-count of pure bins, as in `BinTable`.
    """

    n: int
    good: Floats
    bad: Floats
    protected: Floats
    reference: Floats
    limits: Floats
    lightest: float = 1.0

    @property
    def halves(self) -> Floats:
        """(m,) what is added to both counts of each bin: the pseudo-count where it is pure, else nothing."""
        return _halves(self.good, self.bad, self.lightest)

    @property
    def taken(self) -> Floats:
        """(bounds,) fairness information values of the bins that cannot be merged."""
        columns = zip(self.protected.T, self.reference.T, strict=True)
        return np.array([information_value_by_bin(p, r, zero="inf")[self.n :].sum() for p, r in columns])

    @property
    def room(self) -> Floats:
        """What each bound leaves after the bins that cannot be merged; -inf where those alone are without bound."""
        taken = self.taken
        room: Floats = np.subtract(self.limits, taken, out=np.full(len(taken), -np.inf), where=taken < np.inf)
        return room


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Segments:
    """The bins [i, j) of neighbouring pre-bins, at row i and column j of (n + 1, n + 1) arrays.

    Parameters
    ----------
    allowed : whether the bin may be part of a merge; never where i >= j.
    iv : information value about the outcome.
    fiv : (n + 1, n + 1, bounds) fairness information values.
    rate : what must not fall from one bin to the next; 0 throughout where no trend is asked for.
    """

    allowed: NDArray[np.bool_]
    iv: Floats
    fiv: Floats
    rate: Floats

    @classmethod
    def of(cls, pre: PreBinned, options: MergeOptions, trend: Trend | None) -> Segments:
        """Tables of pre-binned counts.

        A bin holds protected and reference rows, and what the options ask for. It may be pure, with good or bad rows
        only: then its information value is that of `BinTable`. One bin over everything may be smaller.
        """
        good, bad = _over(pre.good, pre.n), _over(pre.bad, pre.n)
        protected, reference = _over(pre.protected, pre.n), _over(pre.reference, pre.n)
        both = (protected > 0) & (reference > 0)
        all_rows = good + bad
        fewest, smallest = options.min_events * _NEARLY, options.min_share * _NEARLY
        large = (good >= fewest) & (bad >= fewest) & (all_rows / (pre.good.sum() + pre.bad.sum()) >= smallest)
        iv = _information(good, bad, pre)
        fiv = _divergence(protected / pre.protected.sum(axis=0), reference / pre.reference.sum(axis=0))
        finite = np.isfinite(iv) & np.isfinite(fiv).all(axis=2)
        allowed = np.triu((all_rows > 0) & both.all(axis=2) & large & finite, 1)
        allowed[0, pre.n] = ((protected > 0) == (reference > 0))[0, pre.n].all() and finite[0, pre.n]
        sign = {None: 0.0, "ascending": 1.0, "descending": -1.0}[trend]
        return cls(
            allowed=allowed,
            iv=iv,
            fiv=fiv,
            rate=sign * np.divide(good, all_rows, out=np.zeros_like(good), where=all_rows > 0),
        )

    @property
    def n(self) -> int:
        """Number of pre-bins."""
        return len(self.iv) - 1

    def bounded_by(self, bounds: NDArray[np.bool_]) -> Segments:
        """These bins with only some of the fairness information values."""
        return Segments(allowed=self.allowed, iv=self.iv, fiv=self.fiv[:, :, bounds], rate=self.rate)

    def totals(self, borders: list[int]) -> tuple[float, Floats]:
        """IV and FIVs of the merge with these borders."""
        ends = [0, *borders, self.n]
        return float(self.iv[ends[:-1], ends[1:]].sum()), self.fiv[ends[:-1], ends[1:]].sum(axis=0)

    def most_fiv(self) -> Floats:
        """(n + 1, bounds) highest FIVs of the bins from a border on, trend aside; -inf where no merge goes on."""
        most = np.full((self.n + 1, self.fiv.shape[2]), -np.inf)
        most[self.n] = 0.0
        for start in range(self.n - 1, -1, -1):
            stops = np.flatnonzero(self.allowed[start])
            most[start] = (self.fiv[start, stops] + most[stops]).max(axis=0, initial=-np.inf)
        return most


def _over(counts: Floats, n: int) -> Floats:
    """Sum of counts[i:j] at [i, j], 0 where i >= j."""
    over = np.zeros((n + 1, n + 1, *counts.shape[1:]))
    for start in range(n):
        # Sums, not differences of sums: in these, small counts lose their digits beside large ones.
        over[start, start + 1 :] = np.cumsum(counts[start:n], axis=0)
    return over


def _halves(good: Floats, bad: Floats, lightest: float) -> Floats:
    """Half of the lightest row where only good or only bad rows are, else 0."""
    halves: Floats = 0.5 * lightest * ((good > 0) != (bad > 0))
    return halves


def _information(good: Floats, bad: Floats, pre: PreBinned) -> Floats:
    """What bins with these rows add to the information value about the outcome, as `outcome_information_by_bin` has it.

    Where so few rows are pure that the pseudo-count turns their weight of evidence over, they add nothing.
    """
    halves, all_good, all_bad = _halves(good, bad, pre.lightest), pre.good.sum(), pre.bad.sum()
    p, q, rise = (good + halves) / all_good, (bad + halves) / all_bad, good / all_good - bad / all_bad
    with np.errstate(over="ignore", divide="ignore"):
        ratio = np.divide(p, q, out=np.ones_like(p), where=(p > 0) & (q > 0))
        information: Floats = np.maximum(0.0, rise * np.log(ratio))
    return information


def _divergence(p: Floats, q: Floats) -> Floats:
    """(p - q) ln(p / q); 0 where either share is 0, inf where their ratio is beyond doubles."""
    with np.errstate(over="ignore", divide="ignore"):
        ratio = np.divide(p, q, out=np.ones_like(p), where=(p > 0) & (q > 0))
        divergence: Floats = (p - q) * np.log(ratio)
    return divergence
