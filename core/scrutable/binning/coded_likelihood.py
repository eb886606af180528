"""The log-loss of logistic regressions on characteristics that rows are coded by."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scrutable.data.coded_rows import CodedArrays, CodedRows
from scrutable.errors import InputError
from scrutable.measures.numerics.blocks import Block, woe_block
from scrutable.measures.numerics.problem_forms import TableProblem

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class CodedLikelihood:
    """The likelihood of rows by the attribute that each has of every characteristic, from passes over them.

    Parameters
    ----------
    names : the p characteristics.
    blocks : (p,) how each is written, such as `woe_block` or `one_hot_block` says. Bounds do not matter here.
    rows : by the attributes of the characteristics, with outcomes of 1 (favourable) or 0.

    Raises
    ------
    InputError : names, blocks and rows that do not fit, or rows of one outcome alone.

    Examples
    --------
    >>> codes, woe = np.array([[0, 0, 1, 1]]), [np.array([1.0, -1.0])]
    >>> good, bad = np.array([3.0, 0.0, 1.0, 0.0]), np.array([0.0, 1.0, 0.0, 3.0])
    >>> likelihood = CodedLikelihood.of_woe(["income"], codes, woe, good, bad)
    >>> loss, gradient, hessian = likelihood.at(0.0, np.zeros(1))
    >>> round(loss, 4), gradient.tolist(), hessian.round(9).tolist()
    (5.5452, [0.0, -2.0], [[2.0, 0.0], [0.0, 2.0]])
    """

    names: tuple[str, ...]
    blocks: tuple[Block, ...]
    rows: CodedRows

    def __post_init__(self) -> None:
        if len(self.names) != len(self.blocks):
            raise InputError(
                "names and characteristics differ in number",
                where="names",
                got=len(self.names),
                allowed=f"{len(self.blocks)}, one a characteristic",
                fix="name each characteristic",
            )

    @classmethod
    def of(
        cls, names: Sequence[str], blocks: Sequence[Block], codes: Ints, good: Floats, bad: Floats
    ) -> CodedLikelihood:
        """That of n rows in memory, each of which may stand for many.

        Parameters
        ----------
        codes : (p, n) attribute of each row.
        good, bad : (n,) weights of each row with either outcome.
        """
        target, weight = np.repeat([1.0, 0.0], [len(good), len(bad)]), np.concatenate([good, bad])
        rows = CodedArrays(np.tile(codes, 2), [block.n_bins for block in blocks], target, weight)
        return cls(tuple(names), tuple(blocks), rows)

    @classmethod
    def of_woe(
        cls, names: Sequence[str], codes: Ints, woe: Sequence[Floats], good: Floats, bad: Floats
    ) -> CodedLikelihood:
        """That of weights of evidence: (p,) arrays with the WoE of the attributes."""
        return cls.of(names, [woe_block(each) for each in woe], codes, good, bad)

    @property
    def weight(self) -> float:
        """Total weight of the rows."""
        return self.rows.total_weight

    @functools.cached_property
    def widths(self) -> tuple[int, ...]:
        """How many columns each characteristic is written as."""
        return tuple(block.basis.shape[1] for block in self.blocks)

    @functools.cached_property
    def ranges(self) -> Floats:
        """(q, 2) least and greatest value of each column, of rows of some weight."""
        seen = self.rows.weight_by_bin > 0
        written = [block.basis[seen[own]] for block, own in zip(self.blocks, self.rows.slices, strict=True)]
        ends = [np.stack([each.min(axis=0), each.max(axis=0)], axis=1) for each in written]
        return np.concatenate([np.empty((0, 2)), *ends])

    def at(self, intercept: float, coefficients: Floats) -> tuple[float, Floats, Floats]:
        """Log-loss, gradient and Hessian, as `Likelihood` says."""
        mean, slope, curvature = self._problem.evaluate(np.concatenate([[intercept], coefficients]))
        assert curvature is not None
        return self.weight * mean, self.weight * slope, self.weight * self._problem.hessian(curvature)

    def gradient(self, intercept: float, coefficients: Floats) -> tuple[float, Floats]:
        """Log-loss and gradient."""
        mean, slope, _ = self._problem.evaluate(np.concatenate([[intercept], coefficients]), curved=False)
        return self.weight * mean, self.weight * slope

    def only(self, members: Sequence[int]) -> CodedLikelihood:
        """The likelihood of these characteristics alone."""
        names, blocks = tuple(self.names[each] for each in members), tuple(self.blocks[each] for each in members)
        return CodedLikelihood(names, blocks, self.rows.only(members))

    @functools.cached_property
    def _problem(self) -> TableProblem:
        return TableProblem(self.blocks, self.rows, ridge=0.0)
