"""The likelihood that selection asks: of all characteristics, or of some, wherever the rows are."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from scrutable.data import exact_sum
from scrutable.errors import InputError, did_you_mean
from scrutable.errors.checks import check_whole
from scrutable.measures.numerics import Block, Patterns, TableProblem, woe_block

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]


class Likelihood(Protocol):
    """Weighted log-loss of logistic regressions on what the characteristics are written as.

    Mostly that is one column each, its weight of evidence. A characteristic that is written as several columns, such as
    an indicator of every attribute but one, enters and leaves with all of them.

    Attributes
    ----------
    names : the p characteristics.
    widths : (p,) how many columns each is written as.
    weight : total weight of the rows; their number where none is weighted.
    ranges : (q, 2) least and greatest value of each of the q columns, of all rows.
    """

    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def widths(self) -> tuple[int, ...]: ...

    @property
    def weight(self) -> float: ...

    @property
    def ranges(self) -> Floats: ...

    def at(self, intercept: float, coefficients: Floats) -> tuple[float, Floats, Floats]:
        """Log-loss (a sum), gradient (q + 1,) and Hessian (q + 1, q + 1) at (q,) coefficients, intercept first."""

    def gradient(self, intercept: float, coefficients: Floats) -> tuple[float, Floats]:
        """The first two of `at`, which cost less."""

    def only(self, members: Sequence[int]) -> Likelihood:
        """The likelihood of these characteristics alone, by position, in this order."""


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
        outcome, weight = np.repeat([1, 0], [len(good), len(bad)]), np.concatenate([good, bad])
        twice = [replace(block, index=np.tile(block.index, 2)) for block in blocks]
        patterns = Patterns.grouped(twice, outcome, weight, ())
        merged = tuple(patterns.merged(twice))
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


def positions(names: Sequence[str], wanted: Sequence[str], where: str) -> list[int]:
    """Where the wanted characteristics stand among the names.

    Raises
    ------
    InputError : one is not among them.

    Examples
    --------
    >>> positions(["age", "income"], ["income"], "must")
    [1]
    """
    at = {name: position for position, name in enumerate(names)}
    missing = [name for name in wanted if name not in at]
    if missing:
        raise InputError(
            "there is no such characteristic",
            where=where,
            got=missing[0],
            allowed="names of the characteristics",
            fix=did_you_mean(missing[0], names) or "mend the name",
        )
    return [at[name] for name in wanted]


def check_freedom(likelihood: Likelihood, freedom: Sequence[int]) -> None:
    """Refuse degrees of freedom that are not one whole number from 1 on a characteristic."""
    if len(freedom) != len(likelihood.names):
        raise InputError(
            "expected a number a characteristic",
            where="freedom",
            got=len(freedom),
            allowed=f"{len(likelihood.names)} whole numbers",
            fix="give the attributes less one of each",
        )
    for each in freedom:
        check_whole(each, "freedom", 1)
