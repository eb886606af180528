"""Learners: scikit-learn classifiers whose only product is a model of the representation."""

from __future__ import annotations

import platform
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from importlib import metadata
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from scrutable.bases.alternative import Alternative
from scrutable.bases.binding import bound_by
from scrutable.bases.constraint import FairnessConstraint
from scrutable.bases.explainer import Explainer
from scrutable.errors import InputError
from scrutable.fairness import Bound
from scrutable.model import Evidence, FrozenMapping, Model, Provenance, Scorecard, fingerprint
from scrutable.model.evaluator import Evaluation, evaluate
from scrutable.model.values import Json, freeze
from scrutable.registry import registry
from scrutable.training import SpecialCodes, TrainingData, read_again, read_training, remember


class Learner(ClassifierMixin, BaseEstimator):
    """Base of every learner: `fit` makes `model_`, and everything else reads it.

    A subclass says in `learn` what model its options give. Options of the names below, where its constructor has them,
    describe the data; a subclass that takes them from elsewhere says so in `read`.

    Parameters
    ----------
    favourable : the favourable class; the last of the sorted classes when None.
    allow_protected : input columns that may be protected attributes or tell them.
    reference_groups : reference label by protected attribute; the largest group where none is named.
    special_codes : values by feature that are no measurement, or a list for every feature that holds them.
    categorical : numeric features whose numbers are categories.

    Attributes
    ----------
    model_ : the model.
    evidence_ : what is known about it and does not run with it.
    classes_ : the two (or, where the learner says so, more) classes, sorted.
    """

    #: Kinds of fairness bound that the learner can keep: "rate", "divergence".
    accepts_bounds: tuple[str, ...] = ()

    #: Whether it learns more than two classes.
    multi_class: ClassVar[bool] = False

    favourable: Any = None
    allow_protected: Sequence[str] = ()
    reference_groups: dict[str, str] | None = None
    special_codes: SpecialCodes | None = None
    categorical: Sequence[str] = ()

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
        model, evidence = _finished(*self.learn(data), self._provenance(data), data)
        remember(self, X, data)  # nothing can fail from here on: an estimator is fitted whole or stays as it was
        self._input_names = [feature.name for feature in data.features]
        self.classes_ = data.classes
        self.model_, self.evidence_ = model, evidence
        return self

    def read(self, X: Any, y: Any, *, sensitive_features: Any, sample_weight: Any) -> TrainingData:
        """Training data as this learner's options describe it."""
        return read_training(
            X,
            y,
            sensitive_features=sensitive_features,
            sample_weight=sample_weight,
            special_codes=self.special_codes,
            categorical=self.categorical,
            favourable=self.favourable,
            allow_protected=self.allow_protected,
            reference_groups=self.reference_groups,
            multi_class=self.multi_class,
        )

    @abstractmethod
    def learn(self, data: TrainingData) -> tuple[Model, Evidence]:
        """The model of training data that is already read, and its evidence."""

    def alternatives(
        self, X: Any, y: Any, *, sensitive_features: Any = None, sample_weight: Any = None
    ) -> Iterator[Alternative]:
        """Models of the same rows to choose from, one after another, each as whole as what `fit` gives.

        The data is read once, before the first. The first is the unconstrained model, of method "baseline".
        Parameters and errors as for `fit`; `fit` itself is neither needed before nor touched.

        Raises
        ------
        InputError : the learner makes no alternatives.
        """
        return self.alternatives_of(self.read(X, y, sensitive_features=sensitive_features, sample_weight=sample_weight))

    def alternatives_of(self, data: TrainingData) -> Iterator[Alternative]:
        """The alternatives of training data that is already read."""
        origin = self._provenance(data)
        return (_finished_alternative(found, origin, data) for found in self.vary(data))

    def vary(self, data: TrainingData) -> Iterator[Alternative]:
        """Alternatives of training data that is already read: model and evidence as `learn` gives them.

        The first is the unconstrained model, of method "baseline".
        """
        raise InputError(
            "this learner makes no alternatives",
            where=type(self).__name__,
            fix="use one that does, for example lda-xgb1",
        )

    def evaluate(self, X: Any) -> Evaluation:
        """Everything the model says of each row: points, score, probability, decision, reasons."""
        return self._evaluate(X, reasons=True)

    def predict(self, X: Any) -> NDArray[Any]:
        """(n,) classes: the favourable one where no knock-out applies and the score reaches the cutoff.

        Columns must be those of `fit` in their order, as everywhere in scikit-learn; `scrutable.evaluate(model_, X)`
        takes them by name and ignores others.
        """
        predicted = self._evaluate(X, reasons=False).predicted
        classes: NDArray[Any] = self.classes_
        return classes[predicted]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """(n, classes) probabilities, in the order of `classes_`."""
        return self._evaluate(X, reasons=False).class_probability

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.multi_class
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def _evaluate(self, X: Any, *, reasons: bool) -> Evaluation:
        check_is_fitted(self)
        return evaluate(self.model_, read_again(self, X, self._input_names), reasons=reasons)

    def _provenance(self, data: TrainingData) -> Provenance:
        parameters = self.get_params(deep=False)
        return Provenance(
            learner=type(self).__name__,
            parameters=FrozenMapping({key: _recordable(value) for key, value in parameters.items()}),
            versions=FrozenMapping({**_versions(), **self.versions()}),
            seed=None if parameters.get("random_state") is None else int(parameters["random_state"]),
            data_fingerprint=data.fingerprint(),
        )

    def versions(self) -> dict[str, str]:
        """Versions of further libraries that shape the model."""
        return {}

    def bounds(
        self, constraints: FairnessConstraint | Iterable[FairnessConstraint], data: TrainingData
    ) -> tuple[Bound, ...]:
        """The bounds that constraints set on the groups of the training rows.

        Raises
        ------
        InputError : there are constraints and no groups, or a bound of a kind that this learner cannot keep.
        """
        return bound_by(constraints, data, self.accepts_bounds, type(self).__name__)


