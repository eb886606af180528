"""Signed multipliers: one for each bound, which weigh the rows of a logistic loss. The default method."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrutable_fairgbm.gradients import Floats, Singles, weigh_rows
from scrutable_fairgbm.players import View
from scrutable_fairgbm.rates import RateRows

#: A multiplier follows no faster than the trees do: its step is at most this many learning rates.
_FASTEST = 1.0
#: Below this value of p (1 - p) a rate is no longer taken to be easier to move.
_LEAST_SPREAD = 0.005
#: Multipliers, and what they add to a weight, stay within this; weights never fall below the least.
_LARGEST, _LEAST = 6.0, -0.3
#: By how much a leaf moves a score in a round at most, from when a multiplier has moved.
_FARTHEST = 5.0
#: Log-odds by which gaps on training rows and on others are taken to differ at least, as a standard deviation.
_OVERFIT = 0.2
_GAIN = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast multipliers follow what they measure.

    Parameters
    ----------
    multiplier_rate : as the user gives it, above 0.
    learning_rate : of the trees.
    """

    multiplier_rate: float
    learning_rate: float

    @property
    def step(self) -> float:
        """By how much a multiplier moves in a round, per unit of log-odds that a rate is out of bounds.

        Ten multiplier rates where that is slow; no more than the learning rate, since trees need 1 / learning_rate
        rounds to answer and multipliers that do not wait for them overshoot.

        >>> round(Pace(multiplier_rate=0.001, learning_rate=0.1).step, 4)
        0.0091
        >>> round(Pace(multiplier_rate=0.5, learning_rate=0.1).step, 4)
        0.098
        """
        wanted, most = _GAIN * self.multiplier_rate, _FASTEST * self.learning_rate
        return wanted * most / (wanted + most)


class SignedMultipliers:
    """Multipliers mu of either sign; the loss of a row has the weight 1 + sum_c mu_c * pull_c.

    The pull of a bound on a row is what the row's error adds to what is bounded, over the largest such amount: 1 for
    rows of a small group, and for the rows of a large reference, whose rate moves less with each, little and negative.
    These are the weights of errors in the Lagrangian, so a bound is met where that costs the fewest of them. Rates
    among good or among bad payers make this one weight for each cell of class and group; bounds on approvals raise the
    good payers of a group and lower its bad payers, or the other way round.

    Where a weight falls below 0, an error on the row is welcome: the row then counts as one of the other class, with
    the size of that weight, but no more than 0.3. So every row keeps a logistic loss, whose slope is bounded, and the
    hessian that trees read is never so far below it that a leaf moves a score by more than 5 in a round: no score
    runs away. Without such rows, inputs that tell little of the group could bring rates together only by
    approving, or declining, nearly everybody.

    After each round mu moves by `Pace.step` times what its bound is broken by, measured in log-odds of the rate, so
    that neither the number of rows nor a rare event changes the pace:

        x = mu + step * (value / (p (1 - p)) - mu / size),   mu = x - clip(x, step * low, step * high)

    with limits in log-odds, too, and never beyond 6 either way, since inputs that tell nothing of the group cannot
    bring its rates together. This is proximal ascent on the dual: within its limits a bound lets go.
    `size` is the number of rows of the smaller side times p (1 - p), so the multipliers of groups of a few rows, whose
    rates are noise, are held back a little.

    Parameters
    ----------
    rows : cells and bounds of the training rows.
    held : the same bounds on rows that no tree is grown on, where there are any. What is measured is then the value
        on training rows plus the difference to these, as far as it is no noise: by its variance under sampling, beside
        that under overfitting, which is judged by how far the rate of all groups together differs.
    start : (C,) multipliers to start from.
    base : (K,) by which losses are multiplied beside the multipliers: class weights.
    """

    def __init__(
        self, rows: RateRows, held: RateRows | None, pace: Pace, *, start: Floats | None = None, base: Floats
    ) -> None:
        largest = np.abs(rows.q).max(axis=1, initial=0.0)
        self._rows, self._held, self._pace, self._base = rows, held, pace, base
        self._pull = rows.q / largest[:, None]
        self._size = 1.0 / largest
        self._per_held_row = None if held is None else np.abs(held.q).max(axis=1, initial=0.0)
        self._gradient, self._hessian = np.empty((2, len(rows.cell)), np.float32)
        self._errors = np.empty(len(rows.total))
        self._least = 0.0
        self.values: Floats = np.zeros(rows.n_bounds) if start is None else start.copy()
        self.measured: Floats = np.zeros(rows.n_bounds)

    def factors(self) -> Floats:
        """(K,) by which the losses of the rows of each cell are multiplied; below 0 for those of the other class."""
        factors: Floats = self._base * np.clip(1.0 + self.values @ self._pull, _LEAST, 1.0 + _LARGEST)
        return factors

    def gradients(self, view: View) -> tuple[Singles, Singles]:
        rows = self._rows
        if self.values.any():
            self._least = self._pace.learning_rate / _FARTHEST
        weigh_rows(
            view.score,
            rows.cell,
            rows.good,
            self.factors(),
            rows.weight,
            view.threshold,
            self._least,
            self._gradient,
            self._hessian,
            self._errors,
        )
        if rows.n_bounds:
            self._move(view)
        return self._gradient, self._hessian

    def _move(self, view: View) -> None:
        rows = self._rows
        overall = rows.overall(self._errors)
        spread = np.maximum(overall * (1 - overall), _LEAST_SPREAD)
        self.measured = rows.values(self._errors)
        if self._held is not None and self._per_held_row is not None and view.held_score is not None:
            there = self._held.errors(view.held_score, view.held_threshold)
            apart = self._held.values(there) - self._held.constant - (self.measured - rows.constant)
            noise = self._per_held_row / spread
            signal = _OVERFIT**2 + ((self._held.overall(there) - overall) / spread) ** 2
            seen = self._per_held_row > 0
            self.measured = self.measured + np.where(seen, apart * signal / (signal + noise), 0.0)
        pace = self._pace.step / spread
        moved = self.values + pace * (self.measured - self.values / self._size)
        wanted = moved - np.clip(moved, pace * rows.low, pace * rows.high)
        self.values = np.clip(wanted, -_LARGEST, _LARGEST)
