"""A gap between groups' scores that a regression may have to pay for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scrutable.errors import InputError

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ScoreGap:
    """A weighted sum of the rows' log-odds that the regression pays for; a difference of means, for example.

    Parameters
    ----------
    contrast : (n,) finite weight of each row's log-odds in the sum.
    strength : price of half the squared distance from the target, 0 or more.
    target : what the sum should be, in log-odds.

    Raises
    ------
    InputError : a value that is not finite, or a strength below 0.
    """

    contrast: Floats
    strength: float
    target: float = 0.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.contrast).all() and 0 <= self.strength < np.inf and np.isfinite(self.target)):
            raise InputError(
                "a gap needs finite weights, a finite target and a finite strength of 0 or more",
                where="gaps",
                got=(self.strength, self.target),
                fix="mend it",
            )

    @classmethod
    def of_means(cls, one: npt.ArrayLike, other: npt.ArrayLike, strength: float, target: float = 0.0) -> ScoreGap:
        """The difference of two weighted means of the log-odds.

        Parameters
        ----------
        one, other : (n,) weight of each row in either mean, each with a sum above 0.

        Examples
        --------
        >>> ScoreGap.of_means([1, 1, 0], [0, 0, 1], 1.0).contrast.tolist()
        [0.5, 0.5, -1.0]
        """
        first, second = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
        return cls(first / first.sum() - second / second.sum(), strength, target)
