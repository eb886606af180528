"""The methods that are compared: each makes a model of every draw and measures its decisions."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from clock import timed
from fairlearn.postprocessing import ThresholdOptimizer
from fairlearn.reductions import ExponentiatedGradient, GridSearch, TruePositiveRateParity
from lightgbm import LGBMClassifier
from numpy.typing import NDArray

from boosting import fork
from boosting.data import Parts
from boosting.draws import Draw
from boosting.measures import Tried, measure


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a method makes of the draws on one split, and its CPU seconds of training."""

    tried: list[Tried]
    seconds: float


class Method(Protocol):
    """Models of the same rows, one a draw."""

    def __call__(self, parts: Parts, draws: Sequence[Draw]) -> Found:
        """Fit on the first part, measure on the others."""


def plain(parts: Parts, draws: Sequence[Draw]) -> Found:
    """LightGBM without constraint."""
    return _collected(_plain(parts, draw) for draw in draws)


def of_fork(parts: Parts, draws: Sequence[Draw]) -> Found:
    """The authors' fork, equal false negative rates."""
    fits = [fork.Fit(options=_in_forks_terms(draw)) for draw in draws]
    found = fork.run(fits, parts.train, [parts.valid, parts.test])
    tried = [by_score(parts, *each.scores) for each in found]
    return Found(tried=tried, seconds=sum(each.seconds for each in found))


def exponentiated(parts: Parts, draws: Sequence[Draw]) -> Found:
    """Fairlearn's ExponentiatedGradient over LightGBM, at most ten rounds; decisions are random."""
    return _collected(
        _reduced(parts, draw, ExponentiatedGradient(base(draw), _parity(draw), max_iter=TRAINED), {"random_state": 0})
        for draw in _fewer(draws)
    )


def searched(parts: Parts, draws: Sequence[Draw]) -> Found:
    """Fairlearn's GridSearch over LightGBM, ten models."""
    return _collected(
        _reduced(parts, draw, GridSearch(base(draw), _parity(draw), grid_size=TRAINED), {}) for draw in _fewer(draws)
    )


def thresholds(parts: Parts, draws: Sequence[Draw]) -> Found:
    """Fairlearn's ThresholdOptimizer on the plain models: thresholds of each group, found on the rows to choose by.

    It needs the group of everyone to decide on, which no other method here does.
    """
    return _collected(_thresholds(parts, draw) for draw in draws)


#: Models that a run of the reductions trains, and so how many draws count as one of theirs.
TRAINED = 10


def base(draw: Draw, threads: int = 1) -> LGBMClassifier:
    """LightGBM as it is published, on one thread."""
    return LGBMClassifier(**draw.trees, n_jobs=threads, verbose=-1)


def _plain(parts: Parts, draw: Draw) -> tuple[float, Tried]:
    seconds, model = timed(lambda: base(draw).fit(parts.train.X, parts.train.y))
    return seconds, by_score(
        parts, *(np.asarray(model.predict(each.X, raw_score=True)) for each in (parts.valid, parts.test))
    )


def _reduced(parts: Parts, draw: Draw, reduction: Any, asked: dict[str, Any]) -> tuple[float, Tried]:
    train = parts.train
    seconds, _ = timed(lambda: reduction.fit(train.X, train.y, sensitive_features=train.members))
    decisions = [reduction.predict(each.X, **asked) == 1 for each in (parts.valid, parts.test)]
    return seconds, by_decision(parts, *decisions)


def _thresholds(parts: Parts, draw: Draw) -> tuple[float, Tried]:
    train, valid = parts.train, parts.valid
    model = base(draw)
    optimizer = ThresholdOptimizer(
        estimator=model, constraints="true_positive_rate_parity", prefit=True, predict_method="predict_proba"
    )

    def fit() -> None:
        model.fit(train.X, train.y)
        optimizer.fit(valid.X, valid.y, sensitive_features=valid.members)

    seconds, _ = timed(fit)
    decisions = [
        optimizer.predict(each.X, sensitive_features=each.members, random_state=0) == 1 for each in (valid, parts.test)
    ]
    return seconds, by_decision(parts, *decisions)


def _collected(fits: Iterable[tuple[float, Tried]]) -> Found:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = list(fits)
    return Found(tried=[each for _, each in found], seconds=sum(spent for spent, _ in found))


def by_score(parts: Parts, valid: NDArray[np.float64], test: NDArray[np.float64]) -> Tried:
    """Approved where the log-odds are positive; what is no number is declined, and counts as infinite."""
    found = by_decision(parts, valid > 0, test > 0)
    largest = float(np.abs(np.where(np.isnan(test), np.inf, test)).max())
    return Tried(valid=found.valid, test=found.test, largest=largest)


def by_decision(parts: Parts, valid: NDArray[np.bool_], test: NDArray[np.bool_]) -> Tried:
    return Tried(valid=measure(parts.valid, valid), test=measure(parts.test, test), largest=None)


def _parity(draw: Draw) -> TruePositiveRateParity:
    """Fairlearn asks for more than zero."""
    return TruePositiveRateParity(difference_bound=max(draw.slack, 0.005))


def _fewer(draws: Sequence[Draw]) -> Sequence[Draw]:
    return draws[: max(1, len(draws) // TRAINED)]


def _in_forks_terms(draw: Draw) -> dict[str, Any]:
    return {
        **draw.trees,
        "constraint_type": "FNR",
        "constraint_fnr_threshold": draw.slack,
        "multiplier_learning_rate": draw.multiplier_rate,
    }
