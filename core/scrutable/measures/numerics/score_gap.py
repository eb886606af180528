"""A gap between groups' scores that a regression may have to pay for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scrutable.errors import InputError

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ScoreGap:
    """A weighted sum of log-odds that the regression pays for; a difference of means, for example.

    Log-odds are the intercept plus the values of bins, so a sum over rows is one over bins.

    Parameters
    ----------
    level : weight of the intercept; 0 for a difference of means.
    contrast : (K,) finite weight of the value of each bin, those of all blocks one after another.
    strength : price of half the squared distance from the target, 0 or more.
    target : what the sum should be, in log-odds.

    Raises
    ------
    InputError : a value that is not finite, or a strength below 0.
    """

    level: float
    contrast: Floats
    strength: float
    target: float = 0.0

    def __post_init__(self) -> None:
        numbers = np.array([self.level, *self.contrast, self.target])
        if not (np.isfinite(numbers).all() and 0 <= self.strength < np.inf):
            raise InputError(
                "a gap needs finite weights, a finite target and a finite strength of 0 or more",
                where="gaps",
                got=(self.strength, self.target),
                fix="mend it",
            )

    @classmethod
    def of_means(cls, one: Sequence[Floats], other: Sequence[Floats], strength: float, target: float = 0.0) -> ScoreGap:
        """The difference of two groups' mean log-odds.

        Parameters
        ----------
        one, other : for each block (n_bins,) weight of the group's rows by bin, with a sum above 0.

        Examples
        --------
        >>> ScoreGap.of_means([np.array([2.0, 0.0])], [np.array([1.0, 3.0])], 1.0).contrast.tolist()
        [0.75, -0.75]
        """
        shares = [first / first.sum() - second / second.sum() for first, second in zip(one, other, strict=True)]
        return cls(0.0, np.concatenate([np.empty(0), *shares]), strength, target)
