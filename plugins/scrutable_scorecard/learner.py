"""The classical scorecard: binning, logistic regression, points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import BinTable, build_scorecard, centred, refuse_policies
from scrutable.data import TrainingData
from scrutable.errors import InputError
from scrutable.errors.checks import options_or_default
from scrutable.measures import REGRESSION_FIGURES
from scrutable.measures.numerics import Block, fit_binned_logistic, one_hot_block, woe_block
from scrutable.model import Evidence, FrozenMapping, Scaling, Scorecard
from scrutable.plugins import SELECTION, NotNegative, Selection
from scrutable.plugins.bases import Binner, Candidates, Explainer, Learner, Selector, estimator, selector_of
from scrutable_scorecard.encoding import binner_of, following_trend
from scrutable_scorecard.figures import attribute_figures, woe_figures


@estimator
class ScorecardClassifier(Learner):
    """A logistic scorecard on binned characteristics.

    Characteristics are selected first, by the rows that are learned from alone. With `encoding="woe"` each has one
    coefficient, never negative, on the weight of evidence of its attributes; with "one-hot" each attribute has points
    of its own. Either way points follow the binner's trends exactly. Missing values and special codes under a policy
    have the points of the WoE that it says: 0 for "neutral"; those of the bin, or the fewest of any interval or
    category, for "with" and "worst". One-hot encoding refuses them.

    Parameters
    ----------
    binner : name of a registered binner, or a `Binner` with options.
    encoding : "woe" or "one-hot".
    select : what selects characteristics: the name of a selector, alone or with options, as in "iv:floor=0.1"; a
        `Selector`; or None to keep all.
    ridge : penalty on the attributes' squared log-odds; keeps attributes with only good or only bad rows finite.
    scaling : PDO, base score, base odds and rounding of the points.
    cutoff, approval_rate, explainer, favourable, allow_protected : as in `Learner`.

    References
    ----------
    Siddiqi, N. (2006). Credit Risk Scorecards. Wiley. Chapter 6: initial scorecard and scaling.

    Examples
    --------
    >>> from scrutable.data.datasets import load_german_credit
    >>> german = load_german_credit()
    >>> learner = ScorecardClassifier(binner="quantile").fit(german.X, german.y)
    >>> float((learner.predict(german.X) == "good").mean()), float((german.y == "good").mean())
    (0.7, 0.7)
    >>> float(learner.score(german.X, german.y)) > 0.75
    True
    """

    binner: str | Binner = "optimal"
    encoding: Literal["woe", "one-hot"] = "woe"
    select: str | Selector | None = "standard"
    ridge: NotNegative = 1e-5
    scaling: Scaling | Mapping[str, Any] | None = None
    cutoff: float | None = None
    approval_rate: float | None = None
    explainer: str | Explainer | None = "reason-codes"
    favourable: Any = None
    allow_protected: Sequence[str] = ()

    def read(self, X: Any, y: Any, *, sensitive_features: Any, sample_weight: Any) -> TrainingData:
        binner = binner_of(self.binner)
        data: TrainingData = binner.read(
            X,
            y,
            sensitive_features=sensitive_features,
            sample_weight=sample_weight,
            allow_protected=self.allow_protected,
            favourable=binner.favourable if self.favourable is None else self.favourable,
        )
        return data

    def learn(self, data: TrainingData) -> tuple[Scorecard, Evidence]:
        if self.encoding not in ("woe", "one-hot"):
            raise InputError("unknown encoding", where="encoding", got=self.encoding, allowed="'woe' or 'one-hot'")
        scaling = options_or_default(self.scaling, Scaling, "scaling")
        binning = binner_of(self.binner).bin(data)
        if self.encoding == "one-hot":
            refuse_policies(binning.tables, "the encoding 'one-hot'")
        index = {table.feature.name: table.index(data.columns[table.feature.name]) for table in binning.tables}
        selection = self._selected(binning.tables, index, data)
        kept = index if selection is None else selection.kept
        tables = [table for table in binning.tables if table.feature.name in kept]
        woe = [following_trend(table.woe, table) for table in tables]
        blocks = [self._block(table, own, index[table.feature.name]) for table, own in zip(tables, woe, strict=True)]
        fit = fit_binned_logistic(blocks, data.good, weight=data.weight, ridge=self.ridge)
        if self.encoding == "woe":
            figures = woe_figures(data, tables, woe, fit, self.ridge)
        else:
            figures = attribute_figures(data, tables, fit, self.ridge)
        intercept, values = centred(fit.values, tables, fit.intercept)
        model = build_scorecard(data.outcome, tables, intercept, values, scaling)
        metrics = {REGRESSION_FIGURES: figures.to_json()}
        record = binning.to_json()
        if selection is not None:
            metrics[SELECTION] = selection.to_json()
            record = selection.recorded(record)
        return model, Evidence(model_sha256="", binning=record, metrics=FrozenMapping(metrics))

    def versions(self) -> dict[str, str]:
        return binner_of(self.binner).versions()

    def _selected(
        self, tables: Sequence[BinTable], index: Mapping[str, NDArray[np.intp]], data: TrainingData
    ) -> Selection | None:
        selector = selector_of(self.select)
        if selector is None:
            return None
        woe = [following_trend(table.woe, table) for table in tables]
        return selector.select(Candidates.of(tables, [*index.values()], woe, data))

    def _block(self, table: BinTable, woe: NDArray[np.float64], index: NDArray[np.intp]) -> Block:
        if self.encoding == "woe":
            return woe_block(index, woe, sign="positive")
        return one_hot_block(index, len(table.conditions), trend=table.direction, ordered=table.ordered)
