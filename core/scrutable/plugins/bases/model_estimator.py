"""What learners of classes and of quantities have in common: `fit` makes a model, and everything else reads it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar

from sklearn.base import BaseEstimator
from sklearn.utils import Tags

from scrutable.binning.edits import read_edits, selected_by_hand
from scrutable.binning.scorecards import without_constants
from scrutable.data.frames import Table
from scrutable.data.training import (
    QuantityData,
    SpecialCodes,
    TrainingData,
    read_again,
    refuse_unfitted,
    remember,
)
from scrutable.errors import InputError
from scrutable.model import (
    DecisionModel,
    Evidence,
    FrozenMapping,
    Provenance,
    RegressionScorecard,
    Scorecard,
)
from scrutable.plugins.bases.binner import Binner, check_binner
from scrutable.plugins.bases.recording import (
    check_learned,
    check_orientation,
    core_versions,
    finished,
    recorded_class,
    recorded_parameters,
    with_metrics,
)
from scrutable.plugins.bases.where_rows_live import Needs, read_where_it_lives
from scrutable.plugins.nothing_known import warn_of_unseen
from scrutable.plugins.options import check_options
from scrutable.plugins.useless_models import warn_of_doubt

#: The entry of the metrics that names the characteristics left out because they give everybody the same points.
WITHOUT_POINTS = "without_points"

D = TypeVar("D", TrainingData, QuantityData)
M = TypeVar("M", DecisionModel, RegressionScorecard)


class ModelEstimator(BaseEstimator, Generic[D, M]):
    """Base of learners of every kind: `fit` makes `model_`, and everything else reads it.

    A subclass says in `learn` what model its options give. Options of the names below, where its constructor has them,
    describe the data; a subclass that takes them from elsewhere says so in `read`.

    Parameters
    ----------
    favourable : the favourable class; when None, the one whose label says it ("paid"), or the last of the sorted ones.
    constraints : fairness constraints to keep.
    binner : what makes attributes of the features, or its name.
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
    #: Whether it keeps several of them at once.
    bounds_together: ClassVar[bool] = True

    #: What it asks of rows: counts by value ("values"), by bins that rows have ("codes"), or the rows themselves.
    needs: ClassVar[Needs] = "rows"

    favourable: Any = None
    constraints: Any = ()
    binner: Any = None
    allow_protected: Sequence[str] = ()
    reference_groups: dict[str, str] | None = None
    special_codes: SpecialCodes | None = None
    categorical: Sequence[str] = ()

    model_: M

    def fit(self, X: Any, y: Any, *, sensitive_features: Any = None, sample_weight: Any = None) -> Self:
        """Learn a model.

        Parameters
        ----------
        X : (n, features) frame or array; or rows that live elsewhere, such as a relation of DuckDB, for a learner whose
            `needs` are no rows. The other parameters are then names of its columns.
        y : (n,) outcomes: classes, or numbers for a learner of quantities.
        sensitive_features : (n, attributes) frame of protected attributes, a column each, or `Groups`; never needed to
            predict.
        sample_weight : (n,) weights of zero or more.

        Raises
        ------
        InputError, KindError : data or options that cannot be used; the message names the column.
        PluginError : `learn` gives no model, or one that favours another class than was asked.
        """
        check_learner(self)
        X = read_where_it_lives(self, X)
        data = self.read(X, y, sensitive_features=sensitive_features, sample_weight=sample_weight)
        learned = self.learn(data)
        check_learned(learned, self)
        self._check_orientation(learned[0], data)
        model, evidence = finished(*self.completed(*learned, data), self._provenance(data), data)
        remember(self, X, data)  # nothing can fail from here on: an estimator is fitted whole or stays as it was
        self._input_names = [feature.name for feature in data.features]
        self.remember_target(data)
        self.model_, self.evidence_ = model, evidence
        warn_of_unseen(evidence)
        warn_of_doubt(evidence, bounded=bool(self.constraints))
        return self

    @abstractmethod
    def read(self, X: Any, y: Any, *, sensitive_features: Any, sample_weight: Any) -> D:
        """Training data as this learner's options describe it."""

    @abstractmethod
    def learn(self, data: D) -> tuple[M, Evidence]:
        """The model of training data that is already read, and its evidence."""

    def completed(self, model: M, evidence: Evidence, data: D) -> tuple[M, Evidence]:
        """What `learn` gave as a whole model: without characteristics that move no score, which the evidence names."""
        if not isinstance(model, Scorecard | RegressionScorecard):
            return model, evidence
        smaller, constant = without_constants(model)
        return smaller, with_metrics(evidence, {WITHOUT_POINTS: constant}) if constant else evidence

    def remember_target(self, data: D) -> None:
        """Note on the fitted estimator what else it has to know of the target."""

    @classmethod
    def about_learning(cls, evidence: Evidence) -> Iterable[str]:
        """Sentences on how learning ended, from the evidence of a model of this learner; none by default."""
        return ()

    @classmethod
    def about_characteristics(cls, evidence: Evidence) -> Mapping[str, str]:
        """By feature, what learning says of it, such as its shape, or why it left; none by default.

        The model's document has it beside the path of cards, where evidence has a `scrutable.plugins.CardPath`.
        """
        return {}

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
        refuse_unfitted(self)
        return read_again(self, X, self._input_names)

    def _check_orientation(self, model: DecisionModel | RegressionScorecard, data: D) -> None:
        check_orientation(model, data, self.favourable, self)

    def _provenance(self, data: D) -> Provenance:
        parameters = self.get_params(deep=False)
        return Provenance(
            learner=recorded_class(type(self)),
            parameters=recorded_parameters(parameters),
            versions=FrozenMapping({**core_versions(), **self.versions()}),
            seed=None if parameters.get("random_state") is None else int(parameters["random_state"]),
            data_fingerprint=data.fingerprint(),
        )


def check_learner(learner: ModelEstimator[Any, Any]) -> None:
    """Refuse options that cannot be, of a learner and of a binner that it was given."""
    check_options(learner)
    if not isinstance(learner.binner, Binner):
        return
    check_binner(learner.binner, learner.favourable)
    if selected_by_hand(read_edits(learner.binner.edits)) and "select" not in learner.get_params(deep=False):
        raise InputError(
            "a review says which characteristics stay, and this learner does not select any",
            where=f"{type(learner).__name__}, binner, edits",
            got=", ".join(selected_by_hand(read_edits(learner.binner.edits))),
            fix="choose a learner that selects, such as scorecard; or delete these decisions, and leave columns out",
        )
