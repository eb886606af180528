"""Stumps boosted on bins: gradients by bin, from passes over the rows, and by the curvature between them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from scrutable.data import BinSums, Chunk, CodedRows, Unit
from scrutable.plugins import Count, Limits, check_options
from scrutable_lda_xgb1.best_stump import Cuts, Penalties, Stump
from scrutable_lda_xgb1.crossings import Crossings

Floats = NDArray[np.float64]
Penalty = Annotated[float, Limits(0, 1e30)]

#: Root mean square of the moves of scores, and number of stumps, after which gradients are added up anew.
FARTHEST, STUMPS = 0.1, 24
_BITS = 52


@dataclass(frozen=True, slots=True, kw_only=True)
class Boosting:
    """Options of the stump boosting, named as in XGBoost; the defaults are the paper's (section 4.1)."""

    n_estimators: Count = 1000
    learning_rate: Annotated[float, Limits(0, 1, above=True)] = 0.3
    max_bin: Annotated[int, Limits(2)] = 256
    reg_lambda: Penalty = 1.0
    reg_alpha: Penalty = 0.0

    def __post_init__(self) -> None:
        check_options(self)


def boosted(
    rows: CodedRows, signs: Sequence[int], boosting: Boosting, *, rate: float, scale: float = 1.0, stumps: int = STUMPS
) -> Iterator[Stump]:
    """One stump a round, until none gains anything any more.

    Each stump is the one of highest gain, as XGBoost's histogram method makes it: second-order gain with penalties,
    a direction for missing values, a curvature of 1 at least on either side, and no stump against a sign. For the
    first of some stumps gradients and curvatures are added up over all rows; what a stump changes is then added by the
    curvature, which is exact to second order for bins of its own block; for others it follows from how many rows of
    one block's wide bins are in the other's.

    Parameters
    ----------
    rows : the last bin of each block holds missing values, in whatever sense.
    signs : (p,) 1 or -1 where values may not fall or rise from bin to bin, 0 where they may.
    rate : share of favourable rows by weight, from which scores start.
    scale : by which weights are multiplied before penalties and the least curvature see them.
    stumps : most of them until gradients are added up anew; 1 for always.
    """
    penalties = Penalties(rate=boosting.learning_rate, ridge=boosting.reg_lambda, lasso=boosting.reg_alpha)
    score = Score(rows, math.log(rate / (1 - rate)), scale)
    score.renew()
    cuts = Cuts(rows.starts, np.array(signs), score.curvature[rows.starts[1:] - 1] > 0, penalties)
    crossings = Crossings.of(rows, score.curvature) if stumps > 1 else None
    moved, since = 0.0, 0
    for number in range(boosting.n_estimators):
        if number and (crossings is None or moved > FARTHEST**2 or since == stumps):
            score.renew()
            moved, since = 0.0, 0
        if since == 0:
            cuts.curve(score.curvature)
        stump = cuts.best(score.gradient)
        if stump.after is None and stump.moved == 0.0 and since == 0:
            return
        yield stump
        score.move(stump, crossings)
        moved, since = moved + stump.moved, since + 1


class Score:
    """Scores that are sums of values by bin, with the log-loss's gradient and curvature by bin.

    Parameters
    ----------
    level : what all scores begin with.
    scale : what weights are multiplied by.

    Attributes
    ----------
    gradient, curvature : (K,) sums over the rows of each bin of the first and second derivative by the score.
    """

    def __init__(self, rows: CodedRows, level: float, scale: float) -> None:
        self._rows, self._level, self._scale = rows, level, scale
        self._values = np.zeros(rows.size)
        # No derivative is beyond 1: sums are whole multiples of this, fewer than doubles can hold.
        self._unit = Unit((math.frexp(rows.total_weight)[1] - _BITS,))

    def renew(self) -> None:
        """Add gradient and curvature up over all rows."""
        unit, size = self._unit, (self._rows.size,)
        slopes, curves = BinSums(unit, size), BinSums(unit, size)

        def amounts(chunk: Chunk) -> list[Floats]:
            with np.errstate(over="ignore"):
                expected = 1.0 / (1.0 + np.exp(-self._rows.score(chunk, self._values, self._level)))
            return [expected - chunk.target, expected * (1.0 - expected)]

        self._rows.weigh_up([slopes, curves], amounts)
        self.gradient, self.curvature = self._scale * slopes.values, self._scale * curves.values

    def move(self, stump: Stump, crossings: Crossings | None) -> None:
        """Add a stump, and to the gradient what follows from the curvature if `crossings` are known."""
        if stump.after is None:
            self._level += stump.left
            self.gradient += self.curvature * stump.left
            return
        own = self._rows.slices[stump.block]
        values = np.full(own.stop - own.start, stump.right)
        values[: stump.after + 1 - own.start] = stump.left
        values[-1] = stump.left if stump.missing_left else stump.right
        self._values[own] += values
        if crossings is not None:
            moves = crossings.moves(stump, own)
            moves[own] = values
            self.gradient += self.curvature * moves
