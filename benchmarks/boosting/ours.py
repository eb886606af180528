"""The learner, as one of the methods that are compared: the only place where its options are set."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from clock import timed
from numpy.typing import NDArray

from boosting.data import Parts, Problem
from boosting.draws import Draw
from boosting.methods import Found, by_score
from scrutable import create
from scrutable.errors import InputError
from scrutable.model import Scorecard, TreeEnsemble
from scrutable.model.evaluator import evaluate
from scrutable_fairgbm.learner import FairGBMClassifier


@dataclass(frozen=True, kw_only=True)
class Ours:
    """The learner under a bound on opportunity, with options beside those of a draw.

    Opportunity bounds the shares of the favourable outcomes that are declined: the paper's false negative rates where
    y = 1 is favourable, and its false positive rates where y = 1 is the bad outcome.
    """

    options: dict[str, Any] = field(default_factory=dict)

    def __call__(self, parts: Parts, draws: Sequence[Draw]) -> Found:
        """Fit on the first part, measure on the others."""
        found = [timed(partial(self._scores, parts, draw)) for draw in draws]
        return Found(tried=[by_score(parts, *scores) for _, scores in found], seconds=sum(spent for spent, _ in found))

    def fit(self, train: Problem, draw: Draw) -> FairGBMClassifier:
        """A fit on the rows as a user has them; bounds that are missed are no news here."""
        learner = self.learner(train, draw)
        frame, groups = train.frame, train.groups.to_frame()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return learner.fit(frame, train.y, sensitive_features=groups)

    def _scores(self, parts: Parts, draw: Draw) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Those of validation and test rows; no numbers where scores ran away, and no model is made of them."""
        try:
            fitted = self.fit(parts.train, draw)
        except InputError:
            return np.full(len(parts.valid.y), np.nan), np.full(len(parts.test.y), np.nan)
        return self.score(fitted, parts.valid), self.score(fitted, parts.test)

    def learner(self, train: Problem, draw: Draw) -> FairGBMClassifier:
        """Inputs that may tell the group are allowed, as they are to every method."""
        return FairGBMClassifier(
            **{
                "constraints": create("constraint", "opportunity", slack=draw.slack),
                "multiplier_rate": draw.multiplier_rate,
                "allow_protected": list(train.X),
                "favourable": 1,
                **draw.own_trees,
                **self.options,
            }
        )

    def score(self, fitted: FairGBMClassifier, part: Problem) -> NDArray[np.float64]:
        """(n,) scores less the cutoff, so that those above zero are approved."""
        model = fitted.model_
        assert isinstance(model, TreeEnsemble | Scorecard)
        score = np.asarray(evaluate(model, part.frame, reasons=False).score, dtype=np.float64)
        return np.nextafter(score - model.cutoff, np.inf)  # a score at the cutoff is approved
