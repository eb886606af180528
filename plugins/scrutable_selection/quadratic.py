"""The log-loss near the full fit, as a quadratic of the coefficients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scrutable.measures.numerics import minimise_box_quadratic
from scrutable_selection.likelihood import Floats, Ints
from scrutable_selection.maximum import Maximum

#: Added to the diagonal of the scaled curvature, so that columns that say the same leave one minimum.
RIDGE = 1e-9
#: A column's curvature beside the intercept, as a part of what it has alone, below which it says nothing.
_SILENT = 1e-12


@dataclass(frozen=True, eq=False)
class Quadratic:
    """level − pull·b + b'Cb / 2, of coefficients b on a scale on which C has a diagonal of one.

    Expanded at a point (â, b̂) with gradient g and Hessian H, the log-loss is f̂ + g'(b − b̂) + (b − b̂)'S(b − b̂) / 2
    where the intercept is the best one for b: S = H_bb − h h' / H_aa is the Schur complement. At a maximum of the
    likelihood g is 0 for every coefficient that no bound holds. C is S scaled, with 1e-9 added to its diagonal.

    Attributes
    ----------
    matrix, pull : (p, p) C and (p,).
    level : the value at b = 0.
    scale : (p,) what the coefficients are multiplied with to be b.
    nonnegative : whether coefficients below 0 are left out.

    Examples
    --------
    >>> at = Maximum(0.0, np.array([1.0, 0.5]), 3.0, np.zeros(3), np.diag([1.0, 4.0, 4.0]))
    >>> near = Quadratic.of(at)
    >>> [round(near.least([0])[0], 6), round(near.least([1])[0], 6), round(near.least([0, 1])[0], 6)]
    [3.5, 5.0, 3.0]
    """

    matrix: Floats
    pull: Floats
    level: float
    scale: Floats
    nonnegative: bool

    @classmethod
    def of(cls, fit: Maximum, *, nonnegative: bool = False) -> Quadratic:
        """The expansion at a maximum."""
        own, cross = fit.hessian[0, 0], fit.hessian[0, 1:]
        curvature = fit.hessian[1:, 1:] - np.outer(cross, cross) / own
        gradient = fit.gradient[1:] - fit.gradient[0] * cross / own
        diagonal = curvature.diagonal()
        silent = diagonal <= _SILENT * fit.hessian.diagonal()[1:]
        scale = np.where(silent, 1.0, np.sqrt(np.where(silent, 1.0, diagonal)))
        curvature = np.where(silent | silent[:, None], 0.0, curvature) / np.outer(scale, scale)
        point = fit.coefficients * scale
        gradient = np.where(silent, 0.0, gradient / scale)
        pushed = curvature @ point
        matrix = curvature + np.diag(np.where(silent, 1.0, RIDGE))
        level = fit.log_loss - float(gradient @ point) + 0.5 * float(point @ pushed)
        return cls(matrix, pushed - gradient, level, scale, nonnegative)

    def least(self, members: Sequence[int] | Ints) -> tuple[float, Floats]:
        """The least value with these coefficients, all others being 0, and where it lies on the scale of b."""
        some = np.asarray(members, dtype=np.intp)
        if not some.size:
            return self.level, np.empty(0)
        matrix, pull = self.matrix[np.ix_(some, some)], self.pull[some]
        point = np.asarray(np.linalg.solve(matrix, pull), dtype=np.float64)
        if self.nonnegative and (point < 0).any():
            zero = np.zeros(len(some))
            point = minimise_box_quadratic(matrix, -pull, zero, np.full(len(some), np.inf), zero)
        return self.level - float(pull @ point) + 0.5 * float(point @ matrix @ point), point

    def gains(self, members: Sequence[int] | Ints) -> Floats:
        """(p,) by how much each characteristic lowers the least value, if it joins the members.

        The coefficients of the members are free to follow. Where signs bind this is a guide, and no bound.
        """
        some = np.asarray(members, dtype=np.intp)
        _, point = self.least(some)
        left = self.pull - self.matrix[:, some] @ point
        alone = self.matrix.diagonal().copy()
        if some.size:
            cross = self.matrix[some]
            alone -= np.sum(cross * np.linalg.solve(self.matrix[np.ix_(some, some)], cross), axis=0)
        left = np.maximum(left, 0.0) if self.nonnegative else left
        gains: Floats = 0.5 * left**2 / np.maximum(alone, RIDGE)
        gains[some] = 0.0
        return gains
