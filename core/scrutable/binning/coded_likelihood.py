"""The log-loss of logistic regressions on characteristics that rows in memory are coded by."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from scrutable.data.exact import exact_sum
from scrutable.errors import InputError
from scrutable.measures.numerics.binned_problem import Patterns
from scrutable.measures.numerics.blocks import Block, woe_block
from scrutable.measures.numerics.problem_forms import TableProblem

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class CodedLikelihood:
    """The likelihood of rows in memory, by the attribute that each has of every characteristic.

    `of` makes it. Rows with the same attributes are merged, with exact counts, so that their order does not matter. The
    Hessian is added up by pairs of characteristics.

    Attributes
    ----------
    names : the p characteristics.
    blocks : (p,) how each is written, with an index by pattern.
    patterns : the combinations of attributes that occur, with the shares of both outcomes.
    weight : total weight of the rows.

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
    patterns: Patterns
    weight: float

    @classmethod
    def of(cls, names: Sequence[str], blocks: Sequence[Block], good: Floats, bad: Floats) -> CodedLikelihood:
        """The likelihood of n rows.

        Parameters
        ----------
        names : the p characteristics.
        blocks : (p,) how each is written, such as `woe_block` or `one_hot_block` says. Bounds do not matter here.
        good, bad : (n,) weights of each row with either outcome; a row may stand for many.

        Raises
        ------
        InputError : names, blocks and weights that do not fit, or weights of one outcome alone.
        """
        if len(names) != len(blocks):
            raise InputError(
                "names and characteristics differ in number",
                where="names",
                got=len(names),
                allowed=f"{len(blocks)}, one a characteristic",
                fix="name each characteristic",
            )
        outcome, weight = np.repeat([True, False], [len(good), len(bad)]), np.concatenate([good, bad])
        twice = [replace(block, index=np.tile(block.index, 2)) for block in blocks]
        return cls.of_rows(names, twice, outcome, weight)

    @classmethod
    def of_rows(
        cls, names: Sequence[str], blocks: Sequence[Block], good: npt.NDArray[np.bool_], weight: Floats
    ) -> CodedLikelihood:
        """The likelihood of n rows, each of one outcome.

        Parameters
        ----------
        good : (n,) rows with the favourable outcome.
        weight : (n,) sample weights.
        """
        patterns = Patterns.grouped(blocks, good, weight, ())
        merged = tuple(patterns.merged(blocks))
        return cls(tuple(names), merged, replace(patterns, rows=np.arange(len(patterns.rows))), exact_sum(weight))

    @classmethod
    def of_woe(
        cls, names: Sequence[str], codes: Ints, woe: Sequence[Floats], good: Floats, bad: Floats
    ) -> CodedLikelihood:
        """That of weights of evidence: (p, n) attribute of each row, and (p,) arrays with the WoE of the attributes."""
        blocks = [woe_block(index, each) for index, each in zip(codes, woe, strict=True)]
        return cls.of(names, blocks, good, bad)

    @functools.cached_property
    def widths(self) -> tuple[int, ...]:
        """How many columns each characteristic is written as."""
        return tuple(block.basis.shape[1] for block in self.blocks)

    @functools.cached_property
    def ranges(self) -> Floats:
        """(q, 2) least and greatest value of each column."""
        written = [block.basis[np.unique(block.index)] for block in self.blocks]
        ends = [np.stack([each.min(axis=0), each.max(axis=0)], axis=1) for each in written]
        return np.concatenate([np.empty((0, 2)), *ends])

    def at(self, intercept: float, coefficients: Floats) -> tuple[float, Floats, Floats]:
        """Log-loss, gradient and Hessian, as `Likelihood` says."""
        mean, slope, curvature = self._problem.evaluate(np.concatenate([[intercept], coefficients]))
        return self.weight * mean, self.weight * slope, self.weight * self._problem.hessian(curvature)

    def gradient(self, intercept: float, coefficients: Floats) -> tuple[float, Floats]:
        """Log-loss and gradient."""
        mean, slope, _ = self._problem.evaluate(np.concatenate([[intercept], coefficients]))
        return self.weight * mean, self.weight * slope

    def only(self, members: Sequence[int]) -> CodedLikelihood:
        """The likelihood of these characteristics alone; the rows stay as they were merged."""
        names, blocks = tuple(self.names[each] for each in members), tuple(self.blocks[each] for each in members)
        return CodedLikelihood(names, blocks, self.patterns, self.weight)

    @functools.cached_property
    def _problem(self) -> TableProblem:
        return TableProblem(self.blocks, self.patterns, ridge=0.0)