def add_reasons(model: Scorecard, data: TrainingData, explainer: str | Explainer | None) -> Scorecard:
    """The model with the reason policy that an explainer, or the one of that name, makes of the training rows."""
    if explainer is None:
        return model
    chosen: Explainer = registry().create("explainer", explainer) if isinstance(explainer, str) else explainer
    return replace(model, reasons=chosen.policy(model, data.table, weight=data.weight))


def _finished(model: Model, evidence: Evidence, provenance: Provenance, data: TrainingData) -> tuple[Model, Evidence]:
    """What was learned with where it comes from, and evidence that names the model."""
    whole = replace(model, provenance=provenance)
    metrics = FrozenMapping({**evidence.metrics, "inputs_checked_against_groups": data.groups is not None})
    return whole, replace(evidence, model_sha256=fingerprint(whole), metrics=metrics)


def _finished_alternative(found: Alternative, origin: Provenance, data: TrainingData) -> Alternative:
    parameters = FrozenMapping({**origin.parameters, "alternative": found.recipe})
    model, evidence = _finished(found.model, found.evidence, replace(origin, parameters=parameters), data)
    return replace(found, model=model, evidence=evidence)


def _versions() -> dict[str, str]:
    found = {name: metadata.version(name) for name in ("scrutable", "numpy", "scikit-learn")}
    return {**found, "python": platform.python_version()}


def _recordable(value: Any) -> Json:
    if isinstance(value, BaseEstimator):
        return _named(value, value.get_params(deep=False))
    if is_dataclass(value):
        return _named(value, {field.name: getattr(value, field.name) for field in fields(value)})
    if isinstance(value, list | tuple):
        return tuple(_recordable(item) for item in value)
    try:
        return freeze(value.item() if isinstance(value, np.generic) else value)
    except ValueError:
        return repr(value)


def _named(value: Any, parameters: dict[str, Any]) -> Json:
    inner = FrozenMapping({key: _recordable(item) for key, item in parameters.items()})
    return FrozenMapping({"class": type(value).__name__, "parameters": inner})
