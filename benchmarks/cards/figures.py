"""What a fit is worth on rows held out, and the mean of differences with its standard error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score

from cards.data import Floats, Ints

#: Probabilities are kept so far from 0 and 1.
_LEAST = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A mean and its standard error."""

    mean: float
    error: float

    @classmethod
    def of(cls, by_set: Mapping[str, Sequence[float]]) -> Self:
        """The mean over sets of the means over splits, of differences by set and split.

        The error is that of these means, by how they differ from split to split; the sets are given.
        """
        each = [np.asarray(splits) for splits in by_set.values()]
        errors = [np.std(splits, ddof=1) / np.sqrt(len(splits)) for splits in each]
        mean = float(np.mean([splits.mean() for splits in each]))
        return cls(mean=mean, error=float(np.sqrt(np.sum(np.square(errors))) / len(each)))

    @property
    def in_errors(self) -> float:
        """The mean in standard errors, 0 where nothing differs."""
        return self.mean / self.error if self.error else 0.0

    def __str__(self) -> str:
        return f"{self.mean:+.4f} ± {self.error:.4f}"


def auc(good: Ints, probability: Floats) -> float:
    """Area under the ROC curve."""
    return float(roc_auc_score(good, probability))


def loss(good: Ints, probability: Floats) -> float:
    """Mean log-loss."""
    return float(log_loss(good, np.clip(probability, _LEAST, 1 - _LEAST)))


def slope(good: Ints, probability: Floats) -> float:
    """Calibration slope: what a regression of the outcome on the log-odds multiplies them by."""
    p = np.clip(probability, _LEAST, 1 - _LEAST)
    log_odds = np.log(p / (1 - p))[:, None]
    return float(LogisticRegression(C=np.inf).fit(log_odds, good).coef_[0, 0])
