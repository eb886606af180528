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
from collections.abc import Iterable
from typing import Any, cast

from scrutable.errors import InputError, did_you_mean
from scrutable.model import (
    Attribute,
    AttributeCondition,
    Categories,
    Feature,
    Interval,
    Kind,
    Missing,
    Otherwise,
    Scorecard,
    Special,
    Statistics,
    Value,
)
from scrutable_points_table.tables.layouts.layout import Layout
from scrutable_points_table.tables.layouts.notation import characteristics_of, interval_between, spelt
from scrutable_points_table.tables.line import PointsLine, count_of, number_of
from scrutable_points_table.tables.options import ImportOptions
from scrutable_points_table.tables.sheet import Sheet

COLUMNS = (
    *("characteristic", "kind", "attribute", "lower", "upper", "values", "points"),
    *("good", "bad", "reason_code", "label"),
)
#: The cells that say which values a row is about, by its attribute.
_CELLS = {"interval": ("lower", "upper"), "values": ("values",), "special": ("values",), "other": (), "missing": ()}
_ATTRIBUTES = tuple(_CELLS)
_KINDS = ("numeric", "categorical")
#: A value that is the empty text, which an empty cell cannot be.
_EMPTY = r"\e"
_VALUE = r"(?:\\e|(?:\\[\\|]|[^\\|])+)"
_VALUES = re.compile(rf"{_VALUE}(?:\|{_VALUE})*")


def join_values(values: tuple[Value, ...]) -> str:
    r"""Values in one cell.

    >>> print(join_values(("own|rent", "", "free")))
    own\|rent|\e|free
    """
    texts = [repr(value).removesuffix(".0") if isinstance(value, float) else value for value in values]
    return "|".join(re.sub(r"([\\|])", r"\\\1", text) or _EMPTY for text in texts)


def split_values(cell: str, where: str) -> tuple[str, ...]:
    r"""The values of a cell.

    Raises
    ------
    InputError : nothing stands between two bars, or a backslash before another character than a bar or a backslash.

    Examples
    --------
    >>> split_values(r"own\|rent|\e|free", "row 1")
    ('own|rent', '', 'free')
    """
    if not _VALUES.fullmatch(cell):
        raise InputError(
            "values that cannot be read",
            where=where,
            got=cell,
            allowed=r"values with | between them, \e for the empty text, \| for a bar, \\ for a backslash",
            fix="write the values so",
        )
    parts = re.findall(_VALUE, cell)
    return tuple("" if part == _EMPTY else re.sub(r"\\(.)", r"\1", part) for part in parts)


def _matches(sheet: Sheet) -> bool:
    return {"characteristic", "points"} <= {name.casefold() for name in sheet.columns}


def _read(sheet: Sheet, options: ImportOptions) -> list[PointsLine]:
    sheet.require("characteristic", "points")
    if not {"lower", "upper", "values", "attribute"} & set(sheet.columns):
        sheet.require("attribute")
    rows = [(number, dict(zip(COLUMNS, cells, strict=True))) for number, cells in sheet.cells(*COLUMNS)]
    kinds: dict[str, Any] = {str(cells["characteristic"]): "numeric" for _, cells in rows if _is_interval(cells)}
    kinds |= {str(cells["characteristic"]): cells["kind"] for _, cells in rows if cells["kind"] is not None}
    return [_line(number, cells, kinds, options) for number, cells in rows]


def _line(number: int, cells: dict[str, Any], kinds: dict[str, Any], options: ImportOptions) -> PointsLine:
    where = f"row {number}"
    points = number_of(cells["points"], f"{where}, points")
    if cells["characteristic"] is None:
        _refuse_filled(
            cells,
            ("kind", "attribute", "lower", "upper", "values"),
            "no characteristic is named",
            where=where,
            allowed="empty in the row of base points",
            fix="name the characteristic in every row; merged cells name it in the first only",
        )
        return PointsLine(row=number, printed="base points", points=points)
    name, kind = str(cells["characteristic"]), _kind(cells, kinds, options, where)
    condition = _condition(cells, kind, options, where)
    good, bad = (count_of(cells[key], f"{where}, {key}") for key in ("good", "bad"))
    reason_code, label = (
        None if cells[key] is None else spelt(cells[key], f"{where}, {key}") for key in ("reason_code", "label")
    )
    return PointsLine(
        row=number,
        characteristic=name,
        printed=condition.describe(),
        points=points,
        conditions=(condition,),
        kind=kind,
        reason_code=reason_code,
        label=label or "",
        good=good,
        bad=bad,
    )


def _is_interval(cells: dict[str, Any]) -> bool:
    word = str(cells["attribute"] or "").strip().casefold()
    return word == "interval" or cells["lower"] is not None or cells["upper"] is not None


def _kind(cells: dict[str, Any], kinds: dict[str, Any], options: ImportOptions, where: str) -> Kind | None:
    """The kind that was said, or that this row or another of the characteristic shows."""
    name, own = str(cells["characteristic"]), cells["kind"]
    given = options.kinds.get(name, kinds.get(name) if own is None else own)
    if given is not None and given not in _KINDS:
        raise InputError("unknown kind", where=f"{where}, kind", got=given, allowed=" or ".join(_KINDS))
    return cast("Kind | None", given)


def _condition(cells: dict[str, Any], kind: Kind | None, options: ImportOptions, where: str) -> AttributeCondition:
    word = _attribute(cells, where)
    _refuse_filled(
        cells,
        [name for name in ("lower", "upper", "values") if name not in _CELLS[word]],
        "the row says two things",
        where=where,
        allowed=f"empty in a row of attribute {word}",
        fix="give each its row, codes one of attribute special, and words for people the column label",
    )
    if word == "missing":
        return Missing()
    if word == "other":
        return Otherwise()
    if word == "interval":
        lower, upper = (
            outer if cells[name] is None else number_of(cells[name], f"{where}, {name}")
            for name, outer in (("lower", float("-inf")), ("upper", float("inf")))
        )
        return interval_between(lower, upper, options.closed or "left", f"{lower} to {upper}", where)
    if cells["values"] is None:
        raise InputError("no value is listed", where=f"{where}, values", fix="list the values, with | between them")
    listed = cells["values"]
    numeric, cell = kind == "numeric", f"{where}, values"
    texts = split_values(listed, cell) if isinstance(listed, str) else (listed,)
    values: tuple[Value, ...] = tuple(number_of(text, cell) if numeric else spelt(text, cell) for text in texts)
    return Special(values) if word == "special" else Categories(values)


def _refuse_filled(
    cells: dict[str, Any], names: Iterable[str], what: str, *, where: str, allowed: str, fix: str
) -> None:
    """Refuse a row with cells that have no meaning in it: its points would go to other values than it says."""
    for name in names:
        if cells[name] is not None:
            raise InputError(what, where=f"{where}, {name}", got=cells[name], allowed=allowed, fix=fix)


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
    characteristics = characteristics_of(model)
    rows = [_row("", "", "", points=model.base_points)]
    rows += [_of_attribute(feature, attribute) for item, feature in characteristics for attribute in item.attributes]
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
    special_row="attribute special, and the code in values",
    prints_ends=False,
)
