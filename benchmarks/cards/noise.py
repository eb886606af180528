"""Many columns that tell nothing beside a few that tell a little."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from report import Row

from cards import models
from cards.data import Rows, Split, noisy
from cards.figures import Difference, auc
from scrutable import create
from scrutable.data import read_training
from scrutable_additive.problem import Problem
from scrutable_additive.screening import price_of, screened

_ROWS, _COLUMNS, _TRUE = 10_000, 200, 20
#: Share of columns of noise that may stay where there are no others.
_LEFT = 0.02


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


def rows_of_chance(seeds: int) -> Iterator[Row]:
    """How many columns of noise stay beside one another at the price that a parameter has, and at others."""
    price = price_of(_COLUMNS)
    kept = {each: [_kept(each, seed) for seed in range(seeds)] for each in (1.0, price - 2, price, price + 2)}
    yield Row(
        name=f"{_ROWS:,} x {_COLUMNS} of noise alone: columns that stay",
        value=float(np.mean(kept[price])),
        unit="",
        relation="<=",
        bound=_LEFT * _COLUMNS,
        peer=float(np.mean(kept[1.0])),
        note="; ".join(f"{np.mean(each):.3g} at {at:.3g} a parameter" for at, each in kept.items()) + "; the peer at 1",
    )


def _kept(price: float, seed: int) -> int:
    drawn = noisy(_ROWS, _COLUMNS, 0, seed)
    data = read_training(drawn.X, drawn.y, favourable=1)
    problem, _, _ = screened(Problem.of(data, create("binner", "fine"), ()), price=price)
    return len(problem.features)


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
