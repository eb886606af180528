"""The learner `risk-score`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from scrutable import create
from scrutable.binning import BinTable, refuse_policies
from scrutable.data import TrainingData
from scrutable.errors import InputError
from scrutable.model import Attribute, Calibration, Characteristic, Evidence, Scorecard
from scrutable.plugins.bases import Binner, Explainer, Learner

from scrutable_risk_score.patterns import Integers, Patterns
from scrutable_risk_score.points import Shape
from scrutable_risk_score.search import Search

#: Decimals of intercept and multiplier, fewer than they are found to, so that every machine finds the same.
_DIGITS = 9


class RiskScoreClassifier(Learner):
    """A risk score: few characteristics, and integer points that can be added up in the head.

    The log loss of the integer score itself is minimised by coordinate descent over the attributes that a binner makes.
    The score becomes a probability by an intercept and a multiplier, which are found exactly. The search is a local
    one: no other points of a single characteristic, and no exchange of one for another, would lower the loss.

    Parameters
    ----------
    binner : name of a registered binner, or a `Binner` with options; points follow its trends.
    max_points : largest points of an attribute, of either sign.
    max_characteristics : largest number of characteristics.
    cutoff : in points; the one that approves the training share of good outcomes when None.
    explainer : the explainer that sets the reason policy, or its name; None for a model without reasons.
    favourable, allow_protected : as in `Learner`.

    References
    ----------
    Liu, J., Zhong, C., Li, B., Seltzer, M. and Rudin, C. (2022). FasterRisk: Fast and Accurate Interpretable Risk
    Scores. NeurIPS 35.
    Ustun, B. and Rudin, C. (2019). Learning Optimized Risk Scores. Journal of Machine Learning Research 20(150).

    Examples
    --------
    >>> from scrutable.data.datasets import load_german_credit
    >>> german = load_german_credit()
    >>> learner = RiskScoreClassifier(max_characteristics=3).fit(german.X, german.y)
    >>> [item.feature for item in learner.model_.characteristics]
    ['checking_status', 'duration_months', 'purpose']
    >>> points = [each.points for item in learner.model_.characteristics for each in item.attributes]
    >>> all(value == int(value) and abs(value) <= 5 for value in points)
    True
    """

    def __init__(
        self,
        *,
        binner: str | Binner = "quantile",
        max_points: int = 5,
        max_characteristics: int = 10,
        cutoff: float | None = None,
        explainer: str | Explainer | None = "reason-codes",
        favourable: Any = None,
        allow_protected: Sequence[str] = (),
    ) -> None:
        self.binner = binner
        self.max_points = max_points
        self.max_characteristics = max_characteristics
        self.cutoff = cutoff
        self.explainer = explainer
        self.favourable = favourable
        self.allow_protected = allow_protected

    def read(self, X: Any, y: Any, *, sensitive_features: Any, sample_weight: Any) -> TrainingData:
        binner = self._binner()
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
        for option, most in (("max_points", 1000), ("max_characteristics", 1000)):
            _check_whole(option, getattr(self, option), most)
        binning = self._binner().bin(data)
        tables = binning.tables
        refuse_policies(tables, type(self).__name__)  # each attribute gets points of its own
        columns = [table.index(data.columns[table.feature.name]) for table in tables]
        patterns = Patterns.of(columns, [len(table.conditions) for table in tables], data.good, data.weight)
        shapes = [Shape(table.trend, tuple(table.ordered)) for table in tables]
        evidence = max(abs(statistics.woe) for table in tables for statistics in table.statistics)
        found = Search(patterns, shapes, self.max_points, self.max_characteristics).best(evidence)
        intercept, slope = round(found.line.intercept, _DIGITS), round(found.line.slope, _DIGITS)
        kept = [(tables[position], found.points[position]) for position in sorted(found.points)]
        model = Scorecard(
            outcome=data.outcome,
            features=tuple(table.feature for table, _ in kept),
            characteristics=tuple(_characteristic(table, its) for table, its in kept),
            base_points=0,
            cutoff=math.ceil(-intercept / slope),  # even odds; the base moves it to where the model is to decide
            calibration=Calibration(slope=slope, intercept=intercept),
        )
        return model, Evidence(model_sha256="", binning=binning.to_json())

    def versions(self) -> dict[str, str]:
        return self._binner().versions()

    def _binner(self) -> Binner:
        if isinstance(self.binner, str):
            made: Binner = create("binner", self.binner)
            return made
        return self.binner


def _characteristic(table: BinTable, points: Integers) -> Characteristic:
    parts = zip(table.conditions, points.tolist(), table.statistics, strict=True)
    attributes = (Attribute(condition=each, points=its, statistics=counted) for each, its, counted in parts)
    return Characteristic(feature=table.feature.name, attributes=tuple(attributes))


def _check_whole(option: str, value: object, most: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise InputError("expected a whole number", where=option, got=value, allowed=f"1 to {most}")
