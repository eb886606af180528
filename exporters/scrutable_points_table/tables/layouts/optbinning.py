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
from scrutable_points_table.tables.layouts.layout import Layout
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


def _read(sheet: Sheet, options: ImportOptions) -> list[Line]:
    sheet.require(*_COLUMNS)
    lines = []
    for row, (name, bin_, points, nonevent, event) in sheet.cells(*_COLUMNS, "Non-event", _EVENT):
        where = f"row {row}"
        if name is None:
            raise InputError("no variable is named", where=f"{where}, Variable", fix="name the variable in every row")
        feature = str(name)
        counts = [count_of(nonevent, f"{where}, Non-event"), count_of(event, f"{where}, {_EVENT}")]
        good, bad = reversed(counts) if options.event_is_good else counts
        kind, condition, special = _bin(bin_, options.kinds.get(feature), where)
        lines.append(
            Line(
                row=row,
                characteristic=feature,
                printed=str(bin_) if condition is None else condition.describe(),
                points=number_of(points, f"{where}, Points"),
                conditions=() if condition is None else (condition,),
                special=special,
                kind=kind,
                good=good,
                bad=bad,
            )
        )
    return lines


def _bin(bin_: Any, kind: Kind | None, where: str) -> tuple[Kind | None, AttributeCondition | None, str]:
    """The kind that a bin shows, its condition, or the name of its special codes."""
    if bin_ is None:
        raise InputError("no bin is named", where=f"{where}, Bin", fix="give every row its bin")
    if not isinstance(bin_, str):
        return _categories([(value, spelt(value, f"{where}, Bin")) for value in _plain(bin_, where)], kind)
    if bin_ == _MISSING:
        return kind, Missing(), ""
    interval = None if kind == "categorical" else interval_of(bin_, f"{where}, Bin")
    if interval is not None:
        return "numeric", interval, ""
    listed = _LISTED.fullmatch(bin_)
    if listed is None:
        return kind, None, bin_
    return _categories(_printed(listed.group(1), where), kind)


def _categories(values: list[tuple[Any, str]], kind: Kind | None) -> tuple[Kind | None, AttributeCondition, str]:
    """The condition of values and their spelling as texts; all are numbers, or all are texts."""
    numeric = kind == "numeric" or (kind is None and not any(isinstance(value, str) for value, _ in values))
    checked: tuple[Value, ...] = tuple(float(value) if numeric else text for value, text in values)
    return ("numeric" if numeric else "categorical"), Categories(checked), ""


def _plain(values: Any, where: str) -> list[Any]:
    if not isinstance(values, Iterable):
        allowed = "an interval, a list of categories, Special or Missing"
        fix = "import the table as OptBinning gives it"
        raise InputError("a bin that cannot be read", where=f"{where}, Bin", got=str(values), allowed=allowed, fix=fix)
    return [value.item() if hasattr(value, "item") else value for value in values]


def _printed(text: str, where: str) -> list[tuple[Any, str]]:
    """The values of an array that was printed, and how each is spelt; arrays print the number 1.0 as `1.`."""
    tokens = re.findall(_TOKEN, text)
    if not _TOKENS.fullmatch(text):
        cut = "..." in re.sub(_TOKEN, "", text)
        raise InputError(
            "the categories were cut off when they were printed" if cut else "categories that cannot be read",
            where=f"{where}, Bin",
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
                where=f"{where}, Bin",
                got=token,
                allowed="a text as Python prints it",
                fix=r"write a line break as \n and a backslash as \\, or import the fitted scorecard",
            ) from None


def _write(model: Scorecard) -> Sheet:
    refuse_what_no_table_says(model)
    if model.base_points:
        raise UnsupportedModel(
            "layout optbinning cannot say base points",
            where="base points",
            got=model.base_points,
            fix="use the layout plain, or add them to the attributes of one characteristic first",
        )
    rows: list[tuple[Any, ...]] = []
    for feature in _ordered(model):
        [item] = [each for each in model.characteristics if each.feature == feature.name]
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


def _ordered(model: Scorecard) -> list[Feature]:
    features = {feature.name: feature for feature in model.features}
    return [features[item.feature] for item in model.characteristics]


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
