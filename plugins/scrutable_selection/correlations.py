"""Correlations of WoE between characteristics, from one pass over codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scrutable.plugins.bases import Likelihood

Floats = NDArray[np.float64]

#: Added to the diagonal of correlations that are inverted, so that copies have a large factor and not none.
_APART = 1e-9


@dataclass(frozen=True, kw_only=True, eq=False)
class Correlations:
    """Correlations between some characteristics.

    Parameters
    ----------
    names : of them.
    matrix : (p, p) correlations of their WoE; 0 where one has a single value.
    """

    names: tuple[str, ...]
    matrix: Floats

    @classmethod
    def of(cls, likelihood: Likelihood) -> Correlations:
        """Those of the characteristics of a likelihood.

        Its Hessian at log-odds of 0 is a quarter of the second moments of WoE, and so one pass tells all of them.
        """
        _, _, hessian = likelihood.at(0.0, np.zeros(len(likelihood.names)))
        moments = hessian / hessian[0, 0]
        means = moments[0, 1:]
        covariance = moments[1:, 1:] - np.outer(means, means)
        scale = np.sqrt(np.maximum(np.diag(covariance), 0.0))
        scale[scale <= 1e-9 * np.sqrt(np.diag(moments)[1:])] = np.inf
        matrix = np.clip(covariance / np.outer(scale, scale), -1.0, 1.0)
        np.fill_diagonal(matrix, 1.0)
        return cls(names=likelihood.names, matrix=matrix)

    def only(self, names: Sequence[str]) -> Correlations:
        """Those between some of them."""
        at = [self._place[name] for name in names]
        return Correlations(names=tuple(names), matrix=self.matrix[np.ix_(at, at)])

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: at for at, name in enumerate(self.names)}

    @cached_property
    def inflation(self) -> Floats:
        """(p,) variance inflation factors: the diagonal of the inverse."""
        inverse = np.linalg.inv(self.matrix + _APART * np.eye(len(self.names)))
        return np.maximum(np.diag(inverse), 1.0)

    def between(self, one: str, other: str) -> float:
        """That of two."""
        return float(self.matrix[self._place[one], self._place[other]])

    def closest(self, name: str, others: Sequence[str]) -> tuple[str, float]:
        """The one of others that goes most with one, and their correlation without its sign; "" and 0 of none."""
        if not others:
            return "", 0.0
        values = np.abs(self.matrix[self._place[name], [self._place[each] for each in others]])
        at = int(np.argmax(values))
        return others[at], float(values[at])
