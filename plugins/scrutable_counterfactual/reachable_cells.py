"""Which cells an applicant can reach, and the value in each that is nearest to what the applicant has."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from scrutable.data.frames import Column
from scrutable.errors import InputError, did_you_mean
from scrutable.model import Categories, Interval
from scrutable.writing import number
from scrutable_counterfactual.actions import Action
from scrutable_counterfactual.arrays import Flags, Floats, Positions
from scrutable_counterfactual.domains import Domain
from scrutable_counterfactual.reference import frequency, observed


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reach:
    """One feature of n applicants.

    Parameters
    ----------
    current : (n,) cells.
    allowed : (n, cells) cells that can be proposed; of those of one attribute the nearest, and none of the current one.
    distance : (n, cells) between the value and the nearest one of the cell: a difference of numbers, steps of an order
        divided by all its steps, 1 between texts without order; infinite to and from what is no measurement.
    nearest : (row, cell) -> that value, and whether it is one of the reference's; None is missing.
    required : (row, cell) -> what will do, in words.
    """

    current: Positions
    allowed: Flags
    distance: Floats
    nearest: Callable[[int, int], tuple[float | str | None, bool]]
    required: Callable[[int, int], str]


def reach_of(
    domain: Domain, action: Action, column: Column, reference: Column | None, *, neutral: bool = False
) -> Reach:
    """What the values of a column can become.

    Parameters
    ----------
    neutral : whether cells that the model does not tell from the applicant's can be proposed; only rules between
        features can want that.

    Raises
    ------
    InputError : the action has parameters that the feature cannot have.
    """
    _check(domain, action)
    if domain.feature.kind == "numeric":
        reach = _Numbers(domain, action, column, reference).reach()
    else:
        reach = _Texts(domain, action, column, reference).reach()
    if neutral:
        return reach
    differs = domain.worth[None, :] != domain.worth[reach.current][:, None]
    return replace(reach, allowed=reach.allowed & differs)


def _check(domain: Domain, action: Action) -> None:
    where = f"actions, feature {domain.feature.name!r}"
    if domain.feature.kind == "numeric" and action.order:
        raise InputError("an order is for texts", where=where, got=action.order, fix="use lower, upper and change")
    if domain.feature.kind == "categorical":
        if (action.lower, action.upper) != (-math.inf, math.inf):
            raise InputError("a range is for numbers", where=where, fix="list the texts in order")
        if action.change in ("up", "down") and not action.order:
            raise InputError("texts have no direction", where=where, got=action.change, fix="give their order")
        for text in action.order:
            if text not in domain.cells.groups:
                fix = did_you_mean(text, domain.cells.groups)
                raise InputError("the model knows no such text", where=where, got=text, fix=fix)


def _proposable(domain: Domain, action: Action) -> Flags:
    """(cells,) by kind alone."""
    cells: Flags = domain.ordinary | (domain.special & action.special)
    cells[0] = action.missing
    return np.zeros_like(cells) if action.change == "none" else cells


def _of_one_meaning(domain: Domain, current: Positions, allowed: Flags, distance: Floats) -> Flags:
    """The nearest cell of each attribute, and none of the current one."""
    kept: Flags = allowed & (domain.meaning[None, :] != domain.meaning[current][:, None])
    for meaning in np.flatnonzero(np.bincount(domain.meaning) > 1):
        cells = np.flatnonzero(domain.meaning == meaning)
        far = np.where(kept[:, cells], np.minimum(distance[:, cells], np.finfo(float).max), np.inf)
        best = cells[np.argmin(far, axis=1)]
        inside = kept[np.arange(len(kept)), best]
        kept[:, cells] = False
        kept[np.arange(len(kept)), best] = inside
    return kept


def _apart(one: Floats, other: Floats) -> Floats:
    """The distance of numbers; 0 between equal infinities, infinite from what is none."""
    with np.errstate(invalid="ignore", over="ignore"):
        return np.where(one == other, 0.0, np.nan_to_num(np.abs(one - other), nan=np.inf, posinf=np.inf))


class _Numbers:
    """A numeric feature: the range of each cell, within what the action allows, for each applicant."""

    def __init__(self, domain: Domain, action: Action, column: Column, reference: Column | None) -> None:
        self.domain, self.values = domain, column.values
        self.current = domain.locate(column)
        self.known = np.array([]) if reference is None else observed(domain, reference)
        if action.whole:
            self.known = self.known[self.known == np.floor(self.known)]
        measured = domain.ordinary[self.current]
        x = np.where(measured, self.values, np.nan)[:, None]
        cuts = np.array(domain.cells.cuts)
        low = np.r_[np.nan, cuts]
        with np.errstate(over="ignore"):
            high = np.r_[np.nan, np.nextafter(cuts[1:], -np.inf), np.inf]
        self.low = np.maximum(low[None, :], action.lower) + np.zeros_like(x)
        self.high = np.minimum(high[None, :], action.upper) + np.zeros_like(x)
        if action.change == "up":
            self.low = np.fmax(self.low, x)
        if action.change == "down":
            self.high = np.fmin(self.high, x)
        if action.whole:
            self.low, self.high = np.ceil(self.low), np.floor(self.high)
        self.low[:, domain.special], self.high[:, domain.special] = low[domain.special], low[domain.special]
        self.allowed = _proposable(domain, action) & np.where(np.arange(len(low)) == 0, True, self.low <= self.high)
        middle = float(np.quantile(self.known, 0.5, method="lower")) if len(self.known) else 0.0
        self.start = np.where(np.isnan(x), middle, x)
        self.near, self.seen = self._near()
        measurable = measured[:, None] & domain.ordinary[None, :]
        self.distance = np.where(measurable, _apart(self.near, x), np.inf)

    def reach(self) -> Reach:
        away = np.where(np.isfinite(self.distance), self.distance, _apart(self.near, self.start))
        allowed = _of_one_meaning(self.domain, self.current, self.allowed, away)
        return Reach(
            current=self.current,
            allowed=allowed,
            distance=self.distance,
            nearest=self._nearest,
            required=self._required,
        )

    def _near(self) -> tuple[Floats, Flags]:
        """(n, cells) the nearest value of the reference in each range, else the nearest number.

        Who has a whole number is told a whole number, where there is one.
        """
        with np.errstate(invalid="ignore"):
            clipped = np.fmin(np.fmax(self.start, self.low), self.high)
            whole = np.where(clipped > self.start, np.ceil(clipped), np.floor(clipped))
        kept = (self.start == np.floor(self.start)) & (self.low <= whole) & (whole <= self.high)
        unseen = np.where(kept, whole, clipped)
        if not len(self.known):
            return unseen, np.zeros(clipped.shape, dtype=bool)
        last = len(self.known) - 1
        above = self.known[np.minimum(np.searchsorted(self.known, clipped), last)]
        below = self.known[np.maximum(np.searchsorted(self.known, clipped, side="right") - 1, 0)]
        inside = [(self.low <= value) & (value <= self.high) for value in (above, below)]
        closer = _apart(above, self.start) <= _apart(below, self.start)
        first = inside[0] & (closer | ~inside[1])
        return np.where(first, above, np.where(inside[1], below, unseen)), inside[0] | inside[1]

    def _nearest(self, row: int, cell: int) -> tuple[float | None, bool]:
        if cell == 0:
            return None, False
        return float(self.near[row, cell]), bool(self.seen[row, cell])

    def _required(self, row: int, cell: int) -> str:
        if cell == 0:
            return "missing"
        low, high = float(self.low[row, cell]), float(self.high[row, cell])
        if low == high:
            return number(low)
        cuts = self.domain.cells.cuts
        if cell < len(cuts) and math.nextafter(cuts[cell], -math.inf) == high:
            return Interval(low, cuts[cell]).told(self.domain.cells.spelled)
        return Interval(low, high, closed="both").told(self.domain.cells.spelled)


class _Texts:
    """A categorical feature: the texts of each cell that the action allows, for each text that an applicant has."""

    def __init__(self, domain: Domain, action: Action, column: Column, reference: Column | None) -> None:
        self.domain, self.action, self.values = domain, action, column.values
        self.current = domain.locate(column)
        self.seen = Counter[str]() if reference is None else frequency(reference)
        self.unnamed = [text for text in self.seen if text not in domain.cells.groups] if domain.open else []
        self.place = {text: place for place, text in enumerate(action.order)}
        self.levels: dict[str | None, int] = {}
        self.level = np.array([self.levels.setdefault(value, len(self.levels)) for value in self.values], np.intp)
        self.texts = [[self._texts(text, cell) for cell in range(len(domain.points))] for text in self.levels]

    def reach(self) -> Reach:
        some = np.array([[bool(texts) for texts in row] for row in self.texts]).reshape(len(self.levels), -1)
        some[:, 0] = True
        far = np.array(
            [[self._far(text, texts) for texts in row] for text, row in zip(self.levels, self.texts, strict=True)]
        )
        distance = far.reshape(len(self.levels), -1)[self.level]
        allowed = (_proposable(self.domain, self.action) & some)[self.level]
        return Reach(
            current=self.current,
            allowed=_of_one_meaning(self.domain, self.current, allowed, distance),
            distance=distance,
            nearest=self._nearest,
            required=self._required,
        )

    def _texts(self, own: str | None, cell: int) -> list[str]:
        """The texts of a cell that can be proposed to who has `own`."""
        texts = list(self.domain.texts[cell]) if cell != 1 else self.unnamed
        if not self.place or self.domain.special[cell]:
            return texts
        here = self.place.get(own) if own is not None else None
        known = [text for text in texts if text in self.place]
        if here is None or self.action.change == "any":
            return known
        return [text for text in known if (self.place[text] > here) == (self.action.change == "up")]

    def _far(self, own: str | None, texts: list[str]) -> float:
        if own is None or not texts or not self.domain.ordinary[self.domain.cells.groups.get(own, 1)]:
            return math.inf
        steps = [abs(self.place[text] - self.place[own]) for text in texts if text in self.place and own in self.place]
        return min(steps) / max(1, len(self.place) - 1) if steps else 1.0

    def _own(self, row: int, cell: int) -> list[str]:
        return self.texts[int(self.level[row])][cell]

    def _required(self, row: int, cell: int) -> str:
        if cell == 0:
            return "missing"
        if cell == 1:
            return Categories(tuple(self.domain.cells.groups), negated=True).describe()
        return " or ".join(map(repr, self._own(row, cell)))

    def _nearest(self, row: int, cell: int) -> tuple[str | None, bool]:
        texts, own = self._own(row, cell), self.values[row]
        if not texts:
            return None, False
        if own in self.place:
            text = min(texts, key=lambda text: abs(self.place.get(text, len(self.place)) - self.place[own]))
        else:
            text = max(texts, key=lambda text: self.seen[text])
        return text, self.seen[text] > 0
