"""Values whose rows all have one outcome, beyond chance, in attributes with others: what limits of binners lose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from inspect import signature
from itertools import chain
from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator

from scrutable.binning.tables import BinTable
from scrutable.data.training_rows import LabelledRows
from scrutable.data.value_counts import summed
from scrutable.errors import ScrutableWarning, warn_caller
from scrutable.writing.decimals import number

#: Most distinct values of a column whose values are looked at one by one.
_FEW = 50
#: A value with so many rows of one outcome, where chance would give them with a lower probability than this.
_ROWS, _CHANCE = 10, 1e-4
_OUTCOMES = ("bad", "good")


class MixedValueWarning(ScrutableWarning):
    """A value that has one outcome only, beyond chance, is in an attribute with others, where it tells little."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MixedValue:
    """A value whose rows all have one outcome, in an attribute that has both.

    Parameters
    ----------
    value : a number or text; None for a missing one.
    rows : how many rows of some weight have it.
    count, share : their weight in average rows, and as a share of all.
    outcome : that of all its rows, "bad" or "good".
    attribute : where it is, in words.
    """

    feature: str
    value: float | str | None
    rows: int
    count: float
    share: float
    outcome: str
    attribute: str

    def __str__(self) -> str:
        value = "missing" if self.value is None else repr(self.value)
        value = number(self.value) if isinstance(self.value, float) else value
        return (
            f"{self.feature!r}: all {self.rows:,} rows where it is {value} ({self.share:.1%}) have the {self.outcome} "
            f'outcome, in the attribute "{self.attribute}" with others'
        )


def mixed_values(table: BinTable, data: LabelledRows) -> list[MixedValue]:
    """Values of a feature whose rows all have one outcome, beyond chance, in attributes where others have the other.

    They have 10 rows or more, half of the attribute's at most, and a probability below 1e-4 to have that outcome all by
    chance, at the rate of all rows and at that of the others in the attribute. Features of more than 50 different
    values are measurements and long lists, of which none is looked at.
    """
    by_value = data.counts(table.feature)
    if by_value.size > _FEW:
        return []
    column, rows = by_value.column, by_value.rows
    shares = by_value.outcomes.sum(axis=1) / data.every.weight
    index, counts = table.index(column), rows.sum(axis=1)
    others = summed(index, rows, len(table.conditions))[index] - rows
    mixed = []
    for outcome in (0, 1):
        beside = others[:, outcome] / np.maximum(others.sum(axis=1), 1)
        chance = np.maximum(beside, rows[:, outcome].sum() / rows.sum()) ** counts
        pure = (counts >= _ROWS) & (rows[:, 1 - outcome] == 0) & (chance < _CHANCE)
        lost = (others[:, 1 - outcome] > 0) & (counts <= others.sum(axis=1))
        for at in np.flatnonzero(pure & lost).tolist():
            mixed.append(
                MixedValue(
                    feature=table.feature.name,
                    value=None if column.missing[at] else column.values.tolist()[at],
                    rows=int(counts[at]),
                    count=float(shares[at] * rows.sum()),
                    share=float(shares[at]),
                    outcome=_OUTCOMES[outcome],
                    attribute=table.conditions[index[at]].describe(),
                )
            )
    return mixed


def warn_of_mixed(tables: Iterable[BinTable], data: LabelledRows, component: BaseEstimator) -> None:
    """One warning for all such values, with the options of a binner or learner that keep each from an attribute."""
    mixed = chain.from_iterable(mixed_values(each, data) for each in tables)
    told = [f"{each}. {_fix(each, component)}" for each in mixed]
    if told:
        warn_caller(f"Telling values are lost among others. {' '.join(told)}", MixedValueWarning)


def _fix(mixed: MixedValue, component: BaseEstimator) -> str:
    """The options that are above what the value has; where none is, those that fix attributes by hand."""
    sizes = {"min_count": mixed.count, "min_share": mixed.share, "rare_share": mixed.share, "min_events": 0.0}
    limits = {name: _limit(component, name, mixed.feature) for name in sizes}
    above = [f"{name} ({limits[name]:g})" for name, size in sizes.items() if limits[name] > size * (1 + 1e-12)]
    if above:
        return f"Fix: lower {' and '.join(above)}."
    by_hand = "merges" if isinstance(mixed.value, str) else "cuts"
    if by_hand in vars(component):
        return f"Fix: give it an attribute of its own by the option {by_hand}."
    return "It is large enough for one of its own: other options or bounds keep it there."


def _limit(component: BaseEstimator, option: str, feature: str) -> float:
    """The value of an option for a feature, its own or the default one; 0 where there is no such option."""
    value = vars(component).get(option)
    if isinstance(value, Mapping):
        default = signature(type(component)).parameters.get(option)
        value = value.get(feature, default and default.default)
    return float(value) if isinstance(value, Real) else 0.0
