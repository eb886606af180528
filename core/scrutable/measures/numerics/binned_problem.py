"""The objective of the binned regression, as a function of the intercept and of the blocks' coefficients."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from scrutable.data.coded_rows import Chunk, CodedRows
from scrutable.data.masking import Masked
from scrutable.errors import InputError
from scrutable.measures.numerics.blocks import Block
from scrutable.measures.numerics.score_gap import ScoreGap

Floats = npt.NDArray[np.float64]
#: Second derivatives, in the form that a problem has them.
Curvature = TypeVar("Curvature")


class Evaluated(NamedTuple, Generic[Curvature]):
    """The objective at a point, its (coefficients,) gradient, and second derivatives where they were asked for."""

    objective: float
    gradient: Floats
    curvature: Curvature | None


class BinnedProblem(ABC, Generic[Curvature]):
    """Mean log-loss of the rows, plus penalties.

    Subclasses write the linear algebra down in one form or another; what they compute is the same.

    Raises
    ------
    InputError : blocks or gaps of other bins than the rows', or one class only.
    """

    def __init__(self, blocks: Sequence[Block], rows: CodedRows, ridge: float, gaps: Sequence[ScoreGap] = ()) -> None:
        refuse_other_bins(blocks, rows, gaps)
        self.rows, self.ridge, self.gaps = rows, ridge, gaps
        self.bases = [block.basis for block in blocks]
        self.parts = slices([basis.shape[1] for basis in self.bases])
        self.lower = np.concatenate([[-np.inf], *(block.lower for block in blocks)])
        self.upper = np.concatenate([[np.inf], *(block.upper for block in blocks)])
        self.strengths = np.array([gap.strength for gap in gaps])
        self.targets = np.array([gap.target for gap in gaps])

    @abstractmethod
    def loss(self, point: Floats, *, curved: bool) -> Evaluated[Curvature]:
        """The mean log-loss alone."""

    @abstractmethod
    def farthest(self, step: Floats) -> float:
        """By how much a step changes the log-odds of any row at most, whatever the sign."""

    @abstractmethod
    def penalised(self, point: Floats) -> Floats:
        """(coefficients,) gradient of the ridge."""

    @abstractmethod
    def step(self, point: Floats, gradient: Floats, curvature: Curvature) -> Floats:
        """From a point to the least value, within the bounds, of the quadratic model with these derivatives."""

    @functools.cached_property
    def classes(self) -> tuple[float, float]:
        """Weight of the rows of either outcome, the adverse one first.

        Raises
        ------
        InputError : one class only.
        """
        sums = [self.rows.total(), self.rows.total()]
        self.rows.weigh_up(sums, _by_class)
        adverse, favourable = (float(each.values) for each in sums)
        if not (adverse > 0 and favourable > 0):
            raise InputError(
                "both outcomes are needed to fit",
                where="y and sample weights",
                got=f"weight {adverse:g} of outcome 0 and {favourable:g} of outcome 1",
                allowed="a positive weight of both",
                fix="pass rows of both outcomes, not all weighted 0",
            )
        return adverse, favourable

    @property
    def weight(self) -> float:
        """Total weight of the rows."""
        return sum(self.classes)

    @functools.cached_property
    def gap_slopes(self) -> Floats:
        """(gaps, coefficients) by how much each coefficient moves each gap."""
        slopes = np.zeros((len(self.gaps), len(self.lower)))
        for own, gap in zip(slopes, self.gaps, strict=True):
            own[0] = gap.level
            for bins, part, basis in zip(self.rows.slices, self.parts, self.bases, strict=True):
                own[part] = gap.contrast[bins] @ basis
        return slopes

    def start(self, coefficients: Sequence[Floats] | None = None) -> Floats:
        """Where to start: at the intercept alone, or at the intercept and the coefficients of an earlier fit.

        Raises
        ------
        InputError : the earlier fit is of blocks of another shape.
        """
        point = np.zeros(len(self.lower))
        adverse, favourable = self.classes
        point[0] = np.log(favourable) - np.log(adverse)
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

    def by_bin(self, point: Floats) -> Floats:
        """(K,) the values of all bins."""
        return np.concatenate([np.empty(0), *self.values(point)])

    def evaluate(self, point: Floats, *, curved: bool = True) -> Evaluated[Curvature]:
        """Objective and gradient; with second derivatives of the log-loss if `curved`."""
        loss, gradient, curvature = self.loss(point, curved=curved)
        penalised, missed = self.penalised(point), self.gap_slopes @ point - self.targets
        gradient = gradient + penalised + self.gap_slopes.T @ (self.strengths * missed)
        paid = 0.5 * point @ penalised + 0.5 * self.strengths @ missed**2
        return Evaluated(float(loss + paid), gradient, curvature)

    def residual(self, point: Floats, gradient: Floats) -> float:
        """Largest entry, in absolute value, of the projected gradient."""
        projected = np.where(point <= self.lower, np.minimum(gradient, 0.0), gradient)
        projected = np.where(point >= self.upper, np.maximum(projected, 0.0), projected)
        return float(np.abs(np.where(self.lower < self.upper, projected, 0.0)).max())


def refuse_other_bins(blocks: Sequence[Block], rows: CodedRows, gaps: Sequence[ScoreGap]) -> None:
    """Refuse blocks and gaps that are not of the bins of the rows."""
    sizes = np.diff(rows.starts).tolist()
    given = {"blocks": [block.n_bins for block in blocks]}
    given |= {f"gap {number}": [len(gap.contrast)] for number, gap in enumerate(gaps)}
    for where, got in given.items():
        allowed = sizes if where == "blocks" else [rows.size]
        if got != allowed:
            raise InputError(
                "the numbers of bins differ from those of the rows", where=where, got=got, allowed=str(allowed)
            )


def log_loss(against: Floats) -> tuple[Floats, Floats, Floats]:
    """Log-loss of log-odds against the outcome, the probability against it, and the curvature p · (1 − p).

    Examples
    --------
    >>> loss, against, curvature = log_loss(np.array([-800.0, np.log(3)]))
    >>> loss.round(4).tolist(), against.round(9).tolist(), curvature.round(9).tolist()
    ([0.0, 1.3863], [0.0, 0.75], [0.0, 0.1875])
    """
    # Each probability is computed without a subtraction, so that rare outcomes keep all their digits.
    odds = np.exp(-np.abs(against))
    likely = 1.0 / (1.0 + odds)
    rare = odds * likely
    return np.log1p(odds) + np.maximum(against, 0.0), np.where(against >= 0, likely, rare), likely * rare


def slices(lengths: Sequence[int]) -> list[slice]:
    """Where parts of these lengths stand behind one entry, that of the intercept."""
    ends = np.cumsum([1, *lengths]).tolist()
    return [slice(start, stop) for start, stop in pairwise(ends)]


def _by_class(chunk: Chunk) -> list[Floats]:
    """Which rows are of either outcome."""
    neither = (chunk.target != 0.0) & (chunk.target != 1.0)
    if neither.any():
        raise InputError(
            "an outcome is neither class",
            where="y",
            got=Masked(chunk.target[neither].tolist()[0]),
            allowed="0 or 1 (1 = favourable)",
            fix="encode the outcome as 1 for the favourable class and 0 for the other",
        )
    return [1.0 - chunk.target, chunk.target]
