"""Splits that a tree of segments may make: at the bins of a feature, each as a condition in words."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import BinTable
from scrutable.model import Categories, Interval, Missing, Special

_PLAIN = re.compile(r"[^\W\d]\w*")
_WORDS = frozenset(("and", "or", "not", "in", "is", "missing", "special"))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """A split in two.

    Parameters
    ----------
    when : the condition of one side, as `scrutable.model.read_conditions` reads it; the other side is all else.
    feature : position of its feature.
    inside : (attributes,) which attributes of the feature the condition holds for.
    """

    when: str
    feature: int
    inside: NDArray[np.bool_]


def candidates(table: BinTable, position: int) -> Iterator[Candidate]:
    """Below each cut of a number; each category, and the worst categories together; the missing; special codes.

    Features whose names cannot be written in a condition give none.
    """
    name = _name(table.feature.name)
    if name is None:
        return
    size = len(table.conditions)
    for left, right in itertools.pairwise(table.ordered):
        inside = np.isin(np.arange(size), [at for at in table.ordered if at <= left])
        upper = table.conditions[right]
        if isinstance(upper, Interval):
            yield Candidate(when=f"{name} < {upper.lower!r}", feature=position, inside=inside)
    named = [at for at, each in enumerate(table.conditions) if isinstance(each, Categories)]
    worst_first = sorted(named, key=lambda at: table.woe[at])
    sets = [[at] for at in named] + [worst_first[:many] for many in range(2, len(named) - 1)]
    for places in sets if len(named) > 1 else []:
        values = [value for at in places for value in _values(table, at)]
        when = f"{name} = {values[0]}" if len(values) == 1 else f"{name} in [{', '.join(values)}]"
        yield Candidate(when=when, feature=position, inside=np.isin(np.arange(size), places))
    for at, each in enumerate(table.conditions):
        if isinstance(each, Missing):
            yield Candidate(when=f"{name} is missing", feature=position, inside=np.arange(size) == at)
        if isinstance(each, Special):
            codes = ", ".join(map(_text, each.codes))
            yield Candidate(when=f"{name} is special [{codes}]", feature=position, inside=np.arange(size) == at)


def _values(table: BinTable, place: int) -> list[str]:
    condition = table.conditions[place]
    return [_text(value) for value in condition.values] if isinstance(condition, Categories) else []


def _name(name: str) -> str | None:
    if _PLAIN.fullmatch(name) and name not in _WORDS:
        return name
    return None if "`" in name or not name else f"`{name}`"


def _text(value: object) -> str:
    if not isinstance(value, str):
        return repr(value)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
