"""The objective of the binned regression over the patterns of bins that occur."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from scrutable.data.exact import exact_bincount
from scrutable.errors import InputError
from scrutable.measures.numerics.blocks import Block
from scrutable.measures.numerics.counts import bin_counts
from scrutable.measures.numerics.score_gap import ScoreGap

Floats = npt.NDArray[np.float64]

_CODE_LIMIT = 2**62  # joint codes of bins stay below this, within a 64-bit integer


@dataclass(frozen=True, eq=False)
class Patterns:
    """The combinations of bins that occur, in the order of the bins, with what is counted of each.

    Parameters
    ----------
    rows : (patterns,) a row of each.
    adverse, favourable : (patterns,) shares of the total weight with either outcome.
    gaps : what is paid for.
    contrasts : (gaps, patterns) weight of each pattern in each gap.
    """

    rows: npt.NDArray[np.intp]
    adverse: Floats
    favourable: Floats
    gaps: Sequence[ScoreGap]
    contrasts: Floats

    @classmethod
    def grouped(
        cls, blocks: Sequence[Block], y: npt.ArrayLike, weight: npt.ArrayLike | None, gaps: Sequence[ScoreGap]
    ) -> Patterns:
        """Merge rows with the same bins; counts are exact, so that the order of the rows does not matter.

        Raises
        ------
        InputError : lengths that differ, or one class only.
        """
        n = len(np.asarray(y))
        lengths = {f"block {number}": len(block.index) for number, block in enumerate(blocks)}
        lengths |= {f"gap {number}": len(gap.contrast) for number, gap in enumerate(gaps)}
        for where, length in lengths.items():
            if length != n:
                raise InputError(
                    "the length differs from that of y", where=where, got=length, allowed=str(n), fix="pass every row"
                )
        code = joint_code(((block.index, block.n_bins) for block in blocks), n)
        _, first, pattern = np.unique(code, return_index=True, return_inverse=True)
        counts = bin_counts(pattern, len(first), y, weight)
        classes = counts.sum(axis=0)
        if not classes.all():
            raise InputError(
                "both outcomes are needed to fit",
                where="y and sample weights",
                got=f"weight {classes[0]:g} of outcome 0 and {classes[1]:g} of outcome 1",
                allowed="a positive weight of both",
                fix="pass rows of both outcomes, not all weighted 0",
            )
        seen = counts.any(axis=1)
        counts = counts[seen]
        shares = counts / counts.sum()
        weighs = 1.0 if weight is None else np.asarray(weight) > 0
        contrasts = [exact_bincount(pattern, gap.contrast * weighs, len(first))[seen] for gap in gaps]
        return cls(
            rows=first[seen],
            adverse=shares[:, 0].copy(),
            favourable=shares[:, 1].copy(),
            gaps=gaps,
            contrasts=np.array(contrasts).reshape(len(gaps), len(shares)),
        )

    def merged(self, blocks: Sequence[Block]) -> Iterator[Block]:
        """The blocks with an index by pattern, one after another."""
        return (Block(block.index[self.rows], block.basis, block.lower, block.upper) for block in blocks)


class BinnedProblem(ABC):
    """Mean log-loss of the patterns, plus penalties, as a function of the intercept and the blocks' coefficients.

    Subclasses write the linear algebra down in one form or another; what they compute is the same.
    """

    def __init__(self, blocks: Sequence[Block], patterns: Patterns, ridge: float) -> None:
        self.patterns, self.ridge = patterns, ridge
        self.bases = [block.basis for block in blocks]
        self.parts = slices([basis.shape[1] for basis in self.bases])
        self.lower = np.concatenate([[-np.inf], *(block.lower for block in blocks)])
        self.upper = np.concatenate([[np.inf], *(block.upper for block in blocks)])
        self.strengths = np.array([gap.strength for gap in patterns.gaps])
        self.targets = np.array([gap.target for gap in patterns.gaps])

    @abstractmethod
    def log_odds(self, point: Floats) -> Floats:
        """Log-odds of every pattern; as it is linear, also the change of log-odds that a step makes."""

    @abstractmethod
    def slopes(self, by_pattern: Floats) -> Floats:
        """(coefficients,) by how much each moves the sum of the log-odds, weighted by pattern."""

    @abstractmethod
    def penalised(self, point: Floats) -> Floats:
        """(coefficients,) gradient of the ridge."""

    @abstractmethod
    def step(self, point: Floats, gradient: Floats, curvature: Floats) -> Floats:
        """From a point to the least value, within the bounds, of the quadratic model with these by pattern."""

    @functools.cached_property
    def gap_slopes(self) -> Floats:
        """(gaps, coefficients) by how much each coefficient moves each gap."""
        slopes = [self.slopes(contrast) for contrast in self.patterns.contrasts]
        return np.array(slopes).reshape(len(slopes), len(self.lower))

    def start(self, coefficients: Sequence[Floats] | None = None) -> Floats:
        """Where to start: at the intercept alone, or at the intercept and the coefficients of an earlier fit.

        Raises
        ------
        InputError : the earlier fit is of blocks of another shape.
        """
        point = np.zeros(len(self.lower))
        point[0] = np.log(self.patterns.favourable.sum()) - np.log(self.patterns.adverse.sum())
        if coefficients is not None:
            shapes = [len(part) for part in coefficients[1:]]
            if shapes != [part.stop - part.start for part in self.parts]:
                raise InputError(
                    "the earlier fit has other coefficients",
                    where="init",
                    got=shapes,
                    allowed="a fit of blocks of the same shape",
                    fix="leave init out",
                )
            point = np.concatenate(coefficients)
        return np.clip(point, self.lower, self.upper)

    def values(self, point: Floats) -> Iterator[Floats]:
        """Per block the values of its bins."""
        for basis, part in zip(self.bases, self.parts, strict=True):
            # Added in the order of the columns: rounding is monotone, so steps of one sign give monotone values.
            yield np.cumsum(basis * point[part], axis=1)[:, -1]

    def evaluate(self, point: Floats) -> tuple[float, Floats, Floats]:
        """Objective, its gradient, and the curvature share · p · (1 − p) of every pattern."""
        adverse, favourable = self.patterns.adverse, self.patterns.favourable
        loss, p, complement, curvature = log_loss(self.log_odds(point), adverse, favourable)
        penalised, missed = self.penalised(point), self.gap_slopes @ point - self.targets
        gradient = self.slopes(adverse * p - favourable * complement) + penalised
        gradient += self.gap_slopes.T @ (self.strengths * missed)
        paid = 0.5 * point @ penalised + 0.5 * self.strengths @ missed**2
        return float(loss + paid), gradient, curvature

    def residual(self, point: Floats, gradient: Floats) -> float:
        """Largest entry, in absolute value, of the projected gradient."""
        projected = np.where(point <= self.lower, np.minimum(gradient, 0.0), gradient)
        projected = np.where(point >= self.upper, np.maximum(projected, 0.0), projected)
        return float(np.abs(np.where(self.lower < self.upper, projected, 0.0)).max())


def log_loss(log_odds: Floats, adverse: Floats, favourable: Floats) -> tuple[float, Floats, Floats, Floats]:
    """The log-loss of patterns with weights of both outcomes, p, 1 − p, and the curvature weight · p · (1 − p).

    Examples
    --------
    >>> loss, p, complement, curvature = log_loss(np.array([-800.0, np.log(3)]), np.array([2.0, 4.0]), np.zeros(2))
    >>> round(loss, 4), p.round(9).tolist(), complement.round(9).tolist(), curvature.round(9).tolist()
    (5.5452, [0.0, 0.75], [1.0, 0.25], [0.0, 0.75])
    """
    # p and 1 − p are each computed without a subtraction, so that rare outcomes keep all their digits.
    odds = np.exp(-np.abs(log_odds))
    likely, rare = 1.0 / (1.0 + odds), odds / (1.0 + odds)
    above = log_odds >= 0
    p, complement = np.where(above, likely, rare), np.where(above, rare, likely)
    rest = np.log1p(odds)
    loss = adverse @ (rest + np.maximum(log_odds, 0.0)) + favourable @ (rest - np.minimum(log_odds, 0.0))
    return float(loss), p, complement, (adverse + favourable) * likely * rare


def slices(lengths: Sequence[int]) -> list[slice]:
    """Where parts of these lengths stand behind one entry, that of the intercept."""
    ends = np.cumsum([1, *lengths]).tolist()
    return [slice(start, stop) for start, stop in pairwise(ends)]


def joint_code(indices: Iterable[tuple[npt.NDArray[np.intp], int]], n: int) -> npt.NDArray[np.int64]:
    """Number the rows' combinations of bins, in the order of the bins.

    Parameters
    ----------
    indices : of each characteristic the (n,) bins, and how many there are.

    Examples
    --------
    >>> joint_code([(np.array([0, 1, 1]), 2), (np.array([2, 0, 2]), 3)], 3).tolist()
    [2, 3, 5]
    """
    code, size = np.zeros(n, dtype=np.int64), 1
    for index, n_bins in indices:
        if size * n_bins > _CODE_LIMIT:
            distinct, code = np.unique(code, return_inverse=True)
            size = len(distinct)
        code = code * n_bins + index
        size *= n_bins
    return code
