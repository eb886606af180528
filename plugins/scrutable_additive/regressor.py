"""The learner `additive-regressor`: a quantity by a card that is fitted as one problem, then merged to few steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from scrutable.binning import BentTrends, MeanBinning, build_regression_scorecard, refuse_unit
from scrutable.data import QuantityData, SpecialCodes
from scrutable.model import Evidence, RegressionScorecard
from scrutable.plugins import Count, Limits, NotNegative
from scrutable.plugins.bases import Binner, RegressionLearner, estimator
from scrutable_additive.families import Gaussian
from scrutable_additive.fitting import fine_binner, fitted, refuse_unknown_must
from scrutable_additive.problem import Problem
from scrutable_additive.scale import QuantityScale
from scrutable_additive.sentences import about_each, about_path


@estimator
class AdditiveRegressor(RegressionLearner):
    """A scorecard of few steps for a quantity, such as loss given default; base points and points add up to it.

    It is fitted as by `AdditiveClassifier`, with squared error instead of log-loss: the likelihood is that of a normal
    distribution about the prediction, whose variance is estimated together with the strengths of the penalties.

    Parameters
    ----------
    keep : share of the variance of the dense fit's predictions that the card keeps at least.
    steps, max_steps, max_characteristics, shape, trends, must, min_count : as in `AdditiveClassifier`.
    binner : what makes the fine bins, as a name or a binner that bins for a quantity. Features of which it is told
        cuts, groups or edits keep exactly these attributes.
    special_codes, categorical : as in `Binner`; those of `binner` where None or empty.
    decimals : of the points, 0 to 6, which are rounded together, so that they lose least; all of them when None.
    unit : what the target is measured in, for people.
    allow_protected : as in `RegressionLearner`.

    References
    ----------
    Wood, S., Fasiolo, M. (2017). A generalized Fellner-Schall method for smoothing parameter optimization with
    application to Tweedie location, scale and shape models. Biometrics 73(4). Equation (4).

    Examples
    --------
    >>> ltv = [at / 200 for at in range(400)]
    >>> loss = [max(0, each - 0.8) for each in ltv]
    >>> learner = AdditiveRegressor(max_steps=12).fit({"ltv": ltv}, loss)
    >>> learner.model_.outcome.target, learner.score({"ltv": ltv}, loss) > 0.99
    ('outcome', True)
    """

    keep: Annotated[float, Limits(0, 1)] = 0.995
    steps: Count | None = None
    max_steps: Count | None = None
    max_characteristics: Count | None = None
    shape: Literal["auto", "free"] = "auto"
    trends: BentTrends | None = None
    must: Sequence[str] = ()
    min_count: NotNegative = 10
    binner: str | Binner = "fine"
    special_codes: SpecialCodes | None = None
    categorical: Sequence[str] = ()
    decimals: Annotated[int, Limits(0, 6)] | None = None
    unit: str = ""
    allow_protected: Sequence[str] = ()

    def read(self, X: Any, y: Any, *, sensitive_features: Any, sample_weight: Any) -> QuantityData:
        return fine_binner(self).read_quantity(
            X,
            y,
            sensitive_features=sensitive_features,
            sample_weight=sample_weight,
            allow_protected=self.allow_protected,
        )

    def learn(self, data: QuantityData) -> tuple[RegressionScorecard, Evidence]:
        refuse_unit(data)
        refuse_unknown_must(self.must, data)
        problem = Problem.of_quantity(data, fine_binner(self), self.must, self.trends)
        family = problem.rows.family
        assert isinstance(family, Gaussian)
        scale = QuantityScale(family.centre, family.unit, self.decimals)
        fit = fitted(problem, self, scale, [feature.name for feature in data.features])
        base, values = family.centre + family.unit * fit.base, [family.unit * own for own in fit.card.values]
        quantity = replace(data.outcome, unit=self.unit)
        model = build_regression_scorecard(quantity, fit.card.tables, base, values, self.decimals)
        binning = MeanBinning(tables=fit.card.tables, audit=fit.audit).to_json()
        return model, Evidence(model_sha256="", binning=binning, metrics=fit.entries(model, "additive-regressor"))

    @classmethod
    def about_learning(cls, evidence: Evidence) -> Iterable[str]:
        return about_path(evidence)

    @classmethod
    def about_characteristics(cls, evidence: Evidence) -> Mapping[str, str]:
        return about_each(evidence)

    def versions(self) -> dict[str, str]:
        return fine_binner(self).versions()
