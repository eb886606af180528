"""Layout optbinning: what `optbinning.Scorecard.table` gives, in either style, as a frame or printed into a file."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable
from typing import Any

from scrutable.errors import InputError, UnsupportedModel
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
    Value,
)
from scrutable.writing import number
from scrutable_points_table.tables.layouts.bins import Bin, lines_of
from scrutable_points_table.tables.layouts.layout import Layout
from scrutable_points_table.tables.layouts.notation import (
    characteristics_of,
    interval_of,
    prints_interval,
    spelt,
    unsupported,
)
from scrutable_points_table.tables.line import PointsLine
from scrutable_points_table.tables.options import ImportOptions
from scrutable_points_table.tables.sheet import Sheet

_NAME = "optbinning"
_COLUMNS = ("Variable", "Bin", "Points")
_SPECIAL, _MISSING, _EVENT = "Special", "Missing", "Event"
_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_NUMBER = r"[-+]?(?:inf|nan|\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)"
_TOKEN = f"{_QUOTED}|{_NUMBER}"
#: Tokens with blanks or commas between them; [18-25] is none of two numbers.
_TOKENS = re.compile(rf"\s*(?:{_TOKEN})(?:[\s,]+(?:{_TOKEN}))*[\s,]*", re.S)
#: An array or a list as Python prints it, with what pandas puts before and after.
_LISTED = re.compile(
    r"\s*(?:<\w+>\s*)?(?:array\()?\[(.*)\](?:,\s*dtype=\w+\))?(?:\s*Length: \d+, dtype: \S+)?\s*", re.S
)


def _matches(sheet: Sheet) -> bool:
    return set(_COLUMNS) <= set(sheet.columns)


def _read(sheet: Sheet, options: ImportOptions) -> list[PointsLine]:
    counts = (_EVENT, "Non-event") if options.event_is_good else ("Non-event", _EVENT)
    return lines_of(sheet, _COLUMNS, counts, lambda cell, feature, where: _bin(cell, options.kinds.get(feature), where))


def _bin(cell: Any, kind: Kind | None, where: str) -> Bin:
    """The kind that a bin shows, its condition, or the name of its special codes."""
    if not isinstance(cell, str):
        return _categories([(value, spelt(value, where)) for value in _plain(cell, where)], kind)
    if cell == _MISSING:
        return _of_condition(kind, Missing())
    interval = None if kind == "categorical" else interval_of(cell, where)
    if interval is not None:
        return _of_condition("numeric", interval)
    listed = _LISTED.fullmatch(cell)
    if listed is None:
        return Bin(printed=cell, kind=kind, special=cell)
    return _categories(_printed(listed.group(1), where), kind)


def _of_condition(kind: Kind | None, condition: AttributeCondition) -> Bin:
    return Bin(printed=condition.describe(), kind=kind, conditions=(condition,))


def _categories(values: list[tuple[Any, str]], kind: Kind | None) -> Bin:
    """The condition of values and their spelling as texts; all are numbers, or all are texts."""
    numeric = kind == "numeric" or (kind is None and not any(isinstance(value, str) for value, _ in values))
    checked: tuple[Value, ...] = tuple(float(value) if numeric else text for value, text in values)
    return _of_condition("numeric" if numeric else "categorical", Categories(checked))


def _plain(values: Any, where: str) -> list[Any]:
    if not isinstance(values, Iterable):
        allowed = "an interval, a list of categories, Special or Missing"
        fix = "import the table as OptBinning gives it"
        raise InputError("a bin that cannot be read", where=where, got=str(values), allowed=allowed, fix=fix)
    return [value.item() if hasattr(value, "item") else value for value in values]


def _printed(text: str, where: str) -> list[tuple[Any, str]]:
    """The values of an array that was printed, and how each is spelt; arrays print the number 1.0 as `1.`."""
    tokens = re.findall(_TOKEN, text)
    if not _TOKENS.fullmatch(text):
        cut = "..." in re.sub(_TOKEN, "", text)
        raise InputError(
            "the categories were cut off when they were printed" if cut else "categories that cannot be read",
            where=where,
            got=text,
            allowed="['rent' 'own']",
            fix="import the table as a frame or the fitted scorecard" if cut else "quote each category",
        )
    quoted = ((token, token[0] in "'\"") for token in tokens)
    return [
        (unquoted := _unquoted(token, where), unquoted) if text else (float(token), re.sub(r"\.0*$", "", token))
        for token, text in quoted
    ]


def _unquoted(token: str, where: str) -> str:
    """The text that Python printed in quotes."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a backslash that Python does not know is not its print
        try:
            return str(ast.literal_eval(token))
        except (SyntaxError, ValueError):
            raise InputError(
                "a quoted category that cannot be read",
                where=where,
                got=token,
                allowed="a text as Python prints it",
                fix=r"write a line break as \n and a backslash as \\, or import the fitted scorecard",
            ) from None


