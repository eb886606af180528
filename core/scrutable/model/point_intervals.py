"""How sure the points of a scorecard are, as its evidence says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from scrutable.data.values import FrozenMapping, Json, freeze
from scrutable.errors import ModelError, did_you_mean
from scrutable.model.additive import Additive
from scrutable.model.codec import decode, encode
from scrutable.model.evidence import Evidence
from scrutable.writing.plain_values import plain

#: The entry of the metrics that holds them.
POINT_INTERVALS = "point_intervals"

#: The lower and the upper end, in points; None where nothing is known.
Sides = tuple[float, float] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacteristicIntervals:
    """Intervals of a characteristic's points, in the order of its attributes.

    Parameters
    ----------
    points : of the attributes, which they are about.
    low, high : ends of each; None where nothing is known of an attribute.

    Raises
    ------
    ModelError : not as many of each, or ends that are none.
    """

    points: tuple[float, ...]
    low: tuple[float | None, ...]
    high: tuple[float | None, ...]

    def __post_init__(self) -> None:
        if not len(self.points) == len(self.low) == len(self.high):
            sizes = [len(each) for each in (self.points, self.low, self.high)]
            raise ModelError("expected ends for each of the points", where="intervals", got=sizes)
        for low, high in zip(self.low, self.high, strict=True):
            if (low is None) != (high is None) or (low is not None and high is not None and low > high):
                raise ModelError("expected a lower and an upper end, or none", where="intervals", got=[low, high])

    @property
    def sides(self) -> tuple[Sides, ...]:
        """Both ends of each."""
        ends = zip(self.low, self.high, strict=True)
        return tuple(None if low is None or high is None else (low, high) for low, high in ends)

    def times(self, factor: float, points: tuple[float, ...]) -> Self:
        """Those of points that are so many times these, but for rounding."""
        low, high = (tuple(None if end is None else factor * end for end in ends) for ends in (self.low, self.high))
        return replace(self, points=points, low=low, high=high)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointIntervals:
    """Intervals of the points of attributes, by feature, the attributes being given. Any learner may tell them.

    They hold the points that they are about, so that they are never taken for those of a model with other points.

    Parameters
    ----------
    confidence : what share of such intervals hold the truth.
    characteristics : by feature.

    Examples
    --------
    >>> from scrutable.testing.cards import card
    >>> model = card()
    >>> known = PointIntervals.about(model, {"amount": [(-2, 2), (8, 12), (15, 25), None]})
    >>> evidence = Evidence(model_sha256="", metrics=FrozenMapping({POINT_INTERVALS: known.to_json()}))
    >>> PointIntervals.of(evidence, model).sides("amount")
    ((-2.0, 2.0), (8.0, 12.0), (15.0, 25.0), None)
    >>> PointIntervals.of(evidence, model.with_points(lambda points: 2 * points)) is None
    True
    """

    confidence: float
    characteristics: FrozenMapping[CharacteristicIntervals]

    def __post_init__(self) -> None:
        if not 0 < self.confidence < 1:
            raise ModelError("expected a share", where="confidence", got=self.confidence, allowed="between 0 and 1")

    @classmethod
    def about(
        cls, model: Additive, sides: Mapping[str, Sequence[Sequence[float] | None]], *, confidence: float = 0.95
    ) -> Self:
        """Those of a model's points: by feature the ends of each attribute, in the order of the attributes.

        Raises
        ------
        ModelError : no such characteristic, or not as many ends as it has attributes.
        """
        points = _points(model)
        for name, own in sides.items():
            where = f"intervals of {name!r}"
            if name not in points:
                raise ModelError("no such characteristic", where=where, got=name, fix=did_you_mean(name, points))
            if len(own) != len(points[name]):
                allowed = f"{len(points[name])} ends, None where nothing is known"
                raise ModelError("expected ends for each attribute", where=where, got=len(own), allowed=allowed)
        made = {name: _of(points[name], own) for name, own in sides.items()}
        return cls(confidence=confidence, characteristics=FrozenMapping(made))

    @classmethod
    def of(cls, evidence: Evidence, model: Additive) -> Self | None:
        """What evidence says of the points that a model has; None where it says nothing of them.

        Raises
        ------
        ModelError : the entry is none that this release reads.
        """
        return cls._kept(evidence, model, 1.0, lambda points: points)

    @classmethod
    def moved(
        cls, evidence: Evidence, model: Additive, factor: float, rounded: Callable[[float], float]
    ) -> Self | None:
        """What evidence of one model says of the points of another one that was made of it.

        Parameters
        ----------
        factor : by which all points were multiplied.
        rounded : what was made of each then. Where that gives other points than the model has, it says nothing.

        Raises
        ------
        ModelError : as `of`.
        """
        return cls._kept(evidence, model, factor, lambda points: rounded(factor * points))

    @classmethod
    def _kept(cls, evidence: Evidence, model: Additive, factor: float, change: Callable[[float], float]) -> Self | None:
        entry = evidence.metrics.get(POINT_INTERVALS)
        if entry is None:
            return None
        told = decode(cls, plain(entry), f"evidence: metrics: {POINT_INTERVALS}")
        points = _points(model)
        kept = {
            name: each.times(factor, points[name])
            for name, each in told.characteristics.items()
            if points.get(name) == tuple(map(change, each.points))
        }
        nothing_to_tell = not points and not told.characteristics
        return replace(told, characteristics=FrozenMapping(kept)) if kept or nothing_to_tell else None

    def sides(self, feature: str) -> tuple[Sides, ...] | None:
        """Both ends for each attribute of a characteristic; None where nothing is known of it."""
        return self.characteristics[feature].sides if feature in self.characteristics else None

    def to_json(self) -> Json:
        """The entry of the metrics."""
        return freeze(encode(self))


def _points(model: Additive) -> dict[str, tuple[float, ...]]:
    """The points of each characteristic."""
    return {each.feature: each.cells for each in model.characteristics}


def _of(points: tuple[float, ...], sides: Sequence[Sequence[float] | None]) -> CharacteristicIntervals:
    low, high = (tuple(None if each is None else float(each[end]) for each in sides) for end in (0, 1))
    return CharacteristicIntervals(points=points, low=low, high=high)
