"""Scorecards: base points plus, for each characteristic, the points of the attribute that the applicant has."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from scrutable.errors import ModelError
from scrutable.model.conditions import AttributeCondition, Categories, Interval, Missing, Otherwise, Special, number
from scrutable.model.features import Feature, Value, index_features
from scrutable.model.outcome import Calibration, Outcome
from scrutable.model.policy import Policy
from scrutable.model.provenance import Provenance
from scrutable.model.reasons import ReasonPolicy
from scrutable.model.values import finite, name, snap, text, unique, within_limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """What an attribute looked like in training: weighted good and bad counts, share of applicants, WoE.

    WoE is ln((good_i / good) / (bad_i / bad)): positive where the favourable outcome is more frequent than overall.
    """

    good: float
    bad: float
    share: float
    woe: float

    def __post_init__(self) -> None:
        for key in ("good", "bad", "share", "woe"):
            object.__setattr__(self, key, finite(getattr(self, key), f"attribute statistics: {key}"))

    @property
    def count(self) -> float:
        """Weighted number of applicants."""
        return self.good + self.bad

    @property
    def bad_rate(self) -> float:
        """Share of unfavourable outcomes; 0 where nobody was seen."""
        return self.bad / self.count if self.count else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """One condition of a characteristic and its points, snapped to multiples of 2^-30."""

    condition: AttributeCondition
    points: float
    label: str = ""
    reason_code: str | None = None
    statistics: Statistics | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", snap(self.points))
        text(self.label, "attribute label")
        if self.reason_code is not None:
            name(self.reason_code, "reason code of an attribute")

    @property
    def title(self) -> str:
        """The label, or the condition in words."""
        return self.label or self.condition.describe()


@dataclass(frozen=True, slots=True, kw_only=True)
class Characteristic:
    """A feature and its attributes: exclusive, and exhaustive over every value the feature can have."""

    feature: str
    attributes: tuple[Attribute, ...]

    @property
    def points_range(self) -> tuple[float, float]:
        """Fewest and most points an applicant can get here."""
        points = [attribute.points for attribute in self.attributes]
        return min(points), max(points)

    def check(self, feature: Feature) -> None:
        """Refuse gaps, overlaps, and attributes that cannot apply to the feature."""
        check_partition(feature, tuple(attribute.condition for attribute in self.attributes))


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
        return snap(points if self.decimals is None else round(points, self.decimals))

    @property
    def calibration(self) -> Calibration:
        """The probability that the score stands for."""
        return Calibration(slope=1 / self.factor, intercept=-self.offset / self.factor)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorecard:
    """A scorecard for a binary outcome; `score >= cutoff` is the favourable decision.

    Raises
    ------
    ModelError : attributes overlap or leave a gap, a feature is unknown or unused, points are too large.
    """

    outcome: Outcome
    features: tuple[Feature, ...]
    characteristics: tuple[Characteristic, ...]
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
        unique(tuple(c.feature for c in self.characteristics), "characteristics")
        for characteristic in self.characteristics:
            if characteristic.feature not in features:
                raise ModelError("unknown feature", where="characteristic", got=characteristic.feature)
            characteristic.check(features[characteristic.feature])
        self.policy.check(features)
        refuse_unused(features, {c.feature for c in self.characteristics} | self.policy.features)
        largest = sum(max(map(abs, c.points_range)) for c in self.characteristics) + abs(self.base_points)
        within_limit(largest, "scorecard")
        if self.reasons is not None:
            self.reasons.check(self)

    def __repr__(self) -> str:
        attributes = sum(len(characteristic.attributes) for characteristic in self.characteristics)
        counts = f"{len(self.characteristics)} characteristics, {attributes} attributes"
        return f"Scorecard({counts}, cutoff {self.cutoff:.6g})"

    @property
    def score_range(self) -> tuple[float, float]:
        """Lowest and highest score an applicant can get."""
        ranges = [c.points_range for c in self.characteristics]
        return self.base_points + sum(low for low, _ in ranges), self.base_points + sum(high for _, high in ranges)


def check_partition(feature: Feature, conditions: tuple[AttributeCondition, ...]) -> None:
    """Refuse conditions that are not exclusive and exhaustive over the feature's values."""
    where = f"characteristic {feature.name!r}"
    for condition in conditions:
        condition.check(feature)
    intervals = [c for c in conditions if isinstance(c, Interval)]
    categories = [c for c in conditions if isinstance(c, Categories)]
    if intervals and (categories or any(isinstance(c, Otherwise) for c in conditions)):
        raise ModelError(
            "intervals cannot be mixed with categories or Otherwise", where=where, fix="use special codes for codes"
        )
    if categories or feature.kind == "categorical" or any(isinstance(c, Otherwise) for c in conditions):
        _check_categories(categories, where)
        _exactly_one(conditions, Otherwise, where)
    else:
        _check_intervals(intervals, where)
    _exactly_one(conditions, Missing, where)
    _check_special(feature, [c for c in conditions if isinstance(c, Special)], where)


def refuse_unused(features: dict[str, Feature], used: set[str]) -> None:
    """A model lists the columns it reads, no others: each one is demanded of whoever runs it."""
    for key in features:
        if key not in used:
            raise ModelError("the feature is not used", where=f"feature {key!r}", fix="leave it out of the features")


def _check_intervals(intervals: list[Interval], where: str) -> None:
    end = -math.inf
    for position, interval in enumerate(intervals):
        if interval.closed != "left":
            raise ModelError("scorecard intervals are [lower, upper)", where=where, got=interval.exactly())
        if interval.lower < end or (position and math.isinf(interval.lower)):
            raise ModelError(
                "attributes overlap", where=where, got=interval.exactly(), allowed=f"lower end {number(end)}"
            )
        if interval.lower > end:
            raise ModelError(
                "attributes leave a gap", where=where, got=f"nothing covers [{number(end)}, {number(interval.lower)})"
            )
        end = interval.upper
    if end != math.inf:
        gap = f"nothing covers >= {number(end)}" if intervals else "no interval"
        raise ModelError("attributes leave a gap", where=where, got=gap, fix="end the last interval at inf")


def _check_categories(categories: list[Categories], where: str) -> None:
    seen: set[Value] = set()
    for condition in categories:
        if condition.negated:
            raise ModelError("negated categories have no place here", where=where, fix="use Otherwise")
        for value in condition.values:
            if value in seen:
                raise ModelError("attributes overlap", where=where, got=value)
            seen.add(value)


def _check_special(feature: Feature, specials: list[Special], where: str) -> None:
    named = [code for condition in specials for code in condition.codes]
    for code in feature.special_codes:
        if named.count(code) != 1:
            problem = "leave a gap" if code not in named else "overlap"
            raise ModelError(f"attributes {problem}", where=where, got=f"special code {code!r}")


def _exactly_one(conditions: tuple[AttributeCondition, ...], kind: type[AttributeCondition], where: str) -> None:
    count = sum(isinstance(condition, kind) for condition in conditions)
    if count != 1:
        problem = "leave a gap" if count == 0 else "overlap"
        raise ModelError(
            f"attributes {problem}", where=where, got=f"{count} attributes for {kind.__name__}", allowed="exactly one"
        )
