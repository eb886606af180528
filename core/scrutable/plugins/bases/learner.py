"""Learners: scikit-learn classifiers and regressors whose only product is a model of the representation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, RegressorMixin, clone
from sklearn.utils import Tags

from scrutable.data.separation import LEAK_ENTRY, warn_of_leaks
from scrutable.data.training import (
    QuantityData,
    RowsInMemory,
    TrainingData,
    read_quantity_training,
    read_training,
)
from scrutable.data.training_rows import LabelledRows, RowsNeededError
from scrutable.errors import InputError
from scrutable.fairness import Bound
from scrutable.model import (
    DecisionModel,
    Evidence,
    FrozenMapping,
    RegressionScorecard,
    RuleSet,
    Scorecard,
    SegmentedModel,
    TreeEnsemble,
)
from scrutable.model.evaluator import Evaluation, RegressionEvaluation, evaluate, margins
from scrutable.plugins.bases.alternative import Alternative
from scrutable.plugins.bases.answers import policy_by
from scrutable.plugins.bases.binding import bound_by
from scrutable.plugins.bases.capable import ALTERNATIVES, producers, such_as
from scrutable.plugins.bases.component_names import called
from scrutable.plugins.bases.constraint import FairnessConstraint
from scrutable.plugins.bases.explainer import Explainer
from scrutable.plugins.bases.model_estimator import ModelEstimator, check_learner
from scrutable.plugins.bases.recording import (
    finished_alternative,
    with_metrics,
)
from scrutable.plugins.decisions import DECISION, Asked, Decision, decided
from scrutable.plugins.nothing_known import ALL_MISSING, AllMissing
from scrutable.plugins.options import check_options
from scrutable.plugins.registry import registry
from scrutable.plugins.scored_rows import ScoredRows
from scrutable.plugins.sources import source_of
from scrutable.plugins.useless_models import DOUBT, doubt_of

S = TypeVar("S", bound=Scorecard | RuleSet | TreeEnsemble)


class Learner(ClassifierMixin, ModelEstimator[TrainingData, DecisionModel]):
    """Base of every learner of classes; further options and attributes as in `ModelEstimator`.

    `learn` gives a model whose scores are what was learned, without reasons; what all learners do alike is done here.
    Where neither a cutoff nor an approval rate is asked for, the cutoff is the one that approves the training share of
    good outcomes, or as close to it as ties of the score allow; the evidence says so, in `decision`. A learner whose
    decision itself was learned says so in `own_decision`, and keeps it. Options of the names below work where a
    subclass has them in its constructor. A model that has reasons although there is no `explainer` is left as it is:
    its reasons belong to its characteristics and its cutoff.

    Parameters
    ----------
    cutoff : in points.
    approval_rate : share of the training rows to approve, instead of a cutoff.
    explainer : the explainer that sets the reason policy, or its name; None for a model without reasons.

    Attributes
    ----------
    classes_ : the two (or, where the learner says so, more) classes, sorted.
    """

    #: Whether it learns more than two classes.
    multi_class: ClassVar[bool] = False

    cutoff: float | None = None
    approval_rate: float | None = None
    explainer: str | Explainer | None = None

    def own_decision(self, model: DecisionModel) -> str:
        """What decides where the decision itself was learned, in words; empty where scores are to be cut.

        Rule sets decide by their votes. A learner that bounds rates at its own cutoff, or fits its classes and not a
        score, has words of its own for `model`, which is the one that `learn` gave.
        """
        return "the votes of its rules, as they were learned" if isinstance(model, RuleSet) else ""

    def improved(self) -> DecisionModel | None:
        """The model to which what is learned is added, beside which the new one is measured; None where there is none.

        `scrutable fit` measures it on the rows held out, too.
        """
        return None

    def reasons_by(self, model: DecisionModel) -> str | Explainer | None:
        """What makes the reasons of a model; None for none."""
        return self.explainer

    def completed(self, model: DecisionModel, evidence: Evidence, data: TrainingData) -> tuple[DecisionModel, Evidence]:
        """What `learn` gave as a whole model: constants left out, the cutoff set, reasons made.

        The evidence says what settled the decision and what becomes of applicants of whom nothing is known, and names
        columns that separate the outcome nearly perfectly.
        """
        if leaks := data.leaks:
            evidence = with_metrics(evidence, {LEAK_ENTRY: FrozenMapping(leaks)})
        # What is evaluated is lowered once, and knows no reasons.
        alone = model if isinstance(model, SegmentedModel) or model.reasons is None else replace(model, reasons=None)
        scored = ScoredRows.of(alone, data) if data.outcome.binary else None
        if scored is not None and (doubt := doubt_of(scored, data)):
            evidence = with_metrics(evidence, {DOUBT: doubt})
        if isinstance(alone, SegmentedModel):
            whole, decision = decided(alone, Asked(own="the cutoffs of the segments"), scored)
            return whole, _with_decision(evidence, decision, AllMissing.measured(whole, data))
        explainer = self.reasons_by(model)
        if explainer is None and alone is not model:
            return model, evidence
        asked = Asked(cutoff=self.cutoff, approval_rate=self.approval_rate, own=self.own_decision(model))
        smaller, evidence = super().completed(alone, evidence, data)  # which leaves out what moves no score
        assert not isinstance(smaller, SegmentedModel)
        cut, decision = decided(smaller, asked, scored)
        missing = AllMissing.measured(smaller, data, cutoff=cut.cutoff)
        return add_reasons(cut, data, explainer), _with_decision(evidence, decision, missing)

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
        warn_of_leaks(data.leaks)

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
        check_learner(self)
        if source_of(X) is not None:
            raise RowsNeededError(f"alternatives of {type(self).__name__}")
        return self.alternatives_of(self.read(X, y, sensitive_features=sensitive_features, sample_weight=sample_weight))

    def alternatives_of(self, data: TrainingData) -> Iterator[Alternative]:
        """The alternatives of training data that is already read."""
        check_options(self)
        origin = self._provenance(data)

        def whole(alternative: Alternative) -> Alternative:
            self._check_orientation(alternative.model, data)
            return finished_alternative(self._whole(alternative, data), origin, data)

        return map(whole, self.vary(data))

    def vary(self, data: TrainingData) -> Iterator[Alternative]:
        """Alternatives of training data that is already read: model and evidence as `learn` gives them.

        The first is the unconstrained model, of method "baseline".
        """
        raise InputError(
            "this learner makes no alternatives",
            where=type(self).__name__,
            fix=f"use one that does{such_as(producers('learner', ALTERNATIVES))}",
        )

    def approving(self, rate: float) -> Self:
        """A copy, not fitted, that is told which share is to be approved, where it has an option for that.

        A learner without `approval_rate` may have another option that says at least in training where the decision
        stands; whoever compares models moves the cutoffs of its models.
        """
        known = "approval_rate" in self.get_params(deep=False)
        copy: Self = clone(self).set_params(**({"approval_rate": rate} if known else {}))
        return copy

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

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """(n,) points from the cutoff, above zero where `predict` gives the last class; (n, classes) votes of more."""
        evaluation = self._evaluate(X, reasons=False)
        return margins(self.model_, evaluation)

    def _whole(self, alternative: Alternative, data: TrainingData) -> Alternative:
        model, evidence = self.completed(alternative.model, alternative.evidence, data)
        return replace(alternative, model=model, evidence=evidence)

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


def _with_decision(evidence: Evidence, decision: Decision | None, nothing: AllMissing | None) -> Evidence:
    noted = {DECISION: decision, ALL_MISSING: nothing}
    return with_metrics(evidence, {name: each.to_json() for name, each in noted.items() if each is not None})


def add_reasons(model: S, data: LabelledRows, explainer: str | Explainer | None) -> S:
    """The model with the reason policy that an explainer, or the one of that name, makes of the training rows."""
    if explainer is None:
        return model
    chosen: Explainer = registry().create("explainer", explainer) if isinstance(explainer, str) else explainer
    if chosen.needs != "rows":
        return replace(model, reasons=policy_by(chosen, model, data))
    if not isinstance(data, RowsInMemory):
        raise RowsNeededError(called(chosen))
    return replace(model, reasons=policy_by(chosen, model, data.table, weight=data.weight))
