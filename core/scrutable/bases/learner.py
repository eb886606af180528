"""Learners: scikit-learn classifiers whose only product is a model of the representation."""

from __future__ import annotations

import platform
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib import metadata
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from scrutable.bases.constraint import FairnessConstraint
from scrutable.errors import InputError
from scrutable.fairness import Bound
from scrutable.model import Evidence, FrozenMapping, Model, Provenance, Scorecard, fingerprint
from scrutable.model.evaluator import Evaluation, evaluate
from scrutable.model.values import Json, freeze
from scrutable.registry import registry
from scrutable.training import TrainingData, read_again


class Learner(ClassifierMixin, BaseEstimator):
    """Base of every learner: `fit` makes `model_`, and everything else reads it.

    A subclass says in `read` how its options describe the data, and in `learn` what model they give. Its constructor
    has `favourable` (the favourable class; the last of the sorted classes when None) and `allow_protected` (input
    columns that may be protected attributes or tell them).

    Attributes
    ----------
    model_ : the model.
    evidence_ : what is known about it and does not run with it.
    classes_ : the two (or, where the learner says so, more) classes, sorted.
    """

    #: Kinds of fairness bound that the learner can keep: "rate", "divergence".
    accepts_bounds: tuple[str, ...] = ()

    favourable: Any = None
    allow_protected: Any = ()

    def fit(self, X: Any, y: Any, *, sensitive_features: Any = None, sample_weight: Any = None) -> Self:
        """Learn a model.

        Parameters
        ----------
        X : (n, features) frame or array.
        y : (n,) outcomes.
        sensitive_features : (n, attributes) frame of protected attributes, a column each, or `Groups`; never needed to
            predict.
        sample_weight : (n,) weights of zero or more.

        Raises
        ------
        InputError, KindError : data or options that cannot be used; the message names the column.
        """
        data = self.read(X, y, sensitive_features=sensitive_features, sample_weight=sample_weight)
        model, known = self.learn(data)
        self._input_names = [feature.name for feature in data.features]
        self.model_ = replace(model, provenance=self._provenance(data))
        self.evidence_ = replace(known, model_sha256=fingerprint(self.model_))
        return self

    @abstractmethod
    def read(self, X: Any, y: Any, *, sensitive_features: Any, sample_weight: Any) -> TrainingData:
        """Training data as this learner's options describe it."""

    @abstractmethod
    def learn(self, data: TrainingData) -> tuple[Model, Evidence]:
        """The model of training data that is already read, and its evidence."""

    def alternatives(self) -> Iterator[Model]:
        """Candidate models beside `model_`, for a search; none unless the learner makes them."""
        return iter(())

    def evaluate(self, X: Any) -> Evaluation:
        """Everything the model says of each row: points, score, probability, decision, reasons."""
        check_is_fitted(self)
        return evaluate(self.model_, read_again(self, X, self._input_names))

    def predict(self, X: Any) -> NDArray[Any]:
        """(n,) classes: the favourable one where no knock-out applies and the score reaches the cutoff."""
        predicted = self.evaluate(X).predicted
        classes: NDArray[Any] = self.classes_
        return classes[predicted]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """(n, classes) probabilities, in the order of `classes_`."""
        return self.evaluate(X).class_probability

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def _provenance(self, data: TrainingData) -> Provenance:
        parameters = self.get_params(deep=False)
        return Provenance(
            learner=type(self).__name__,
            parameters=FrozenMapping({key: _recordable(value) for key, value in parameters.items()}),
            versions=FrozenMapping({**_versions(), **self.versions()}),
            seed=parameters.get("random_state"),
            data_fingerprint=data.fingerprint(),
        )

    def versions(self) -> dict[str, str]:
        """Versions of further libraries that shape the model."""
        return {}

    def bounds(self, constraints: Iterable[FairnessConstraint], data: TrainingData) -> tuple[Bound, ...]:
        """The bounds that constraints set on the groups of the training rows.

        Raises
        ------
        InputError : there are constraints and no groups, or a bound of a kind that this learner cannot keep.
        """
        constraints = tuple(constraints)
        if not constraints:
            return ()
        if data.groups is None:
            raise InputError(
                "a constraint needs to know the groups",
                where="constraints",
                got=list(constraints),
                fix="pass sensitive_features to fit",
            )
        found = tuple(b for constraint in constraints for b in constraint.bind(data.good, data.groups))
        for bound in found:
            if bound.kind not in self.accepts_bounds:
                raise InputError(
                    f"{type(self).__name__} cannot keep a bound on a {bound.kind}",
                    where="constraints",
                    got=bound,
                    allowed=", ".join(self.accepts_bounds) or "no constraint",
                    fix="choose another learner or constraint",
                )
        return found


def add_reasons(model: Scorecard, data: TrainingData, explainer: str | None) -> Scorecard:
    """The model with the reason policy that an explainer, reached by its name, makes of the training rows."""
    if explainer is None:
        return model
    policy = registry().create("explainer", explainer).policy(model, data.table, weight=data.weight)
    return replace(model, reasons=policy)


def _versions() -> dict[str, str]:
    found = {name: metadata.version(name) for name in ("scrutable", "numpy", "scikit-learn")}
    return {**found, "python": platform.python_version()}


def _recordable(value: Any) -> Json:
    if isinstance(value, BaseEstimator):
        inner = {key: _recordable(item) for key, item in value.get_params(deep=False).items()}
        return FrozenMapping({"class": type(value).__name__, "parameters": FrozenMapping(inner)})
    try:
        return freeze(value.item() if isinstance(value, np.generic) else value)
    except ValueError:
        return repr(value)
