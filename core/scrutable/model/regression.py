"""Regression scorecards: the score is not a step on the way to a decision but the prediction itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from scrutable.data.features import Feature, index_features, refuse_unused
from scrutable.data.outcome import Quantity
from scrutable.data.values import snap
from scrutable.model.additive import Additive
from scrutable.model.characteristics import Characteristic
from scrutable.model.interactions import Interaction
from scrutable.model.provenance import Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class RegressionScorecard(Additive):
    """A scorecard for a quantity, whose score is the prediction; it decides nothing.

    So it has neither cutoff nor calibration, neither knock-outs nor reasons for a decision.

    Raises
    ------
    ModelError : attributes overlap or leave a gap, a feature is unknown or unused, points are too large.

    Examples
    --------
    >>> from scrutable.model import Attribute, Interval, Missing
    >>> ltv = Characteristic(feature="ltv", attributes=(
    ...     Attribute(condition=Interval(upper=0.8), points=-0.1),
    ...     Attribute(condition=Interval(lower=0.8), points=0.25), Attribute(condition=Missing(), points=0)))
    >>> card = RegressionScorecard(outcome=Quantity(target="loss_given_default"), base_points=0.375,
    ...     features=(Feature(name="ltv", kind="numeric"),), characteristics=(ltv,))
    >>> card.score_range[1]
    0.625
    """

    too_large: ClassVar[str] = "measure the target in a larger unit, for example thousands"

    outcome: Quantity
    features: tuple[Feature, ...]
    characteristics: tuple[Characteristic, ...]
    interactions: tuple[Interaction, ...] = ()
    base_points: float
    provenance: Provenance = field(default_factory=Provenance)

    def __post_init__(self) -> None:
        object.__setattr__(self, "base_points", snap(self.base_points))
        features = index_features(self.features)
        self.check_terms(features)
        refuse_unused(features, self.features_scored)

    def __repr__(self) -> str:
        return f"RegressionScorecard({self.counts}, target {self.outcome.target!r})"
