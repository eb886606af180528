"""Intervals in brackets, as tables print them, and what layouts have in common when they refuse a model."""

from __future__ import annotations

import math
import re
from numbers import Number
from typing import Any

from scrutable.errors import InputError, UnsupportedModel
from scrutable.model import Characteristic, Closed, Feature, Interval, Scorecard, refuse_extras
from scrutable.writing import number

_INTERVAL = re.compile(r"\s*([\[(])\s*([^,\s\[\]()]+)\s*,\s*([^,\s\[\]()]+)\s*([\])])\s*")


def prints_interval(text: str) -> bool:
    """Whether a text has the form of an interval, even of one that holds no number.

    >>> prints_interval("[5,1)"), prints_interval("(a, b)")
    (True, False)
    """
    return _ends(text) is not None


def interval_of(text: str, where: str = "points table") -> Interval | None:
    """The interval that a text prints, or None where it prints none.

    Raises
    ------
    InputError : ends that leave nothing between them, as two cuts that were printed with too few digits do.

    Examples
    --------
    >>> interval_of("[-inf,26.0)"), interval_of("(26, Inf]"), interval_of("owner")
    (Interval(lower=-inf, upper=26.0, closed='left'), Interval(lower=26.0, upper=inf, closed='right'), None)
    """
    ends = _ends(text)
    return None if ends is None else interval_between(*ends, text, where)


def _ends(text: str) -> tuple[float, float, Closed] | None:
    """Lower end, upper end, and which of them belong to the interval."""
    match = _INTERVAL.fullmatch(text)
    if match is None:
        return None
    left, low, high, right = match.groups()
    try:
        return float(low), float(high), closed_by(left == "[", right == "]")
    except ValueError:
        return None


def interval_between(lower: float, upper: float, closed: Closed, printed: str, where: str) -> Interval:
    """The interval, if it holds a number."""
    if math.isnan(lower) or math.isnan(upper) or lower > upper or (lower == upper and closed != "both"):
        raise InputError(
            "the interval holds no number",
            where=where,
            got=printed,
            allowed="a lower end below the upper one",
            fix="print the cuts with more digits, or import the fitted object",
        )
    return Interval(lower, upper, closed)


def closed_by(left: bool, right: bool) -> Closed:
    """Which ends belong to an interval."""
    return ("both" if right else "left") if left else ("right" if right else "neither")


def left_closed(interval: Interval) -> Interval:
    """An interval's numbers as [lower, upper), the form that scorecards hold.

    >>> left_closed(Interval(upper=26, closed="right")).exactly()
    '< 26.000000000000004'
    """
    lower, upper = interval.lower, interval.upper
    if not interval.closed_lower:
        lower = math.nextafter(lower, math.inf)
    if interval.closed_upper and upper < math.inf:
        upper = math.nextafter(upper, math.inf)
    return Interval(lower, upper)


def spelt(cell: Any, where: str) -> str:
    """A cell as a text, such as a category. Frames make 1.0 of the code 1 where others are missing; its text is 1.

    Raises
    ------
    InputError : the cell holds neither a text nor a number, such as the date that a spreadsheet makes of 1-5.

    Examples
    --------
    >>> spelt(1.0, "row 1"), spelt(2.5, "row 2"), spelt("1.0", "row 3")
    ('1', '2.5', '1.0')
    """
    if not isinstance(cell, str | Number):
        raise InputError(
            "neither a text nor a number",
            where=where,
            got=str(cell),
            allowed="a text or a number",
            fix="write it as a text; in cells that are not formatted as text, spreadsheets make dates of such as 1-5",
        )
    return number(cell) if isinstance(cell, float) else str(cell)


def closed_right(model: Scorecard, feature: str) -> bool:
    """Whether a characteristic's cuts read better as ends that are included: each lies just above a shorter number."""
    [characteristic] = [each for each in model.characteristics if each.feature == feature]
    conditions = [each.condition for each in characteristic.attributes]
    cuts = [c.upper for c in conditions if isinstance(c, Interval) and c.upper < math.inf]
    return bool(cuts) and all(len(repr(math.nextafter(cut, -math.inf))) < len(repr(cut)) for cut in cuts)


def characteristics_of(model: Scorecard) -> list[tuple[Characteristic, Feature]]:
    """The characteristics with their features; refused is a model with a policy, which no table has a place for."""
    refuse_extras(model, by="a points table")
    if model.policy.knock_outs:
        raise UnsupportedModel(
            "a points table has no place for knock-outs",
            where="policy",
            got=[rule.code for rule in model.policy.knock_outs],
            fix="export the whole model instead, or keep the knock-outs where the points table is used",
        )
    features = {feature.name: feature for feature in model.features}
    return [(item, features[item.feature]) for item in model.characteristics]


def unsupported(layout: str, what: str, feature: Feature, got: object) -> UnsupportedModel:
    """The error for what a layout cannot say of a characteristic."""
    return UnsupportedModel(
        f"layout {layout} cannot say {what}",
        where=f"characteristic {feature.name!r}",
        got=got,
        fix="use the layout plain, which says everything that a scorecard's points can",
    )
