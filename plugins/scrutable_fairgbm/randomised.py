"""The randomised classifier of the paper: a model drawn anew for each row. Python only."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from scrutable.model import Node, TreeEnsemble, splits
from scrutable.model.evaluator import evaluate
from scrutable_fairgbm.gradients import Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RandomisedClassifier:
    """Draws for each row a number of rounds, and decides by the trees grown until then (section 2.3.1).

    **Not for credit decisions**: two applicants who are alike in everything may be decided differently, the same one
    differently tomorrow, and there is no one reason for a decision. So it is no model, and no exporter takes it. It is
    here because the guarantees of the paper are about it, and not about the last iterate that `model_` is.

    Parameters
    ----------
    ensemble : the trees, in the order in which they were grown.
    thresholds : (T,) the score from which on each iterate, f_1 to f_T, decides favourably.
    classes : (2,) the classes as the outcomes held them.
    """

    fit_for_credit_decisions: ClassVar[bool] = False

    ensemble: TreeEnsemble
    thresholds: Floats
    classes: NDArray[Any]

    def share_approved(self, X: Any) -> Floats:
        """(n,) share of the iterates f_1 to f_T that decide favourably: the probability of a favourable decision."""
        shares: Floats = self._approved(X).mean(axis=0)
        return shares

    def predict(self, X: Any, *, random_state: int) -> NDArray[Any]:
        """(n,) classes; another seed gives other ones."""
        approved = self._approved(X)
        drawn = np.random.default_rng(random_state).integers(len(approved), size=(1, approved.shape[1]))
        best = self.ensemble.outcome.favourable_index
        said = np.take_along_axis(approved, drawn, axis=0).ravel()
        classes: NDArray[Any] = self.classes[np.where(said, best, 1 - best)]
        return classes

    def _approved(self, X: Any) -> NDArray[np.bool_]:
        """(T, n) decisions of each iterate."""
        steps = [np.asarray(evaluate(self._alone(tree), X, reasons=False).score) for tree in self.ensemble.trees]
        score: Floats = self.ensemble.base_score + np.cumsum(steps, axis=0)
        approved: NDArray[np.bool_] = score >= self.thresholds[:, None]
        return approved

    def _alone(self, tree: Node) -> TreeEnsemble:
        used = {split.when.feature for split in splits(tree)}
        features = tuple(feature for feature in self.ensemble.features if feature.name in used)
        return replace(self.ensemble, features=features, trees=(tree,), base_score=0.0)
