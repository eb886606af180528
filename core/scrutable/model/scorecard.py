"""Scorecards: base points plus, for each characteristic, the points of the attribute that the applicant has."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Self

from scrutable.data.features import Feature, index_features, refuse_unused
from scrutable.data.outcome import Calibration, Outcome
from scrutable.data.values import finite, rounded, snap
from scrutable.errors import ModelError
from scrutable.model.additive import Additive
from scrutable.model.characteristics import Characteristic
from scrutable.model.interactions import Interaction
from scrutable.model.policy import Adjustment, Policy
from scrutable.model.provenance import Provenance
from scrutable.model.reasons import ReasonPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class Scaling:
    """How log-odds became points: `base_score` points at `base_odds` good to bad, doubled every `pdo` points.

    Applied when the scorecard is built; kept so that people can read it. `decimals=0` rounds points to integers.

    Examples
    --------
    >>> round(Scaling(pdo=20, base_score=600, base_odds=50).factor, 4)
    28.8539
    """

    pdo: float = 20.0
    base_score: float = 600.0
    base_odds: float = 50.0
    decimals: int | None = None

    def __post_init__(self) -> None:
        for key in ("pdo", "base_score", "base_odds"):
            object.__setattr__(self, key, finite(getattr(self, key), f"scaling: {key}"))
        for key in ("pdo", "base_odds"):
            if getattr(self, key) <= 0:
                raise ModelError("expected a positive number", where=f"scaling: {key}", got=getattr(self, key))
        if self.decimals is not None and not 0 <= self.decimals <= 6:
            raise ModelError(
                "unusable rounding", where="scaling: decimals", got=self.decimals, allowed="None or 0 to 6"
            )

    @property
    def factor(self) -> float:
        """Points per unit of log-odds: PDO / ln 2."""
        return self.pdo / math.log(2)

    @property
    def offset(self) -> float:
        """Points at even odds."""
        return self.base_score - self.factor * math.log(self.base_odds)

    def points(self, log_odds: float) -> float:
        """Points worth this much log-odds, rounded and snapped."""
        return self.round(self.factor * log_odds)

    def round(self, points: float) -> float:
        """Points as the scorecard holds them."""
        return rounded(points, self.decimals)

    @property
    def calibration(self) -> Calibration:
        """The probability that the score stands for."""
        return Calibration(slope=1 / self.factor, intercept=-self.offset / self.factor)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorecard(Additive):
    """A scorecard for a binary outcome; `score >= cutoff` is the favourable decision.

    Raises
    ------
    ModelError : attributes overlap or leave a gap, a feature is unknown or unused, points are too large.
    """

    outcome: Outcome
    features: tuple[Feature, ...]
    characteristics: tuple[Characteristic, ...]
    interactions: tuple[Interaction, ...] = ()
    base_points: float
    cutoff: float
    calibration: Calibration
    scaling: Scaling | None = None
    policy: Policy = field(default_factory=Policy)
    reasons: ReasonPolicy | None = None
    provenance: Provenance = field(default_factory=Provenance)

    def __post_init__(self) -> None:
        object.__setattr__(self, "base_points", snap(self.base_points))
        object.__setattr__(self, "cutoff", finite(self.cutoff, "cutoff"))
        if not self.outcome.binary:
            raise ModelError("a scorecard decides between two classes", where="outcome", got=list(self.outcome.classes))
        features = index_features(self.features)
        self.check_terms(features)
        self.policy.check(features)
        refuse_unused(features, self.features_scored | self.policy.features)
        if self.reasons is not None:
            self._check_reasons(self.reasons)

    @property
    def adjustments(self) -> tuple[Adjustment, ...]:
        """Score adjustments."""
        return self.policy.adjustments

    @property
    def decimals(self) -> int | None:
        """Decimals that are declared for points; None for none."""
        return None if self.scaling is None else self.scaling.decimals

    def with_points(self, change: Callable[[float], float]) -> Self:
        """The scorecard with other points of attributes, cells and score adjustments.

        Adjustments of 0 points go, and with them the features that nothing else reads.

        Parameters
        ----------
        change : the new points by the old ones.

        Raises
        ------
        ModelError : points too large.
        """
        adjusted = ((each, change(each.points)) for each in self.adjustments)
        adjustments = tuple(replace(each, points=points) for each, points in adjusted if points)
        policy = replace(self.policy, adjustments=adjustments)
        read = self.features_scored | policy.features
        return replace(
            self,
            features=tuple(feature for feature in self.features if feature.name in read),
            characteristics=tuple(each.with_points(change) for each in self.characteristics),
            interactions=tuple(each.with_points(change) for each in self.interactions),
            policy=policy,
        )

    def _check_reasons(self, reasons: ReasonPolicy) -> None:
        attributes = (attribute for each in self.characteristics for attribute in each.attributes)
        own = {attribute.reason_code for attribute in attributes if attribute.reason_code is not None}
        reasons.check(self.terms, self.policy, self.cutoff, attribute_codes=own)
        reasons.check_baselines(self.terms)
        if reasons.effects:
            raise ModelError("effects of leaves are for trees", where="reason policy", got=len(reasons.effects))

    def __repr__(self) -> str:
        return f"Scorecard({self.counts}, cutoff {self.cutoff:.6g})"
