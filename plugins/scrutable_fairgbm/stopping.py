"""When to stop: the loss on rows that no tree was grown on, from raw scores, as the objective is our own."""

from __future__ import annotations

from typing import Literal

import numpy as np

from scrutable.errors.checks import check_whole
from scrutable.fairness import auc
from scrutable_fairgbm.gradients import Bools, Floats

Metric = Literal["log-loss", "auc"]


class Stopping:
    """Keeps the loss of each round, and says when it has not fallen for a while.

    With bounds the largest amount by which one is broken on these rows is added, in units of the rate, so that the
    round that is kept is not the one before the multipliers have come to act.

    Parameters
    ----------
    metric : "log-loss", of the scores as log-odds, or "auc", whose loss is 1 - AUC and which does not mind scores
        that constraints have bent.
    patience : rounds without a lower loss after which to stop.
    good, weight : (m,) outcomes and sample weights of the rows.

    Raises
    ------
    InputError : a patience below 1, or rows of one class for an AUC.
    """

    def __init__(self, metric: Metric, patience: int, good: Bools, weight: Floats) -> None:
        check_whole(patience, "early_stopping", 1)
        self._metric, self._patience, self._good, self._weight = metric, patience, good, weight
        self.losses: list[float] = []

    def add(self, score: Floats, beyond: float) -> bool:
        """Keep the loss at (m,) scores, and say whether to stop.

        Parameters
        ----------
        beyond : by how much a bound is broken at most.
        """
        self.losses.append(self._loss(score) + beyond)
        return len(self.losses) > self._patience + self.best

    @property
    def best(self) -> int:
        """Number of rounds after which the loss was lowest, the earliest of equals; one at least, if there were any.

        Without a tree everybody gets one decision, and every bound is kept.
        """
        return int(np.argmin(self.losses[1:])) + 1 if len(self.losses) > 1 else 0

    def _loss(self, score: Floats) -> float:
        if self._metric == "auc":
            return 1.0 - auc(self._good, score, sample_weight=self._weight)
        losses = np.logaddexp(0.0, np.where(self._good, -score, score))
        return float(np.average(losses, weights=self._weight))
