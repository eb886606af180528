"""Learner `fairgbm`: gradient boosting under fairness constraints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from typing import Any, Self

import numpy as np
from sklearn.base import clone

from scrutable import registry
from scrutable.binning import Trends, with_statistics
from scrutable.data import ClassWeight, SpecialCodes, TrainingData, class_factors, refuse_reordered, refuse_unfitted
from scrutable.errors import InputError, ModelError
from scrutable.errors.checks import as_options, check_whole
from scrutable.fairness import Bound
from scrutable.model import (
    Calibration,
    DecisionModel,
    Evidence,
    FrozenMapping,
    Json,
    Scorecard,
    TreeEnsemble,
    freeze,
    scorecard_of,
)
from scrutable.plugins.bases import (
    ALLOWANCES,
    BASELINE,
    Alternative,
    Explainer,
    FairnessConstraint,
    Learner,
    allowing,
    estimator,
)
from scrutable_fairgbm.backends import BackendName
from scrutable_fairgbm.deciding import BoundsMet, bounds_met, decide
from scrutable_fairgbm.fairness import warn_of_broken, warn_of_one_decision
from scrutable_fairgbm.gradients import Bools
from scrutable_fairgbm.handover.inputs import BoosterInputs, booster_inputs
from scrutable_fairgbm.held_out_in_words import about_held_out
from scrutable_fairgbm.history import History
from scrutable_fairgbm.lagrangian import Proxy
from scrutable_fairgbm.monotone import directions_of
from scrutable_fairgbm.operating import Operating
from scrutable_fairgbm.options import BoosterOptions, TreeOptions
from scrutable_fairgbm.parts import Parts
from scrutable_fairgbm.randomised import RandomisedClassifier
from scrutable_fairgbm.row_sets import HeldOutShare, training_rows, validation_rows
from scrutable_fairgbm.stopping import Metric
from scrutable_fairgbm.study import Method, Plan, log_odds, run


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Learned:
    """What a fit leaves besides the model."""

    backend: BackendName
    ensemble: TreeEnsemble
    multipliers: dict[str, float]
    history: History


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Boosted:
    """A model, what is known of it, and what it decides on the rows that its trees were grown on."""

    model: TreeEnsemble | Scorecard
    evidence: Evidence
    learned: Learned
    met: BoundsMet
    approved: Bools
    parts: Parts


@estimator
class FairGBMClassifier(Learner):
    """Boosted trees that keep bounds on rates of groups, on LightGBM or XGBoost as they are published.

    Before each tree the rates that constraints bound are counted in the decisions so far; multipliers move with what
    is out of bounds, and weigh the rows of the next tree. Training takes about as long as without constraints. Trees
    never see the groups. With `max_depth=1` the model is a scorecard.

    Constraints are named by the favourable class, and an FPR or FNR by the class called positive. Where y = 1 is the
    bad outcome (a default, a fraud), what protects good applicants is equality of **FPR**, good payers declined; where
    y = 1 is the good outcome, it is equality of **FNR**, equal opportunity. Both are "opportunity" here.

    Parameters
    ----------
    constraints : constraints that bind rates, for example "opportunity" or "demographic-parity".
    method : "signed", multipliers of either sign that weigh rows; or "proxy-lagrangian", the paper's algorithm
        as printed. See `SignedMultipliers` and `ProxyLagrangian`.
    proxy : what the paper's method descends on: "cross-entropy", "hinge" or "quadratic".
    multiplier_rate : how fast multipliers follow what they measure. With "signed" 0.01 to 0.5 differ little; with less
        than that, a hundred rounds can be too few.
    backend : "lightgbm" or "xgboost".
    n_estimators : number of trees.
    learning_rate : by which what each tree adds to the score is multiplied.
    max_leaves : most leaves of a tree.
    max_depth : most splits on the way to a leaf, up to 16; None for no other limit. With 1 the model is a scorecard.
    min_child_samples : fewest rows in a leaf, with LightGBM; XGBoost has `BoosterOptions(min_child_weight=...)`.
    booster : further options of the trees, `BoosterOptions` from `scrutable_fairgbm.options` or a mapping: subsample,
        colsample, reg_lambda, reg_alpha, min_split_gain, min_child_weight, max_bin, rare_share.
    trends : how the score may move as a numeric feature rises, by feature: "ascending" or "descending"; refused for
        features with special codes, which boosters order among the numbers.
    operating : where the decision stands, in training and in the model, `Operating` from `scrutable_fairgbm.operating`
        or a mapping with one of declined_good, approved_bad, approval, or with fpr or fnr and positive, for example
        {"approval": 0.7}. Where None, training looks at even odds; with constraints or a class weight the model decides
        there too, and without them as any other learner does. With the paper's method it is one more constraint, and
        the decision stays at even odds.
    held_out : share of the rows that no tree is grown on. Multipliers then move by what is measured on these rows
        too, since overfitting makes rates on the rows of the trees too good; and early stopping, cutoff and
        calibration are taken from them. With few rows it does harm: they are missing for the trees, and rates on a
        few dozen of them are noise. So "auto" holds out a tenth to three tenths, the more the smaller the groups, where
        that leaves 100 held out on each side of every bound; else none, or a tenth where something else asks for rows.
        None for never.
    early_stopping : rounds without a lower loss on held out rows after which to stop; None for all rounds.
    stopping_metric : "log-loss" or "auc".
    class_weight : "balanced", or by class, by which losses are multiplied; rates are not.
    warm_start : whether a further fit goes on from the trees and multipliers of the last one, up to `n_estimators`.
    explainer : what makes the reason codes of a scorecard; None for none. Deeper trees have reasons where an explainer
        is given, not a name, for a few shallow trees: `create("explainer", "reason-codes")`.
    reference_groups : reference label by protected attribute; the largest group where none is named.
    special_codes : values by feature that are no measurement, or a list for every feature that holds them.
    categorical : numeric features whose numbers are categories.
    favourable : the favourable class; when None, the one whose label says it ("paid"), or the last of the sorted ones.
    allow_protected : input columns that may be protected attributes or tell them.
    n_jobs : threads.
    verbose : rounds after which a line is printed again; 0 for none.
    random_state : seed of the rows held out and of what the booster draws.

    Attributes
    ----------
    model_ : the `TreeEnsemble`, or with `max_depth=1` the `Scorecard`. Its scores are log-odds weighed by the
        constraints; its calibration says which probability they stand for.
    evidence_ : what each bound became in the decisions of the model, and its multiplier.
    history_ : constraints, multipliers and losses of each round.

    References
    ----------
    Cruz, A. F., Belém, C., Jesus, S., Bravo, J., Saleiro, P., Bizarro, P. FairGBM: Gradient Boosting with Fairness
    Constraints. ICLR 2023. Algorithm 1, equations (5) to (9), appendix D.

    Examples
    --------
    >>> import scrutable
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(3000, seed=1)
    >>> bound = scrutable.create("constraint", "opportunity", slack=0.02)
    >>> learner = FairGBMClassifier(constraints=bound, max_leaves=4, n_estimators=50, favourable=data.favourable)
    >>> learner.fit(data.X, data.y, sensitive_features=data.sensitive_features).model_  # doctest: +ELLIPSIS
    TreeEnsemble(50 trees, ...)
    """

    accepts_bounds = ("rate",)

    _given: tuple[Any, Any] = (None, None)  # validation and dates, while fitting
    _learned: Learned | None = None

    constraints: FairnessConstraint | Iterable[FairnessConstraint] = ()
    method: Method = "signed"
    proxy: Proxy = "cross-entropy"
    multiplier_rate: float = 0.1
    backend: BackendName = "lightgbm"
    n_estimators: int = 100
    learning_rate: float = 0.1
    max_leaves: int = 31
    max_depth: int | None = None
    min_child_samples: int = 20
    booster: BoosterOptions | Mapping[str, Any] | None = None
    trends: Trends | None = None
    operating: Operating | Mapping[str, Any] | None = None
    held_out: HeldOutShare = "auto"
    early_stopping: int | None = None
    stopping_metric: Metric = "log-loss"
    class_weight: ClassWeight = None
    warm_start: bool = False
    explainer: str | Explainer | None = "reason-codes"
    reference_groups: dict[str, str] | None = None
    special_codes: SpecialCodes | None = None
    categorical: Sequence[str] = ()
    favourable: Any = None
    allow_protected: Sequence[str] = ()
    n_jobs: int = 1
    verbose: int = 0
    random_state: int = 0

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        sensitive_features: Any = None,
        sample_weight: Any = None,
        validation: Any = None,
        dates: Any = None,
    ) -> Self:
        """Learn a model.

        Parameters
        ----------
        X : (n, features) frame or array.
        y : (n,) outcomes.
        sensitive_features : (n, attributes) frame of protected attributes, a column each, or `Groups`; never needed to
            predict.
        sample_weight : (n,) weights of zero or more.
        validation : (X, y), (X, y, sensitive_features) or (X, y, sensitive_features, sample_weight) of other rows, used
            where held out rows would be.
        dates : (n,) when each row was, numbers, texts or times; held out are then the latest rows, so that the split is
            out of time.

        Raises
        ------
        InputError, KindError : data or options that cannot be used; the message names the column.
        """
        refuse_reordered(X, {"dates": dates})
        before = dict(self.__dict__)
        self._given = validation, dates
        try:
            super().fit(X, y, sensitive_features=sensitive_features, sample_weight=sample_weight)
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise
        del self._given
        assert self._learned is not None
        self.history_ = self._learned.history
        return self

    def learn(self, data: TrainingData) -> tuple[TreeEnsemble | Scorecard, Evidence]:
        bounds = self.bounds(self.constraints, data)
        boosted = self._boosted(data, bounds)
        warn_of_one_decision(bounds, boosted.approved)
        warn_of_broken(boosted.met.on_training, boosted.parts.rows, some_held_out=boosted.parts.held is not None)
        self._learned = boosted.learned
        return boosted.model, boosted.evidence

    def vary(self, data: TrainingData) -> Iterator[Alternative]:
        """Trees without constraints; with ever stricter ones; and smaller and fewer trees."""
        bounds = self.bounds(self.constraints, data)
        yield self._alternative(data, BASELINE, ())
        for allowance in ALLOWANCES if bounds else ():
            yield self._alternative(data, "bounded", allowing(bounds, allowance), {"allowance": allowance})
        if self.max_leaves > 2:
            yield self._alternative(data, "smaller-trees", bounds, max_leaves=max(self.max_leaves // 4, 2))
        if self.n_estimators > 1:
            yield self._alternative(data, "fewer-trees", bounds, n_estimators=self.n_estimators // 2)

    def approving(self, rate: float) -> Self:
        told = self.operating is not None or self.method != "signed"
        copy: Self = clone(self).set_params(**({} if told else {"operating": {"approval": rate}}))
        return copy

    def _alternative(
        self,
        data: TrainingData,
        method: str,
        bounds: Sequence[Bound],
        recipe: Mapping[str, float] | None = None,
        **options: int,
    ) -> Alternative:
        copy: Self = clone(self).set_params(**options)
        boosted = copy._boosted(data, bounds)
        parameters: FrozenMapping[Json] = FrozenMapping({**(recipe or {}), **options})
        return Alternative(method=method, parameters=parameters, model=boosted.model, evidence=boosted.evidence)

    def _boosted(self, data: TrainingData, bounds: Sequence[Bound]) -> Boosted:
        """Trees under bounds, and what is known of them."""
        options = as_options(self.booster, BoosterOptions, "booster") or BoosterOptions()
        inputs = booster_inputs(data.features, data.columns, categorical=self.categorical, min_share=options.rare_share)
        before = self._before(data)
        plan = self._plan(data, inputs, options, 0 if before is None else len(before.ensemble.trees))
        parts = self._parts(data, inputs, bounds, None if before is None else before.ensemble)
        rows, held = parts.rows, parts.held
        factors = class_factors(self.class_weight, data)
        base = log_odds(rows, factors) if before is None else before.ensemble.base_score
        with _naming_divergence(self.method):
            trained = run(
                plan,
                inputs,
                rows,
                held,
                bounds,
                factors,
                offset=base if before is None else 0.0,
                multipliers={} if before is None else before.multipliers,
            )
        trees = (() if before is None else before.ensemble.trees) + trained.boosted.trees
        bent = self.class_weight is not None or bool(trained.history.multipliers[: trained.history.kept].any())
        bent |= before is not None and before.ensemble.calibration != Calibration(slope=1.0)
        decided = decide(trained, rows, held, None if self.method != "signed" else plan.operating, bent)
        with _naming_divergence(self.method):
            ensemble = TreeEnsemble(
                outcome=data.outcome,
                features=inputs.read_by(trees),
                trees=trees,
                base_score=base,
                cutoff=decided.cutoff,
                calibration=decided.calibration,
            )
        met = bounds_met(bounds, decided, rows, held)
        multipliers = dict(zip(trained.history.names, trained.multipliers.tolist(), strict=True))
        metrics = {
            "trees": len(trees),
            "rounds_kept": trained.history.kept,
            "rows_held_out": parts.n_held,
            "held_out_rows": parts.to_json(),
            "multipliers": multipliers,
            "constraints": [each.to_dict() for each in met.on_training],
            "constraints_held_out": [each.to_dict() for each in met.on_held],
        }
        evidence = Evidence(
            model_sha256="",
            metrics=FrozenMapping({key: freeze(value) for key, value in metrics.items()}),
            search_log=trained.history.to_json() if trained.history.names else (),
        )
        return Boosted(
            model=with_statistics(scorecard_of(ensemble), data) if self.max_depth == 1 else ensemble,
            evidence=evidence,
            learned=Learned(backend=self.backend, ensemble=ensemble, multipliers=multipliers, history=trained.history),
            met=met,
            approved=decided.approved,
            parts=parts,
        )

    @classmethod
    def about_learning(cls, evidence: Evidence) -> Iterable[str]:
        return about_held_out(evidence)

    def own_decision(self, model: DecisionModel) -> str:
        if self.operating is not None and self.method == "signed":
            return "the operating point"
        bounded = isinstance(self.constraints, FairnessConstraint) or tuple(self.constraints) or self.operating
        if bounded:
            return "the cutoff at even odds, at which the bounds were kept in training"
        return "the cutoff at even odds of the weighed classes" if self.class_weight is not None else ""

    def completed(self, model: DecisionModel, evidence: Evidence, data: TrainingData) -> tuple[DecisionModel, Evidence]:
        """What was learned as a whole model; where no bound was kept, it decides as one without constraints does."""
        if evidence.metrics["constraints"] or not self.constraints:
            return super().completed(model, evidence, data)
        free: Self = clone(self).set_params(constraints=())
        return free.completed(model, evidence, data)

    def reasons_by(self, model: DecisionModel) -> str | Explainer | None:
        named = isinstance(self.explainer, str)  # the default one is for scorecards: many trees are too much for it
        return None if named and isinstance(model, TreeEnsemble) else self.explainer

    def randomised(self) -> RandomisedClassifier:
        """The randomised classifier of the last fit; Python only, and **not for credit decisions**."""
        refuse_unfitted(self)
        assert self._learned is not None
        ensemble, history = self._learned.ensemble, self._learned.history
        if len(history.thresholds) != len(ensemble.trees):
            raise InputError(
                "iterates are trees of one fit without early stopping, each with a split",
                where="randomised",
                got=f"{len(ensemble.trees)} trees of {len(history.thresholds)} rounds",
            )
        thresholds = np.append(history.thresholds[1:], ensemble.cutoff)
        return RandomisedClassifier(ensemble=ensemble, thresholds=thresholds, classes=self.classes_)

    def versions(self) -> dict[str, str]:
        return {self.backend: metadata.version(self.backend)}

    def _plan(self, data: TrainingData, inputs: BoosterInputs, options: BoosterOptions, n_trees: int) -> Plan:
        check_whole(self.n_estimators, "n_estimators", 1)
        check_whole(self.verbose, "verbose", 0)
        if n_trees > self.n_estimators:
            raise InputError(
                "the model to go on from has more trees",
                where="n_estimators",
                got=self.n_estimators,
                allowed=f"{n_trees} or more",
                fix="raise n_estimators, or set warm_start=False",
            )
        directions = directions_of(self.trends or {}, data, self.categorical, inputs.columns)
        if isinstance(self.explainer, str):
            registry().component(
                "explainer", self.explainer
            )  # told before the work, and for trees that will not need it, too
        return Plan(
            backend=self.backend,
            method=self.method,
            proxy=self.proxy,
            multiplier_rate=self.multiplier_rate,
            n_rounds=self.n_estimators - n_trees,
            trees_before=n_trees,
            operating=as_options(self.operating, Operating, "operating"),
            early_stopping=self.early_stopping,
            stopping_metric=self.stopping_metric,
            verbose=self.verbose,
            trees=TreeOptions(
                learning_rate=self.learning_rate,
                max_leaves=self.max_leaves,
                max_depth=self.max_depth,
                min_child_samples=self.min_child_samples,
                booster=options,
                directions=directions,
                n_jobs=self.n_jobs,
                seed=self.random_state,
            ),
        )

    def _parts(
        self, data: TrainingData, inputs: BoosterInputs, bounds: Sequence[Bound], before: TreeEnsemble | None
    ) -> Parts:
        """Rows to grow trees on, and others."""
        validation, dates = self._given
        return Parts.of(
            training_rows(data, inputs, before),
            bounds if self.method == "signed" else (),
            None if validation is None else validation_rows(validation, data, inputs, before, self.reference_groups),
            wanted=self.held_out,
            dates=dates,
            stopping=self.early_stopping is not None,
            seed=self.random_state,
        )

    def _before(self, data: TrainingData) -> Learned | None:
        """The last fit, where this one is to go on from it."""
        if not self.warm_start or self._learned is None:
            return None
        if self._learned.backend != self.backend:
            raise InputError(
                "the trees to go on from are another backend's",
                where="backend",
                got=self.backend,
                allowed=repr(self._learned.backend),
                fix="go on with it, or set warm_start=False",
            )
        ensemble = self._learned.ensemble
        if ensemble.outcome != data.outcome or not set(ensemble.features) <= set(data.features):
            raise InputError(
                "features or classes are not those of the fit to go on from",
                where="warm_start",
                fix="fit the same columns and classes, or set warm_start=False",
            )
        return self._learned


@contextmanager
def _naming_divergence(method: Method) -> Iterator[None]:
    """Scores beyond what a model can hold are what the paper's method does where it diverges."""
    try:
        yield
    except ModelError as error:
        if method == "signed":
            raise
        raise InputError(
            "the multipliers made the scores run away, beyond what a model can hold",
            where=f"method={method!r}",
            got=error.got,
            fix="use method='signed', or a smaller multiplier_rate, or a slack above 0",
        ) from error