def _write(model: Scorecard) -> Sheet:
    characteristics = characteristics_of(model)
    if model.base_points:
        raise UnsupportedModel(
            "layout optbinning cannot say base points",
            where="base points",
            got=model.base_points,
            fix="use the layout plain, or add them to the attributes of one characteristic first",
        )
    rows: list[tuple[Any, ...]] = []
    for item, feature in characteristics:
        attributes = list(item.attributes)
        _refuse(feature, attributes)
        ordered = [each for each in attributes if isinstance(each.condition, Interval | Categories)]
        specials = [each for each in attributes if isinstance(each.condition, Special)]
        rows += [(feature.name, _text(each.condition), each.points) for each in ordered]
        rows += [(feature.name, special_name(each, len(specials)), each.points) for each in specials]
        rows += [(feature.name, _MISSING, each.points) for each in attributes if isinstance(each.condition, Missing)]
    return Sheet(columns=_COLUMNS, rows=tuple(rows))


def special_name(attribute: Attribute, count: int) -> str:
    """How the row of special codes is called: Special where it is the only one, else by its label or its codes."""
    assert isinstance(attribute.condition, Special)
    if count == 1:
        return attribute.label or _SPECIAL
    return attribute.label or ", ".join(map(_short, attribute.condition.codes))


def special_codes(model: Scorecard) -> dict[str, dict[str, tuple[Value, ...]]]:
    """What has to be known beside the table to read it back: the codes behind each row that names them."""
    by_feature: dict[str, dict[str, tuple[Value, ...]]] = {}
    for item in model.characteristics:
        specials = [each for each in item.attributes if isinstance(each.condition, Special)]
        codes = {
            special_name(s, len(specials)): s.condition.codes for s in specials if isinstance(s.condition, Special)
        }
        by_feature[item.feature] = codes
    return by_feature


def _refuse(feature: Feature, attributes: list[Attribute]) -> None:
    points = {type(each.condition): each.points for each in attributes}
    if Otherwise in points and points[Otherwise] != points[Missing]:
        raise unsupported(
            _NAME,
            "other points for categories it does not list than for missing ones",
            feature,
            (points[Otherwise], points[Missing]),
        )
    if len({type(each.condition) for each in attributes} & {Interval, Categories}) == 0:
        raise unsupported(_NAME, "nothing but missing and special values", feature, "no bin")
    specials = [each for each in attributes if isinstance(each.condition, Special)]
    names = [special_name(each, len(specials)) for each in specials]
    taken = [n for n in names if n == _MISSING or prints_interval(n) or _LISTED.fullmatch(n) is not None]
    if taken or len(set(names)) < len(names):
        raise unsupported(_NAME, "which of its rows are special codes", feature, names)


def _text(condition: AttributeCondition) -> str:
    if isinstance(condition, Interval):
        lower, upper = _end(condition.lower), _end(condition.upper)
        return f"{'(' if lower == '-inf' else '['}{lower}, {upper})"
    assert isinstance(condition, Categories)
    return f"[{' '.join(map(_short, condition.values))}]"


def _end(value: float) -> str:
    """Two decimals, as OptBinning prints, where they are all there are."""
    short = f"{value:.2f}"
    return short if float(short) == value else repr(value)


def _short(value: Value) -> str:
    return repr(value) if isinstance(value, str) else number(value)


OPTBINNING = Layout(
    name=_NAME,
    matches=_matches,
    read=_read,
    write=_write,
    unlisted_missing="unknown",
    unlisted_category="as missing",
    conventions=(
        "intervals are closed at the left, [a, b), as OptBinning's are",
        "cuts are taken as they are printed; OptBinning prints two decimals of them, so a value between a cut and its "
        "print would score otherwise: from_optbinning reads the exact cuts",
    ),
    numbers=("Points", "Non-event", _EVENT),
    event=_EVENT,
    special_row="Bin Special, and the code named with special_codes",
    prints_ends=True,
)
