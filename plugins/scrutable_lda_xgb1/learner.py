"""LDA-XGB1: pre-bins by stumps, merging under a fairness bound, monotone binning logistic regression."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import xgboost

from scrutable.bases.constraint import FairnessConstraint
from scrutable.bases.explainer import Explainer
from scrutable.bases.learner import Learner, add_reasons
from scrutable.binning import Binning, BinTable, Trend, categories, intervals, tabulate
from scrutable.errors import InputError
from scrutable.model import Evidence, FrozenMapping, Scaling, Scorecard
from scrutable.model.values import freeze
from scrutable.numerics.binned_logistic import fit_binned_logistic
from scrutable.numerics.blocks import one_hot_block
from scrutable.scorecards import build_scorecard, centred, set_cutoff
from scrutable.training import SpecialCodes, TrainingData, read_training
from scrutable.trends import Trends, check_trends
from scrutable_lda_xgb1.bins import merged_borders
from scrutable_lda_xgb1.contrast import Contrast, contrasts_of
from scrutable_lda_xgb1.prebins import Boosting, Ranked, rank_values, stump_cuts


class LDAXGB1Classifier(Learner):
    """A monotone scorecard whose characteristics each tell little about the group.

    Boosted stumps cut each feature into pre-bins; pre-bins are merged for the highest information value about the
    outcome among all merges whose fairness information value keeps to the bounds (exact for the pre-bins that the
    stumps give, `min_share` and the trends); a logistic regression with a value
    for each merged bin, monotone where a trend is asked for, gives the points. A characteristic that would break a
    bound by its missing or special values alone, or of which one bin is left, is left out of the model and named in
    the evidence; if bounds leave none, `fit` raises InputError. Merging takes longest where several bounds bind, bins
    may be small and pre-bins are many: `Boosting(max_bin=...)` makes fewer.

    Parameters
    ----------
    constraints : one or more fairness constraints that bound divergences, for example `fairness-information-value`.
    trends : "ascending" or "descending" by numeric feature: how points may move as the value rises.
    min_share : smallest share of applicants in a bin.
    rare_share : categories seen less often than this share of the applicants are kept together.
    boosting : options of the stump boosting; the paper's when None.
    ridge : penalty on the attributes' squared log-odds; keeps separated attributes finite.
    reference_groups : reference label by protected attribute; the largest group where none is named.
    special_codes, categorical : as in `Binner`.
    scaling, cutoff, approval_rate, explainer : as in the learner `scorecard`.
    random_state : seed of the boosting.
    favourable, allow_protected : as in `Learner`.

    References
    ----------
    Pangia, A., Sudjianto, A., Zhang, A., Khan, T. Less Discriminatory Alternative and Interpretable XGBoost Framework
    for Binary Classification. Algorithm 1, equations (2) to (7).

    Examples
    --------
    >>> import scrutable
    >>> from scrutable.datasets import make_credit
    >>> data = make_credit(2000, seed=1)
    >>> bound = scrutable.create("constraint", "fairness-information-value", bound=0.05)
    >>> learner = LDAXGB1Classifier(constraints=[bound], favourable=data.favourable)
    >>> model = learner.fit(data.X, data.y, sensitive_features=data.sensitive_features).model_
    >>> max(learner.evidence_.metrics["fairness_information_value"].values()) <= 0.05
    True
    """

    accepts_bounds = ("divergence",)

    def __init__(
        self,
        *,
        constraints: FairnessConstraint | Iterable[FairnessConstraint] = (),
        trends: Trends | None = None,
        min_share: float = 0.05,
        rare_share: float = 0.01,
        boosting: Boosting | None = None,
        ridge: float = 1e-4,
        reference_groups: dict[str, str] | None = None,
        special_codes: SpecialCodes | None = None,
        categorical: Sequence[str] = (),
        scaling: Scaling | None = None,
        cutoff: float | None = None,
        approval_rate: float | None = None,
        explainer: str | Explainer | None = "reason-codes",
        random_state: int = 0,
        favourable: Any = None,
        allow_protected: Any = (),
    ) -> None:
        self.constraints = constraints
        self.trends = trends
        self.min_share = min_share
        self.rare_share = rare_share
        self.boosting = boosting
        self.ridge = ridge
        self.reference_groups = reference_groups
        self.special_codes = special_codes
        self.categorical = categorical
        self.scaling = scaling
        self.cutoff = cutoff
        self.approval_rate = approval_rate
        self.explainer = explainer
        self.random_state = random_state
        self.favourable = favourable
        self.allow_protected = allow_protected

    def read(self, X: Any, y: Any, *, sensitive_features: Any, sample_weight: Any) -> TrainingData:
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
        )

    def learn(self, data: TrainingData) -> tuple[Scorecard, Evidence]:
        trends = dict(self.trends or {})
        check_trends(trends, data, self.categorical)
        contrasts = contrasts_of(self.bounds(self.constraints, data), data)
        tables, left_out = self._merged(data, contrasts, trends)
        if contrasts and not tables:
            raise InputError(
                "no characteristic is left: each tells nothing about the outcome unless it breaks a bound",
                where="constraints",
                got=", ".join(f"{contrast.bound:g}" for contrast in contrasts),
                allowed="bounds that leave a characteristic of two attributes or more",
                fix="loosen the bound, or lower min_share",
            )
        blocks = [
            one_hot_block(
                table.index(data.columns[table.feature.name]),
                len(table.conditions),
                trend=table.trend,
                ordered=table.ordered,
            )
            for table in tables
        ]
        fit = fit_binned_logistic(blocks, data.good, weight=data.weight, ridge=self.ridge)
        intercept, values = centred(fit.values, tables, fit.intercept)
        model = build_scorecard(data.outcome, tables, intercept, values, self.scaling or Scaling())
        model = set_cutoff(model, data, self.cutoff, self.approval_rate)
        return add_reasons(model, data, self.explainer), self._evidence(tables, left_out, data, contrasts)

    def versions(self) -> dict[str, str]:
        return {"xgboost": xgboost.__version__}

    def _merged(
        self, data: TrainingData, contrasts: Sequence[Contrast], trends: Trends
    ) -> tuple[list[BinTable], list[str]]:
        """Tables of the features that are kept, and names of those left out."""
        ranked = [rank_values(f, data.columns[f.name], data, self.categorical, self.rare_share) for f in data.features]
        cuts = stump_cuts(ranked, data, trends, self.boosting or Boosting(), self.random_state)
        tables, left_out = [], []
        for feature, borders in zip(ranked, cuts, strict=True):
            trend = trends.get(feature.feature.name)
            merged = merged_borders(feature, borders, data, contrasts, self.min_share, trend)
            table = None if merged is None else _tabulate(feature, merged, data, trend)
            if table is None or sum(statistics.count > 0 for statistics in table.statistics) < 2:
                left_out.append(feature.feature.name)
            else:
                tables.append(table)
        return tables, left_out

    @staticmethod
    def _evidence(
        tables: Sequence[BinTable], left_out: list[str], data: TrainingData, contrasts: Sequence[Contrast]
    ) -> Evidence:
        fiv = {
            table.feature.name: max(
                (contrast.fiv(table.index(data.columns[table.feature.name])) for contrast in contrasts), default=0.0
            )
            for table in tables
        }
        metrics = FrozenMapping({"fairness_information_value": freeze(fiv), "left_out": freeze(left_out)})
        return Evidence(model_sha256="", binning=Binning(tables=tuple(tables)).to_json(), metrics=metrics)


def _tabulate(feature: Ranked, borders: Sequence[int], data: TrainingData, trend: Trend | None) -> BinTable:
    ends = [0, *borders, len(feature.levels)]
    column = data.columns[feature.feature.name]
    if feature.nominal:
        groups = [list(itertools.chain(*feature.levels[low:high])) for low, high in itertools.pairwise(ends)]
        conditions = categories([group for group in groups if group], feature.feature)
    else:
        conditions = intervals([float(feature.levels[border]) for border in borders], feature.feature)
    return tabulate(feature.feature, conditions, column, data.good, data.weight, trend)
