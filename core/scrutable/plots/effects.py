"""Main effects and importance of a scorecard's characteristics: Algorithm 2 of the LDA-XGB1 paper, without pictures.

Pangia, Sudjianto, Zhang, Khan: "Less Discriminatory Alternative and Interpretable XGBoost Framework for Binary
Classification", section 3.4.2.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scrutable.errors import InputError, did_you_mean
from scrutable.model import (
    Attribute,
    Characteristic,
    Feature,
    Interval,
    Model,
    PointIntervals,
    RegressionScorecard,
    Scorecard,
    Statistics,
)
from scrutable.model.conditions import AttributeCondition
from scrutable.model.point_intervals import Sides


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One attribute.

    Parameters
    ----------
    condition : which values it holds.
    title : its label, or the condition in words.
    points : what the score gets.
    log_odds : the same in log-odds of the favourable outcome; None where the calibration is no logit.
    share : share of the training applicants; None where the model does not say.
    woe, event_rate : their weight of evidence and share of unfavourable outcomes; None where the model does not say, or
        nobody had it.
    interval : ends of the interval of the points; None where nothing is known.
    """

    condition: AttributeCondition
    title: str
    points: float
    log_odds: float | None
    share: float | None
    woe: float | None = None
    event_rate: float | None = None
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """The step function of one characteristic."""

    feature: Feature
    steps: tuple[Step, ...]

    @property
    def intervals(self) -> tuple[Step, ...]:
        """Steps over the numbers, from the lowest to the highest; empty where the values are categories."""
        return tuple(step for step in self.steps if isinstance(step.condition, Interval))

    @property
    def has_shares(self) -> bool:
        """Whether the model says how many applicants each step had in training."""
        shares = [step.share for step in self.steps if step.share is not None]
        return len(shares) == len(self.steps) and min(shares) >= 0 and math.fsum(shares) > 0

    @property
    def has_intervals(self) -> bool:
        """Whether it is known how sure the points of any attribute are."""
        return any(step.interval is not None for step in self.steps)

    @property
    def importance(self) -> float:
        """Variance of the points over the training applicants: mean squared distance from the mean, by share.

        Raises
        ------
        InputError : the model does not say the shares.
        """
        if not self.has_shares:
            raise InputError(
                "the model does not say how many applicants its attributes had in training",
                where=f"characteristic {self.feature.name!r}",
                allowed="attributes with statistics",
                fix="use the model as a learner of Scrutable made it; its main effects can be drawn all the same",
            )
        shares = [step.share or 0.0 for step in self.steps]
        total = math.fsum(shares)
        mean = math.fsum(share * step.points for share, step in zip(shares, self.steps, strict=True)) / total
        squares = (share * (step.points - mean) ** 2 for share, step in zip(shares, self.steps, strict=True))
        return math.fsum(squares) / total

    @property
    def points_range(self) -> tuple[float, float]:
        """Fewest and most points."""
        return min(step.points for step in self.steps), max(step.points for step in self.steps)


def scorecard_to_draw(model: Model) -> Scorecard:
    """The model, where it is a scorecard of two classes.

    Raises
    ------
    InputError : it is none, and has no picture.
    """
    if isinstance(model, Scorecard):
        return model
    of_quantity = isinstance(model, RegressionScorecard)
    raise InputError(
        "cards of a quantity have no picture" if of_quantity else "only scorecards have main effects to draw",
        where="model",
        got=model.kind,
        allowed="a scorecard of two classes",
        fix="`scrutable show` prints its points"
        if of_quantity
        else "`scrutable show` prints every kind of model; of a segmented one, draw the scorecard of a segment",
    )


def main_effects(
    model: Scorecard, features: Iterable[str] | None = None, *, intervals: PointIntervals | None = None
) -> dict[str, Effect]:
    """The step functions of these characteristics; of all, in the model's order, if None.

    Parameters
    ----------
    intervals : what is known of how sure the points are, as `PointIntervals.of` reads it.

    Raises
    ------
    InputError : the model is no scorecard, or it has no such characteristic.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(500, seed=1)
    >>> learner = create("learner", "scorecard", binner="quantile", favourable=0).fit(data.X[["late_payments"]], data.y)
    >>> for step in main_effects(learner.model_)["late_payments"].steps:
    ...     print(f"{step.title:<8} {step.points:+.1f}")
    < 1      +5.1
    [1, 2)   -13.3
    [2, 3)   -5.0
    >= 3     -5.0
    missing  +0.0
    """
    model = scorecard_to_draw(model)
    by_name = {feature.name: feature for feature in model.features}
    slope = model.calibration.slope if model.calibration.link == "logit" else None
    every = {
        each.feature: _effect(
            each, by_name[each.feature], slope, None if intervals is None else intervals.sides(each.feature)
        )
        for each in model.characteristics
    }
    return every if features is None else _picked(every, features)


def importance(model: Scorecard) -> dict[str, float]:
    """How much each characteristic moves the score: the variance of its points over the training applicants.

    Algorithm 2, line 4, in squared points, largest first.

    Raises
    ------
    InputError : the model is no scorecard, or does not say how many applicants its attributes had.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(500, seed=1)
    >>> inputs = data.X[["late_payments", "region", "bureau_score"]]
    >>> learner = create("learner", "scorecard", binner="quantile", favourable=0).fit(inputs, data.y)
    >>> list(importance(learner.model_))
    ['bureau_score', 'late_payments']
    """
    variances = {name: effect.importance for name, effect in main_effects(model).items()}
    return dict(sorted(variances.items(), key=lambda item: -item[1]))


def _picked(every: dict[str, Effect], names: Iterable[str]) -> dict[str, Effect]:
    picked = {}
    for name in names:
        if name not in every:
            fix = "give names of the model's characteristics"
            raise InputError("no such characteristic", got=name, allowed=did_you_mean(name, every), fix=fix)
        picked[name] = every[name]
    return picked


def _effect(
    characteristic: Characteristic, feature: Feature, slope: float | None, sides: Sequence[Sides] | None
) -> Effect:
    sides = sides or [None] * len(characteristic.attributes)
    steps = tuple(
        Step(
            condition=attribute.condition,
            title=title,
            points=attribute.points,
            log_odds=None if slope is None else attribute.points * slope,
            share=None if attribute.statistics is None else attribute.statistics.share,
            **_rates(attribute),
            interval=interval,
        )
        for attribute, title, interval in zip(characteristic.attributes, characteristic.titles, sides, strict=True)
    )
    return Effect(feature=feature, steps=steps)


def _rates(attribute: Attribute) -> dict[str, float]:
    """Weight of evidence and event rate, where the model says them of somebody."""
    seen = attribute.statistics
    if not isinstance(seen, Statistics) or not seen.count:
        return {}
    return {"woe": seen.woe, "event_rate": seen.bad_rate}
