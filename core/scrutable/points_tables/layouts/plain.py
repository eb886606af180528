"""Layout plain: a tidy table with a row for each attribute, which says everything that a scorecard's points can.

| column | what it holds |
| --- | --- |
| characteristic | the column that is read; empty for base points |
| kind | numeric or categorical; may be left out |
| attribute | interval, values, special, other or missing; may be left out where the next columns tell |
| lower, upper | ends of an interval; empty for no end |
| values | categories or special codes, with | between them |
| points | a number |
| good, bad | rows of either outcome; may be left out |
| reason_code, label | may be left out |
"""

from __future__ import annotations

import re
from typing import Any, cast

from scrutable.errors import InputError, did_you_mean
from scrutable.model import (
    Attribute,
    Categories,
    Interval,
    Missing,
    Otherwise,
    Scorecard,
    Special,
    Statistics,
)
from scrutable.model.conditions import AttributeCondition
from scrutable.model.features import Feature, Kind, Value
from scrutable.points_tables.layouts.layout import Layout
from scrutable.points_tables.layouts.notation import interval_between, refuse_what_no_table_says, spelt
from scrutable.points_tables.line import Line, number_of
from scrutable.points_tables.options import ImportOptions
from scrutable.points_tables.sheet import Sheet

COLUMNS = (
    *("characteristic", "kind", "attribute", "lower", "upper", "values", "points"),
    *("good", "bad", "reason_code", "label"),
)
_ATTRIBUTES = ("interval", "values", "special", "other", "missing")
_KINDS = ("numeric", "categorical")
#: A value that is the empty text, which an empty cell cannot be.
_EMPTY = r"\e"


def join_values(values: tuple[Value, ...]) -> str:
    r"""Values in one cell.

    >>> print(join_values(("own|rent", "", "free")))
    own\|rent|\e|free
    """
    texts = [repr(value).removesuffix(".0") if isinstance(value, float) else value for value in values]
    return "|".join(re.sub(r"([\\|])", r"\\\1", text) or _EMPTY for text in texts)


def split_values(cell: str) -> tuple[str, ...]:
    r"""The values of a cell.

    >>> split_values(r"own\|rent|\e|free")
    ('own|rent', '', 'free')
    """
    parts = re.findall(r"(?:\\.|[^\\|])+", cell, re.S)
    return tuple("" if part == _EMPTY else re.sub(r"\\(.)", r"\1", part, flags=re.S) for part in parts)


def _matches(sheet: Sheet) -> bool:
    return {"characteristic", "points"} <= {name.casefold() for name in sheet.columns}


def _read(sheet: Sheet, options: ImportOptions) -> list[Line]:
    sheet.require("characteristic", "points")
    if not {"lower", "upper", "values", "attribute"} & set(sheet.columns):
        sheet.require("attribute")
    rows = [(number, dict(zip(COLUMNS, cells, strict=True))) for number, cells in sheet.cells(*COLUMNS)]
    numeric = {str(cells["characteristic"]) for _, cells in rows if _is_interval(cells)}
    return [_line(number, cells, numeric, options) for number, cells in rows]


def _line(number: int, cells: dict[str, Any], numeric: set[str], options: ImportOptions) -> Line:
    where = f"row {number}"
    points = number_of(cells["points"], f"{where}, points")
    if cells["characteristic"] is None:
        return Line(row=number, printed="base points", points=points)
    name, kind = str(cells["characteristic"]), _kind(cells, numeric, options, where)
    condition = _condition(cells, kind, options, where)
    good, bad = (None if cells[key] is None else number_of(cells[key], f"{where}, {key}") for key in ("good", "bad"))
    return Line(
        row=number,
        characteristic=name,
        printed=condition.describe(),
        points=points,
        conditions=(condition,),
        kind=kind,
        reason_code=None if cells["reason_code"] is None else str(cells["reason_code"]),
        label=str(cells["label"] or ""),
        good=good,
        bad=bad,
    )


def _is_interval(cells: dict[str, Any]) -> bool:
    word = str(cells["attribute"] or "").strip().casefold()
    return word == "interval" or cells["lower"] is not None or cells["upper"] is not None


