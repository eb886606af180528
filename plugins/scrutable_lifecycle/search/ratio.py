"""The ratio of a whole decision that a search judges: of approval rates, over all groups of all attributes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data import MIN_GROUP_SIZE, is_small
from scrutable.errors import InputError, warn_caller
from scrutable.fairness import GroupMetrics, Groups, OperatingPoint, RatioKind, SmallGroupWarning, size_of
from scrutable.measures import Interval, effective_sizes
from scrutable.model import FrozenMapping, Json, freeze
from scrutable.writing import plain_fields


@dataclass(frozen=True, slots=True)
class Ratio:
    """The smallest ratio over the attributes, or over the groups that are compared with a reference, and whose it is.

    The high end of the interval is that ratio's; the low end is the lowest of all, because each of them must keep a
    requirement.

    Parameters
    ----------
    group, against : whose approval rate is divided by whose; an adverse impact ratio above 1 is turned over.
    """

    value: float
    interval: Interval
    attribute: str
    group: str
    against: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return plain_fields(self)


@dataclass(frozen=True, slots=True)
class Compared:
    """The groups that a search compares, and those too small for it, by attribute.

    Four-fifths ratios compare all groups of an attribute, if there are two; adverse impact ratios each but the
    reference with the reference.
    """

    kind: RatioKind
    groups: dict[str, tuple[str, ...]]
    small: dict[str, tuple[str, ...]]

    @classmethod
    def of(cls, groups: Groups, weight: NDArray[np.float64] | None = None, kind: RatioKind = "four-fifths") -> Compared:
        """The known groups of at least `MIN_GROUP_SIZE` effective rows; a warning names the smaller ones.

        Raises
        ------
        InputError : no group is left to compare, or a reference that adverse impact ratios need is that small.
        """
        sizes = _sizes(groups, weight)
        for attribute in groups.attributes if kind == "adverse-impact" else ():
            if is_small(sizes[attribute.name][attribute.reference]):
                raise _small_reference(attribute.name, attribute.reference, sizes[attribute.name][attribute.reference])
        compared = cls.among(groups, weight, kind)
        texts = [
            size_of(name, label, sizes[name][label]) for name, labels in compared.small.items() for label in labels
        ]
        if not compared:
            beside = "in a group beside the reference" if kind == "adverse-impact" else "in each of two groups"
            raise InputError(
                "no group is large enough to compare",
                where="validation rows",
                got="; ".join(texts) or "the reference only",
                allowed=f"at least {MIN_GROUP_SIZE} rows {beside}",
                fix="give more rows, a larger validation_size, or merge groups",
            )
        if texts:
            what = f"groups with fewer than {MIN_GROUP_SIZE} validation rows are not compared: {'; '.join(texts)}"
            fix = "Fix: give more rows, a larger validation_size, or merge groups"
            warn_caller(f"{what}. {fix}.", SmallGroupWarning)
        return compared

    @classmethod
    def among(
        cls, groups: Groups, weight: NDArray[np.float64] | None = None, kind: RatioKind = "four-fifths"
    ) -> Compared:
        """The known groups that are large enough, silently; none of an attribute whose reference is too small."""
        sizes = _sizes(groups, weight)
        compared: dict[str, tuple[str, ...]] = {}
        small: dict[str, tuple[str, ...]] = {}
        for attribute in groups.attributes:
            size, labels = sizes[attribute.name], attribute.known
            large = [label for label in labels if not is_small(size[label])]
            if kind == "adverse-impact":
                labels = tuple(label for label in labels if label != attribute.reference)
                large = [label for label in large if label in labels] if attribute.reference in large else []
            compared[attribute.name] = tuple(large) if kind == "adverse-impact" or len(large) > 1 else ()
            small[attribute.name] = tuple(label for label in labels if label not in large)
        return cls(kind, compared, small)

    def __bool__(self) -> bool:
        return any(self.groups.values())

    def ratio(self, point: OperatingPoint) -> Ratio:
        """The ratio of decisions, by the groups that are compared."""
        ratios = list(self._adverse_impact(point) if self.kind == "adverse-impact" else self._four_fifths(point))
        worst = min(ratios, key=lambda each: each.value)
        low = min(each.interval[0] for each in ratios)
        return Ratio(worst.value, (low, worst.interval[1]), worst.attribute, worst.group, worst.against)

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

    def _adverse_impact(self, point: OperatingPoint) -> Iterator[Ratio]:
        for group in point.groups:
            if group.group in self.groups[group.attribute]:
                value, ends = _folded(group)
                pair = (group.group, group.reference)
                turned = group.adverse_impact_ratio > 1
                yield Ratio(value, ends, group.attribute, *(reversed(pair) if turned else pair))

    def _four_fifths(self, point: OperatingPoint) -> Iterator[Ratio]:
        """Where nobody is approved, there is no ratio, and it counts as 0."""
        for each in point.four_fifths:
            if (labels := self.groups[each.attribute]) and math.isnan(each.ratio):
                yield Ratio(0.0, (0.0, 0.0), each.attribute, labels[0], labels[-1])
            elif labels:
                yield Ratio(each.ratio, each.interval, each.attribute, each.lowest, each.highest)


def _sizes(groups: Groups, weight: NDArray[np.float64] | None) -> dict[str, dict[str, float]]:
    """Effective rows, by attribute and group."""
    counted = np.ones(groups.rows) if weight is None else weight
    return {
        attribute.name: dict(zip(attribute.labels, effective_sizes(attribute, counted).tolist(), strict=True))
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
