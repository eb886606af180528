"""The ratio of a whole decision that a search judges: of approval rates, over all groups of all attributes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data import is_small
from scrutable.errors import InputError, warn_caller
from scrutable.fairness import (
    GroupMetrics,
    Groups,
    OperatingPoint,
    ProtectedAttribute,
    RatioKind,
    SmallGroupWarning,
    size_of,
)
from scrutable.measures import Interval, effective_sizes
from scrutable.model import FrozenMapping, Json, freeze
from scrutable.writing import plain_fields
from scrutable_lifecycle.search.ratio_asked import EVERYTHING, RatioAsked


@dataclass(frozen=True, slots=True)
class Ratio:
    """The smallest ratio over the attributes, or over the groups that are compared with a reference, and whose it is.

    The high end of the interval is that ratio's; the low end is the lowest of all, because each of them must keep a
    requirement.

    Parameters
    ----------
    group, against : whose approval rate is divided by whose. A group that is approved more often than its reference
        has an adverse impact ratio of 1 here: it has no disadvantage, and an advantage is no merit.
    kind : which ratio it is.
    """

    value: float
    interval: Interval
    attribute: str
    group: str
    against: str = ""
    kind: RatioKind = "four-fifths"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return plain_fields(self)


#: What stands for the ratio where there are no groups.
NO_RATIO = Ratio(math.nan, (math.nan, math.nan), "", "")


@dataclass(frozen=True, slots=True)
class Compared:
    """The groups that a search compares, and those too small for it, by attribute.

    Four-fifths ratios compare all groups of an attribute, if there are two; adverse impact ratios each but the
    reference with the reference. Where the search names groups, no others are looked at.
    """

    asked: RatioAsked
    groups: dict[str, tuple[str, ...]]
    small: dict[str, tuple[str, ...]]

    @classmethod
    def of(cls, groups: Groups, weight: NDArray[np.float64] | None = None, asked: RatioAsked = EVERYTHING) -> Compared:
        """The known groups of at least `asked.min_group_size` effective rows; a warning names the smaller ones.

        Raises
        ------
        InputError : no group is left to compare, or a reference that adverse impact ratios need is that small.
        """
        sizes = _sizes(groups, weight)
        for attribute in groups.attributes:
            size = sizes[attribute.name][attribute.reference]
            if asked.kind_of(attribute.name) == "adverse-impact" and is_small(size, asked.min_group_size):
                raise _small_reference(attribute, size, asked)
        compared = cls.among(groups, weight, asked)
        texts = [
            size_of(name, label, sizes[name][label]) for name, labels in compared.small.items() for label in labels
        ]
        least = f"{asked.min_group_size:g}"
        if not compared:
            kinds = {asked.kind_of(attribute.name) for attribute in groups.attributes}
            beside = "in a group beside the reference" if kinds == {"adverse-impact"} else "in each of two groups"
            raise InputError(
                "no group is large enough to compare",
                where="validation rows",
                got="; ".join(texts) or "the reference only",
                allowed=f"at least {least} rows {beside}",
                fix="give more rows, a larger validation_size, or merge groups",
            )
        if texts:
            what = f"groups with fewer than {least} validation rows are not compared: {'; '.join(texts)}"
            fix = "Fix: give more rows, a larger validation_size, or merge groups"
            warn_caller(f"{what}. {fix}.", SmallGroupWarning)
        return compared

    @classmethod
    def among(
        cls, groups: Groups, weight: NDArray[np.float64] | None = None, asked: RatioAsked = EVERYTHING
    ) -> Compared:
        """The known groups that are large enough, silently; none of an attribute whose reference is too small."""
        sizes = _sizes(groups, weight)
        compared: dict[str, tuple[str, ...]] = {}
        small: dict[str, tuple[str, ...]] = {}
        for attribute in groups.attributes:
            size, labels = sizes[attribute.name], asked.labels_of(attribute)
            large = tuple(label for label in labels if not is_small(size[label], asked.min_group_size))
            by_reference = asked.kind_of(attribute.name) == "adverse-impact"
            if by_reference and is_small(size[attribute.reference], asked.min_group_size):
                large = ()
            compared[attribute.name] = large if by_reference or len(large) > 1 else ()
            small[attribute.name] = tuple(label for label in labels if label not in large)
        return cls(asked, compared, small)

    def __bool__(self) -> bool:
        return any(self.groups.values())

    def ratio(self, point: OperatingPoint) -> Ratio:
        """The ratio of decisions, whose four-fifths ratios are of the groups that are asked for."""
        ratios = [*self._adverse_impact(point), *self._four_fifths(point)]
        worst = min(ratios, key=lambda each: each.value)
        low = min(each.interval[0] for each in ratios)
        return Ratio(worst.value, (low, worst.interval[1]), worst.attribute, worst.group, worst.against, worst.kind)

    def to_json(self, groups: Groups) -> FrozenMapping[Json]:
        """Which of the groups are compared, how, and from which size on, as a log states it."""
        listed = [
            {
                "attribute": attribute.name,
                "ratio": self.asked.kind_of(attribute.name),
                "reference": attribute.reference,
                "compared": self.groups[attribute.name],
                "too_small": self.small[attribute.name],
            }
            for attribute in groups.attributes
        ]
        return FrozenMapping(
            {
                "groups": freeze(listed),
                "min_group_size": self.asked.min_group_size,
                "ratio_in_words": self.asked.in_words(groups),
            }
        )

    def _adverse_impact(self, point: OperatingPoint) -> Iterator[Ratio]:
        for group in point.groups:
            kind = self.asked.kind_of(group.attribute)
            if kind == "adverse-impact" and group.group in self.groups[group.attribute]:
                yield Ratio(*_at_most_one(group), group.attribute, group.group, group.reference, kind)

    def _four_fifths(self, point: OperatingPoint) -> Iterator[Ratio]:
        """Where nobody is approved, there is no ratio, and it counts as 0."""
        for each in point.four_fifths:
            if self.asked.kind_of(each.attribute) != "four-fifths" or not (labels := self.groups[each.attribute]):
                continue
            if math.isnan(each.ratio):
                yield Ratio(0.0, (0.0, 0.0), each.attribute, labels[0], labels[-1])
            else:
                yield Ratio(each.ratio, each.interval, each.attribute, each.lowest, each.highest)


def _sizes(groups: Groups, weight: NDArray[np.float64] | None) -> dict[str, dict[str, float]]:
    """Effective rows, by attribute and group."""
    counted = np.ones(groups.rows) if weight is None else weight
    return {
        attribute.name: dict(zip(attribute.labels, effective_sizes(attribute, counted).tolist(), strict=True))
        for attribute in groups.attributes
    }


def _at_most_one(group: GroupMetrics) -> tuple[float, Interval]:
    """A group's ratio to its reference and its interval, cut off at 1.

    Where nobody of the reference is approved, there is no ratio, and it counts as 0.
    """
    if math.isnan(group.adverse_impact_ratio):
        return 0.0, (0.0, 0.0)
    low, high = group.intervals["adverse_impact_ratio"]
    return min(group.adverse_impact_ratio, 1.0), (min(low, 1.0), min(high, 1.0))


def _small_reference(attribute: ProtectedAttribute, size: float, asked: RatioAsked) -> InputError:
    return InputError(
        "the reference group has too few validation rows to compare with",
        where=f"protected attribute {attribute.name!r}",
        got=f"{attribute.reference!r} with {size:.6g} rows",
        allowed=f"at least {asked.min_group_size:g} rows",
        fix="choose another reference, give more rows, or a larger validation_size",
    )
