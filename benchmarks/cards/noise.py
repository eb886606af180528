"""Many columns that tell nothing beside a few that tell a little."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from report import Row

from cards import models
from cards.data import Rows, Split, noisy
from cards.figures import Difference, auc

_ROWS, _COLUMNS, _TRUE = 10_000, 200, 20


def rows(seeds: int) -> Iterator[Row]:
    """AUC with all columns, less that of the same learner on those that tell something; the default learner beside."""
    each_seed = np.array([_aucs(seed) for seed in range(seeds)])
    whole, true, scorecard = each_seed.mean(axis=0).tolist()
    difference = Difference.of({"": (each_seed[:, 0] - each_seed[:, 1]).tolist()})
    words = f"{_ROWS:,} x {_COLUMNS}, {_COLUMNS - _TRUE} of noise: AUC less that on the true columns"
    yield Row(
        name=words,
        value=difference.mean,
        unit="",
        relation=">=",
        bound=-0.018,
        peer=scorecard - true,
        note=f"{whole:.4f} and {true:.4f}; standard error {difference.error:.4f}; the peer is scorecard",
    )


def _aucs(seed: int) -> tuple[float, float, float]:
    """AUC on as many other rows: of the learner with all columns and with the true ones, and of the default learner."""
    drawn = noisy(2 * _ROWS, _COLUMNS, _TRUE, seed)
    every = _halves(drawn)
    true = _halves(Rows(X=drawn.X.iloc[:, :_TRUE], y=drawn.y))
    fits = (models.additive(every), models.additive(true), models.scorecard(every))
    whole, few, default = (auc(every.held.y, fitted.probability) for fitted in fits)
    return whole, few, default


def _halves(drawn: Rows) -> Split:
    return Split(learned=drawn.take(np.arange(_ROWS)), held=drawn.take(np.arange(_ROWS, 2 * _ROWS)))
