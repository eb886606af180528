"""Learners: scikit-learn classifiers and regressors whose only product is a model of the representation."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from scrutable.bases.alternative import Alternative
from scrutable.bases.binding import bound_by
from scrutable.bases.constraint import FairnessConstraint
from scrutable.bases.explainer import Explainer
from scrutable.bases.recording import check_learned, core_versions, finished, finished_alternative, recordable
from scrutable.errors import InputError
from scrutable.fairness import Bound
from scrutable.frames import Table
from scrutable.model import (
    DecisionModel,
    Evidence,
    FrozenMapping,
    Provenance,
    RegressionScorecard,
    RuleSet,
    Scorecard,
    TreeEnsemble,
)
from scrutable.model.evaluator import Evaluation, RegressionEvaluation, evaluate
from scrutable.registry import registry
from scrutable.training import (
    QuantityData,
    SpecialCodes,
    TrainingData,
    TrainingRows,
    read_again,
    read_quantity_training,
    read_training,
    remember,
)

D = TypeVar("D", bound=TrainingRows)
M = TypeVar("M", DecisionModel, RegressionScorecard)
S = TypeVar("S", Scorecard, RuleSet, TreeEnsemble)


class ModelEstimator(BaseEstimator, Generic[D, M]):
    """Base of learners of every kind: `fit` makes `model_`, and everything else reads it.

    A subclass says in `learn` what model its options give. Options of the names below, where its constructor has them,
    describe the data; a subclass that takes them from elsewhere says so in `read`.

    Parameters
    ----------
    allow_protected : input columns that may be protected attributes or tell them.
    reference_groups : reference label by protected attribute; the largest group where none is named.
    special_codes : values by feature that are no measurement, or a list for every feature that holds them.
    categorical : numeric features whose numbers are categories.

    Attributes
    ----------
    model_ : the model.
    evidence_ : what is known about it and does not run with it.
    """

    #: Kinds of fairness bound that the learner can keep: "rate", "divergence".
    accepts_bounds: tuple[str, ...] = ()

    allow_protected: Sequence[str] = ()
    reference_groups: dict[str, str] | None = None
    special_codes: SpecialCodes | None = None
    categorical: Sequence[str] = ()

    model_: M

    def fit(self, X: Any, y: Any, *, sensitive_features: Any = None, sample_weight: Any = None) -> Self:
        """Learn a model.

        Parameters
        ----------
        X : (n, features) frame or array.
        y : (n,) outcomes: classes, or numbers for a learner of quantities.
        sensitive_features : (n, attributes) frame of protected attributes, a column each, or `Groups`; never needed to
            predict.
        sample_weight : (n,) weights of zero or more.

        Raises
        ------
        InputError, KindError : data or options that cannot be used; the message names the column.
        """
        data = self.read(X, y, sensitive_features=sensitive_features, sample_weight=sample_weight)
        found = self.learn(data)
        check_learned(found, type(self).__name__)
        model, evidence = finished(*found, self._provenance(data), data)
        remember(self, X, data)  # nothing can fail from here on: an estimator is fitted whole or stays as it was
        self._input_names = [feature.name for feature in data.features]
        self.remember_target(data)
        self.model_, self.evidence_ = model, evidence
        return self

    @abstractmethod
    def read(self, X: Any, y: Any, *, sensitive_features: Any, sample_weight: Any) -> D:
        """Training data as this learner's options describe it."""

    @abstractmethod
    def learn(self, data: D) -> tuple[M, Evidence]:
        """The model of training data that is already read, and its evidence."""

    def remember_target(self, data: D) -> None:
        """Note on the fitted estimator what else it has to know of the target."""

    def versions(self) -> dict[str, str]:
        """Versions of further libraries that shape the model."""
        return {}

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def _to_predict(self, X: Any) -> Table:
        """Rows to predict, checked against those of `fit`; the estimator is fitted."""
        check_is_fitted(self)
        return read_again(self, X, self._input_names)

    def _provenance(self, data: D) -> Provenance:
        parameters = self.get_params(deep=False)
        return Provenance(
            learner=type(self).__name__,
            parameters=FrozenMapping({key: recordable(value) for key, value in parameters.items()}),
            versions=FrozenMapping({**core_versions(), **self.versions()}),
            seed=None if parameters.get("random_state") is None else int(parameters["random_state"]),
            data_fingerprint=data.fingerprint(),
        )


class Learner(ClassifierMixin, ModelEstimator[TrainingData, DecisionModel]):
    """Base of every learner of classes; further options and attributes as in `ModelEstimator`.

    Parameters
    ----------
    favourable : the favourable class; the last of the sorted classes when None.

    Attributes
    ----------
    classes_ : the two (or, where the learner says so, more) classes, sorted.
    """

    #: Whether it learns more than two classes.
    multi_class: ClassVar[bool] = False

    favourable: Any = None

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

    def remember_target(self, data: TrainingData) -> None:
        self.classes_ = data.classes

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
        return (finished_alternative(found, origin, data) for found in self.vary(data))

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
        return tags

    def _evaluate(self, X: Any, *, reasons: bool) -> Evaluation:
        rows = self._to_predict(X)
        return evaluate(self.model_, rows, reasons=reasons)

    def bounds(
        self, constraints: FairnessConstraint | Iterable[FairnessConstraint], data: TrainingData
    ) -> tuple[Bound, ...]:
        """The bounds that constraints set on the groups of the training rows.

        Raises
        ------
        InputError : there are constraints and no groups, or a bound of a kind that this learner cannot keep.
        """
        return bound_by(constraints, data, self.accepts_bounds, type(self).__name__)


class RegressionLearner(RegressorMixin, ModelEstimator[QuantityData, RegressionScorecard]):
    """Base of every learner of a quantity, such as loss given default; more is said by `ModelEstimator`."""

    def read(self, X: Any, y: Any, *, sensitive_features: Any, sample_weight: Any) -> QuantityData:
        return read_quantity_training(
            X,
            y,
            sensitive_features=sensitive_features,
            sample_weight=sample_weight,
            special_codes=self.special_codes,
            categorical=self.categorical,
            allow_protected=self.allow_protected,
            reference_groups=self.reference_groups,
        )

    def evaluate(self, X: Any) -> RegressionEvaluation:
        """Everything the model says of each row: the prediction, and the points that it is made of."""
        rows = self._to_predict(X)
        return evaluate(self.model_, rows)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """(n,) predictions; columns must be those of `fit` in their order, as everywhere in scikit-learn."""
        return self.evaluate(X).score


def add_reasons(model: S, data: TrainingData, explainer: str | Explainer | None) -> S:
    """The model with the reason policy that an explainer, or the one of that name, makes of the training rows."""
    if explainer is None:
        return model
    chosen: Explainer = registry().create("explainer", explainer) if isinstance(explainer, str) else explainer
    return replace(model, reasons=chosen.policy(model, data.table, weight=data.weight))