def _kind(cells: dict[str, Any], numeric: set[str], options: ImportOptions, where: str) -> Kind | None:
    given = options.kinds.get(str(cells["characteristic"]), cells["kind"])
    if given is not None and given not in _KINDS:
        raise InputError("unknown kind", where=f"{where}, kind", got=given, allowed=" or ".join(_KINDS))
    if given is None and str(cells["characteristic"]) in numeric:
        return "numeric"
    return cast("Kind | None", given)


def _condition(cells: dict[str, Any], kind: Kind | None, options: ImportOptions, where: str) -> AttributeCondition:
    word = _attribute(cells, where)
    if word == "missing":
        return Missing()
    if word == "other":
        return Otherwise()
    if word == "interval":
        ends = [cells["lower"], cells["upper"]]
        lower, upper = (
            outer if end is None else number_of(end, where)
            for end, outer in zip(ends, (float("-inf"), float("inf")), strict=True)
        )
        return interval_between(lower, upper, options.closed or "left", f"{where}: {lower} to {upper}")
    if cells["values"] is None:
        raise InputError("no value is listed", where=f"{where}, values", fix="list the values, with | between them")
    listed = cells["values"]
    texts = (listed,) if isinstance(listed, int | float) else split_values(str(listed))
    numeric = kind == "numeric"
    values: tuple[Value, ...] = tuple(number_of(text, where) if numeric else spelt(text) for text in texts)
    return Special(values) if word == "special" else Categories(values)


def _attribute(cells: dict[str, Any], where: str) -> str:
    """What the row is about, from its own word or from the cells that are filled."""
    word = str(cells["attribute"] or "").strip().casefold()
    if word in _ATTRIBUTES:
        return word
    if word:
        got = cells["attribute"]
        fix = did_you_mean(word, _ATTRIBUTES)
        raise InputError(
            "unknown attribute", where=f"{where}, attribute", got=got, allowed=", ".join(_ATTRIBUTES), fix=fix
        )
    if cells["values"] is not None:
        return "values"
    if cells["lower"] is None and cells["upper"] is None:
        fix = "fill lower and upper, or values, or write interval, other or missing into the column attribute"
        raise InputError("the row does not say what it is about", where=where, fix=fix)
    return "interval"


def _write(model: Scorecard) -> Sheet:
    refuse_what_no_table_says(model)
    rows = [_row("", "", "", points=model.base_points)]
    features = {feature.name: feature for feature in model.features}
    for item in model.characteristics:
        rows += [_of_attribute(features[item.feature], attribute) for attribute in item.attributes]
    return Sheet(columns=COLUMNS, rows=tuple(rows))


def _of_attribute(feature: Feature, attribute: Attribute) -> tuple[Any, ...]:
    condition, statistics = attribute.condition, attribute.statistics
    further: dict[str, Any] = {"reason_code": attribute.reason_code, "label": attribute.label or None}
    if isinstance(statistics, Statistics):
        further |= {"good": statistics.good, "bad": statistics.bad}
    if isinstance(condition, Interval):
        ends = {"lower": condition.lower, "upper": condition.upper}
        further |= {key: end for key, end in ends.items() if abs(end) < float("inf")}
        word = "interval"
    elif isinstance(condition, Categories):
        word, further["values"] = "values", join_values(condition.values)
    elif isinstance(condition, Special):
        word, further["values"] = "special", join_values(condition.codes)
    else:
        word = "missing" if isinstance(condition, Missing) else "other"
    return _row(feature.name, feature.kind, word, points=attribute.points, **further)


def _row(characteristic: str, kind: str, attribute: str, **further: Any) -> tuple[Any, ...]:
    cells = {"characteristic": characteristic or None, "kind": kind or None, "attribute": attribute or None, **further}
    return tuple(cells.get(name) for name in COLUMNS)


PLAIN = Layout(
    name="plain",
    matches=_matches,
    read=_read,
    write=_write,
    unlisted_missing="unknown",
    unlisted_category="unknown",
    conventions=(),
    numbers=("lower", "upper", "points", "good", "bad"),
    any_case=COLUMNS,
    event=None,
    prints_ends=False,
)
