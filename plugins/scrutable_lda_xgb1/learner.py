"""LDA-XGB1: pre-bins by stumps, merging under a fairness bound, monotone binning logistic regression."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from scrutable import registry
from scrutable.binning import Binning, Trends, build_scorecard, centred, warn_of_mixed
from scrutable.data import SpecialCodes, TrainingData, read_training
from scrutable.errors import InputError
from scrutable.errors.checks import options_or_default
from scrutable.model import Evidence, FrozenMapping, Json, Scaling, Scorecard, freeze
from scrutable.plugins import SELECTION, NotNegative
from scrutable.plugins.bases import (
    Alternative,
    Binner,
    Explainer,
    FairnessConstraint,
    Learner,
    Needs,
    Selector,
    estimator,
    selector_of,
)
from scrutable_lda_xgb1.binners import started
from scrutable_lda_xgb1.contrast import Contrast, contrasts_of
from scrutable_lda_xgb1.options import MergeOptions
from scrutable_lda_xgb1.study import Solver, Study
from scrutable_lda_xgb1.sweep import Candidate, Sweep, candidates, fitted


@estimator
class LDAXGB1Classifier(Learner):
    """A monotone scorecard whose characteristics each tell little about the group.

    Boosted stumps cut each feature into pre-bins; pre-bins are merged for the highest information value about the
    outcome among all merges whose fairness information value keeps to the bounds (exact for the pre-bins given,
    `min_share`, `min_events`, `max_bins` and the trends); a logistic regression with a value for each merged bin,
    monotone where a trend is asked for, gives the points. A characteristic that would break a bound by its missing or
    special values alone, or of which one bin is left, is left out of the model and named in the evidence; if bounds
    leave none, `fit` raises InputError.

    `alternatives` makes the candidates of a search for less discriminatory alternatives: the sweep of the paper, a
    joint budget over the features, and regressions on unmerged pre-bins that pay for the gap between the groups' mean
    scores. It sets the bounds itself, so it takes no constraints.

    Parameters
    ----------
    constraints : one or more fairness constraints that bound divergences, for example `fairness-information-value`.
    binner : what makes the pre-bins, as a name or a binner; `xgb1` are the paper's boosted stumps.
    select : what selects, as in the learner `scorecard`, among characteristics that tell something within the bounds;
        None keeps all.
    trends, special_codes, categorical : as in `Binner`; those of `binner` where None or empty.
    min_share : smallest share of applicants in a bin.
    min_events : fewest good and fewest bad applicants in a bin, by weight; 0 allows pure bins.
    max_bins : most bins of a feature, missing and special ones not counted; any number when None.
    solver : how bins are merged, "labels" (dynamic programming) or "milp" (the paper's mixed-integer program, by CBC);
        both give the same bins, the second slowly.
    ridge : penalty on the attributes' squared log-odds; keeps separated attributes finite.
    sweep : what `alternatives` tries, as a `Sweep` or a mapping of its options.
    reference_groups : reference label by protected attribute; the largest group where none is named.
    scaling : as in the learner `scorecard`.
    cutoff, approval_rate, explainer, favourable, allow_protected : as in `Learner`.

    References
    ----------
    Pangia, A., Sudjianto, A., Zhang, A., Khan, T. Less Discriminatory Alternative and Interpretable XGBoost Framework
    for Binary Classification. Algorithm 1, equations (2) to (7).

    Examples
    --------
    >>> import scrutable
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(2000, seed=1)
    >>> bound = scrutable.create("constraint", "fairness-information-value", bound=0.05)
    >>> learner = LDAXGB1Classifier(constraints=[bound], favourable=data.favourable)
    >>> model = learner.fit(data.X, data.y, sensitive_features=data.sensitive_features).model_
    >>> max(learner.evidence_.metrics["fairness_information_value"].values()) <= 0.05
    True
    """

    needs: ClassVar[Needs] = "codes"

    accepts_bounds = ("divergence",)

    constraints: FairnessConstraint | Iterable[FairnessConstraint] = ()
    binner: str | Binner = "xgb1"
    select: str | Selector | None = None
    trends: Trends | None = None
    min_share: float = 0.05
    min_events: float = 0.0
    max_bins: int | None = None
    solver: Solver = "labels"
    ridge: NotNegative = 1e-4
    sweep: Sweep | Mapping[str, Any] | None = None
    reference_groups: dict[str, str] | None = None
    special_codes: SpecialCodes | None = None
    categorical: Sequence[str] = ()
    scaling: Scaling | Mapping[str, Any] | None = None
    cutoff: float | None = None
    approval_rate: float | None = None
    explainer: str | Explainer | None = "reason-codes"
    favourable: Any = None
    allow_protected: Sequence[str] = ()

    def read(self, X: Any, y: Any, *, sensitive_features: Any, sample_weight: Any) -> TrainingData:
        binner = self._binner()
        return read_training(
            X,
            y,
            sensitive_features=sensitive_features,
            sample_weight=sample_weight,
            special_codes=binner.special_codes,
            categorical=binner.categorical,
            favourable=binner.favourable if self.favourable is None else self.favourable,
            allow_protected=self.allow_protected,
            reference_groups=self.reference_groups,
        )

    def learn(self, data: TrainingData) -> tuple[Scorecard, Evidence]:
        contrasts = contrasts_of(self.bounds(self.constraints, data), data)
        study = self._study(data, contrasts)
        merged = study.merged()
        if contrasts and not merged.binned and (study.selection is None or not study.selection.considered):
            raise InputError(
                "no characteristic is left: each tells nothing about the outcome unless it breaks a bound",
                where="constraints",
                got=", ".join(f"{contrast.bound:g}" for contrast in contrasts),
                allowed="bounds that leave a characteristic of two attributes or more",
                fix="loosen the bound, or lower min_share",
            )
        warn_of_mixed(study.tables(merged), data, self)
        return self._assembled(fitted("bounded", {}, merged, study, self.ridge), study)

    def vary(self, data: TrainingData) -> Iterator[Alternative]:
        sweep = options_or_default(self.sweep, Sweep, "sweep")
        if isinstance(self.constraints, FairnessConstraint) or tuple(self.constraints):
            raise InputError(
                "a search sets the bounds itself",
                where="constraints",
                got=self.constraints,
                fix="leave the constraints out; `sweep` says which bounds are tried, and on which rows",
            )
        # Bounds that nothing exceeds, to learn which groups are large enough to be compared.
        widest = registry().create("constraint", "fairness-information-value", bound=1e300, rows=sweep.rows)
        contrasts = contrasts_of(self.bounds(widest, data), data)
        if not contrasts:
            raise InputError(
                "no group is large enough to be compared",
                where="sensitive_features",
                allowed=f"two groups of {widest.min_group_size} rows or more",
                fix="merge small groups",
            )
        study = self._study(data, contrasts)
        for candidate in candidates(study, sweep, self.ridge):
            model, evidence = self._assembled(candidate, study)
            parameters: FrozenMapping[Json] = FrozenMapping(candidate.parameters)
            yield Alternative(method=candidate.method, parameters=parameters, model=model, evidence=evidence)

    def versions(self) -> dict[str, str]:
        return self._binner().versions()

    def _binner(self) -> Binner:
        return started(self.binner, trends=self.trends, special_codes=self.special_codes, categorical=self.categorical)

    def _study(self, data: TrainingData, contrasts: Sequence[Contrast]) -> Study:
        options = MergeOptions(min_share=self.min_share, min_events=self.min_events, max_bins=self.max_bins)
        binner = self._binner()
        study = Study.of(data, binner, contrasts, options, self.solver)
        return study.selected(selector_of(self.select, binner.edits))

    def _assembled(self, candidate: Candidate, study: Study) -> tuple[Scorecard, Evidence]:
        """The scorecard of a candidate, and what is known of it."""
        data, tables = study.data, [binned.table for binned in candidate.merged.binned]
        intercept, values = centred(candidate.fit.values, tables, candidate.fit.intercept)
        model = build_scorecard(
            data.outcome, tables, intercept, values, options_or_default(self.scaling, Scaling, "scaling")
        )
        record = Binning(tables=tuple(tables), audit=study.audit).to_json()
        if study.selection is not None:
            record = study.selection.recorded(record)
        return model, Evidence(model_sha256="", binning=record, metrics=_metrics(candidate, study))


def _metrics(candidate: Candidate, study: Study) -> FrozenMapping[Json]:
    fiv = {
        binned.table.feature.name: _finite(max(contrast.fiv(binned.counted) for contrast in study.contrasts))
        for binned in candidate.merged.binned
        if study.contrasts
    }
    gaps = {contrast.name: gap for contrast, gap in zip(study.contrasts, candidate.fit.gaps, strict=True)}
    left_out = candidate.merged.left_out
    told = {} if study.selection is None else {SELECTION: study.selection.to_json()}
    metrics = {"fairness_information_value": freeze(fiv), "score_gap": freeze(gaps), "left_out": left_out}
    return FrozenMapping({**metrics, **told})


def _finite(value: float) -> float | None:
    """None for a value without bound: an attribute that rows of one group only have."""
    return value if np.isfinite(value) else None
