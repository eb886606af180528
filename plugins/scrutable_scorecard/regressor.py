"""The regression scorecard: binning, means of the target, linear regression, points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import MeanTable, build_regression_scorecard, centred, refuse_unit
from scrutable.data import QuantityData
from scrutable.measures import REGRESSION_FIGURES
from scrutable.measures.numerics import spread_of
from scrutable.model import Evidence, FrozenMapping, RegressionScorecard, freeze
from scrutable.plugins import SELECTION, Limits, NotNegative
from scrutable.plugins.bases import Binner, Candidates, RegressionLearner, Selector, estimator, selector_of
from scrutable_scorecard.encoding import binner_of, following_trend
from scrutable_scorecard.figures import mean_figures
from scrutable_scorecard.least_squares import fit_least_squares


@estimator
class ScorecardRegressor(RegressionLearner):
    """A scorecard for a quantity, such as loss given default: base points and points add up to the prediction.

    Each attribute is encoded as the mean of the target among its training rows, and each characteristic has one
    coefficient on that, by default never negative: where the target was higher, there are more points. Points follow
    the binner's trends exactly. A characteristic is worth 0 points on average, and attributes never seen are worth 0.

    Parameters
    ----------
    binner : name of a registered binner that bins for a quantity, or a `Binner` with options.
    select : what selects characteristics, as in the learner `scorecard`; None keeps all. Selectors that need two
        classes, as `iv` does, are refused. Coefficients of 0 or above are asked for.
    ridge : penalty on the squared coefficients, in units of the target's variance.
    smoothing : as many applicants with the overall mean are added to each attribute, so that small ones say less.
    positive : whether coefficients are held at 0 or above; those of characteristics under a trend always are.
    decimals : of the points, 0 to 6; all of them when None.
    unit : what the target is measured in, for people.
    allow_protected : as in `RegressionLearner`.

    References
    ----------
    Optimal Counterfactual Explanations for Scorecard modelling, section 2.2.3: scorecards for a continuous target.

    Examples
    --------
    >>> ltv = np.arange(200) / 100
    >>> loss = np.maximum(0, ltv - 0.8)
    >>> learner = ScorecardRegressor(binner="quantile").fit({"ltv": ltv}, loss)
    >>> learner.model_.outcome.target, round(learner.score({"ltv": ltv}, loss), 2)
    ('outcome', 0.99)
    """

    binner: str | Binner = "optimal"
    select: str | Selector | None = None
    ridge: NotNegative = 1e-4
    smoothing: NotNegative = 0.0
    positive: bool = True
    decimals: Annotated[int, Limits(0, 6)] | None = None
    unit: str = ""
    allow_protected: Sequence[str] = ()

    def read(self, X: Any, y: Any, *, sensitive_features: Any, sample_weight: Any) -> QuantityData:
        return binner_of(self.binner).read_quantity(
            X,
            y,
            sensitive_features=sensitive_features,
            sample_weight=sample_weight,
            allow_protected=self.allow_protected,
        )

    def learn(self, data: QuantityData) -> tuple[RegressionScorecard, Evidence]:
        refuse_unit(data)
        binning = binner_of(self.binner).bin_quantity(data)
        rows = data.coded([table.coding for table in binning.tables])
        overall = spread_of(rows).mean
        tables, encoded = binning.tables, [self._encoded(table, overall) for table in binning.tables]
        selector = selector_of(self.select, binner_of(self.binner).edits)
        selection = None if selector is None else selector.select(Candidates.of(tables, rows, encoded, data))
        if selection is not None:
            kept = [place for place, table in enumerate(tables) if table.feature.name in selection.kept]
            tables, encoded = tuple(tables[each] for each in kept), [encoded[each] for each in kept]
            rows = rows.only(kept)
        lower = [0.0 if self.positive or table.trend else -np.inf for table in tables]
        slopes = fit_least_squares(rows, encoded, np.array(lower), ridge=self.ridge)
        figures = mean_figures(rows, tables, encoded, slopes, lower, self.ridge)
        values = [slope * column for slope, column in zip(slopes, encoded, strict=True)]
        intercept, values = centred(values, tables, overall)
        quantity = replace(data.outcome, unit=self.unit)
        model = build_regression_scorecard(quantity, tables, intercept, values, self.decimals)
        by_name = {table.feature.name: slope for table, slope in zip(tables, slopes.tolist(), strict=True)}
        told = {} if figures is None else {REGRESSION_FIGURES: figures.to_json()}
        metrics, record = {"coefficients": freeze(by_name), **told}, binning.to_json()
        if selection is not None:
            metrics[SELECTION] = selection.to_json()
            record = selection.recorded(record)
        return model, Evidence(model_sha256="", binning=record, metrics=FrozenMapping(metrics))

    def versions(self) -> dict[str, str]:
        return binner_of(self.binner).versions()

    def _encoded(self, table: MeanTable, overall: float) -> NDArray[np.float64]:
        """(attributes,) mean of each attribute, less the overall one; it follows the trend."""
        count = table.counts_pooled
        kept = np.divide(count, count + self.smoothing, out=np.zeros(len(count)), where=count > 0)
        return following_trend(table.valued(kept * (table.means_used - overall)), table)
