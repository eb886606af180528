"""What may change of an applicant in a counterfactual, as a user says it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from scrutable.errors import InputError, did_you_mean
from scrutable.errors.checks import check_mapping
from scrutable_fcca.counterfactuals.problem import Plausibility
from scrutable_fcca.inputs import IndicatorColumn, Inputs, NumberColumn

Direction = Literal["up", "down"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What is plausible, the set of equation (7), by feature.

    Whatever is said here, a missing or special value stays as it is, and so do all values until they change.

    Parameters
    ----------
    immutable : features that cannot change.
    directions : "up" or "down" for numeric features that can only rise or only fall.
    ranges : least and largest value that a numeric feature can change to.

    Raises
    ------
    InputError : an unknown direction, or a range without a value.

    Examples
    --------
    >>> Changes(immutable=["age"], directions={"income": "up"}, ranges={"amount": (500, 5000)}).directions
    {'income': 'up'}
    """

    immutable: Collection[str] = ()
    directions: Mapping[str, Direction] = field(default_factory=dict)
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if isinstance(self.immutable, str) or not isinstance(self.immutable, Collection):
            fix = f"immutable=[{self.immutable!r}]"
            raise InputError("expected a list of features", where="immutable", got=self.immutable, fix=fix)
        check_mapping(self.directions, "directions", "{'income': 'up'}")
        check_mapping(self.ranges, "ranges", "{'amount': (500, 5000)}")
        for name, direction in self.directions.items():
            if direction not in ("up", "down"):
                where = f"directions, feature {name!r}"
                raise InputError("unknown direction", where=where, got=direction, allowed="'up' or 'down'")
        for name, ends in self.ranges.items():
            if not isinstance(ends, Sequence) or len(ends) != 2 or not ends[0] <= ends[1]:
                where = f"ranges, feature {name!r}"
                raise InputError("unusable range", where=where, got=ends, allowed="the least and the largest value")

    def plausible(self, inputs: Inputs, known: Collection[str]) -> Plausibility:
        """What it means for the columns of a target model.

        Parameters
        ----------
        known : all features, those that have no column included.

        Raises
        ------
        InputError : a feature that is not known, or a direction or a range of a categorical one.
        """
        columns = inputs.columns
        self._check(known, {column.feature.name for column in columns if column.is_category})
        names = [column.feature.name for column in columns]
        may = np.array([isinstance(column, NumberColumn) or column.is_category for column in columns])
        may &= np.array([name not in self.immutable for name in names])
        ways = [self.directions.get(name) for name in names]
        ends = [self._range(column) for column in columns]
        return Plausibility(
            lower=np.array([low for low, _ in ends]),
            upper=np.array([high for _, high in ends]),
            rises=may & np.array([way != "down" for way in ways]),
            falls=may & np.array([way != "up" for way in ways]),
            binary=np.array([isinstance(column, IndicatorColumn) for column in columns]),
            one_of=_groups(inputs),
        )

    def _range(self, column: NumberColumn | IndicatorColumn) -> tuple[float, float]:
        if isinstance(column, IndicatorColumn):
            return 0.0, 1.0
        low, high = column.scale(np.array(self.ranges.get(column.feature.name, (-np.inf, np.inf)), np.float64))
        return float(low), float(high)

    def _check(self, known: Collection[str], categorical: Collection[str]) -> None:
        for option in ("immutable", "directions", "ranges"):
            for name in getattr(self, option):
                if name not in known:
                    raise InputError("unknown column", where=option, got=name, fix=did_you_mean(name, known))
                if name in categorical and option != "immutable":
                    fix = "use immutable for categories that cannot change"
                    raise InputError("the column is categorical", where=option, got=name, fix=fix)


def _groups(inputs: Inputs) -> tuple[tuple[int, ...], ...]:
    """The columns of features with several categories, of which an applicant has at most one."""
    by_feature: dict[str, list[int]] = {}
    for j, column in enumerate(inputs.columns):
        if column.is_category:
            by_feature.setdefault(column.feature.name, []).append(j)
    return tuple(tuple(group) for group in by_feature.values() if len(group) > 1)
