"""The adverse impact ratio of a whole decision: that of the group that fares worst, or fares best."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import InputError, warn_caller
from scrutable.fairness import Groups, SmallGroupWarning
from scrutable.fairness.groups import is_small, size_of
from scrutable.fairness.plain import plain
from scrutable.fairness.results import GroupMetrics, Interval, OperatingPoint
from scrutable.model import FrozenMapping
from scrutable.model.values import Json, freeze

#: Rows that a group must have to be compared.
MIN_GROUP_SIZE = 30


@dataclass(frozen=True, slots=True)
class Ratio:
    """The smallest of AIR and 1 / AIR over the groups that are compared, and whose it is.

    The high end of the interval is that group's; the low end is the lowest of all groups', because each of them must
    keep a requirement.
    """

    value: float
    interval: Interval
    attribute: str
    group: str

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        own = {"value": self.value, "interval": self.interval, "attribute": self.attribute, "group": self.group}
        return {name: plain(value) for name, value in own.items()}


@dataclass(frozen=True, slots=True)
class Compared:
    """The groups that a search compares with their reference, and those too small for it, by attribute."""

    groups: dict[str, tuple[str, ...]]
    small: dict[str, tuple[str, ...]]

    @classmethod
    def of(cls, groups: Groups, weight: NDArray[np.float64] | None = None) -> Compared:
        """The known groups of at least `MIN_GROUP_SIZE` rows that have weight; a warning names the smaller ones.

        Raises
        ------
        InputError : a reference is that small, or no group is left to compare.
        """
        sizes = _sizes(groups, weight)
        for attribute in groups.attributes:
            if is_small(sizes[attribute.name][attribute.reference], MIN_GROUP_SIZE):
                raise _small_reference(attribute.name, attribute.reference, sizes[attribute.name][attribute.reference])
        found = cls.among(groups, weight)
        texts = [size_of(name, label, sizes[name][label]) for name, labels in found.small.items() for label in labels]
        if not found:
            raise InputError(
                "no group is large enough to compare",
                where="validation rows",
                got="; ".join(texts) or "the reference only",
                allowed=f"at least {MIN_GROUP_SIZE} rows in a group beside the reference",
                fix="give more rows, a larger validation_size, or merge groups",
            )
        if texts:
            what = f"groups with fewer than {MIN_GROUP_SIZE} validation rows are not compared: {'; '.join(texts)}"
            fix = "Fix: give more rows, a larger validation_size, or merge groups"
            warn_caller(f"{what}. {fix}.", SmallGroupWarning)
        return found

    @classmethod
    def among(cls, groups: Groups, weight: NDArray[np.float64] | None = None) -> Compared:
        """The same without a word; all groups of an attribute whose reference is too small count as too small."""
        sizes = _sizes(groups, weight)
        found: dict[str, tuple[str, ...]] = {}
        small: dict[str, tuple[str, ...]] = {}
        for attribute in groups.attributes:
            its = sizes[attribute.name]
            others = tuple(label for label in attribute.known if label != attribute.reference)
            few = tuple(
                label for label in others if is_small(min(its[label], its[attribute.reference]), MIN_GROUP_SIZE)
            )
            found[attribute.name] = tuple(label for label in others if label not in few)
            small[attribute.name] = few
        return cls(found, small)

    def __bool__(self) -> bool:
        return any(self.groups.values())

    def ratio(self, point: OperatingPoint) -> Ratio:
        """The ratio of decisions, by the groups that are compared."""
        folded = [(_folded(group), group) for group in point.groups if group.group in self.groups[group.attribute]]
        (worst, (_, high)), group = min(folded, key=lambda each: each[0][0])
        low = min(interval[0] for (_, interval), _ in folded)
        return Ratio(worst, (low, high), group.attribute, group.group)

    def to_json(self, groups: Groups) -> FrozenMapping[Json]:
        """Which of the groups are compared, and from which size on, as a log states it."""
        listed = [
            {
                "attribute": attribute.name,
                "reference": attribute.reference,
                "compared": self.groups[attribute.name],
                "too_small": self.small[attribute.name],
            }
            for attribute in groups.attributes
        ]
        return FrozenMapping({"groups": freeze(listed), "min_group_size": MIN_GROUP_SIZE})


def _sizes(groups: Groups, weight: NDArray[np.float64] | None) -> dict[str, dict[str, float]]:
    """Rows that have weight, by attribute and group."""
    counted = np.ones(groups.rows) if weight is None else (weight > 0).astype(np.float64)
    return {
        attribute.name: dict(zip(attribute.labels, (counted @ attribute.membership).tolist(), strict=True))
        for attribute in groups.attributes
    }


def _folded(group: GroupMetrics) -> tuple[float, Interval]:
    """A group's ratio with everything above parity turned into what it means for the reference.

    Where nobody of the reference is approved, there is no ratio, and it counts as 0.
    """
    value = _below_parity(group.adverse_impact_ratio)
    ends = group.intervals["adverse_impact_ratio"]
    low, high = sorted(map(_below_parity, ends))
    if ends[0] <= 1 <= ends[1]:
        high = 1.0
    return value, (min(low, value), max(high, value))


def _below_parity(ratio: float) -> float:
    if math.isnan(ratio):
        return 0.0
    return 1 / ratio if ratio > 1 else ratio


def _small_reference(attribute: str, reference: str, size: float) -> InputError:
    return InputError(
        "the reference group has too few validation rows to compare with",
        where=f"protected attribute {attribute!r}",
        got=f"{reference!r} with {size:.6g} rows",
        allowed=f"at least {MIN_GROUP_SIZE} rows",
        fix="choose another reference, give more rows, or a larger validation_size",
    )
