"""What cannot be reproduced exactly, found before any text is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from scrutable.errors import InputError, UnsupportedModel, did_you_mean
from scrutable.model import LIMIT, Calibration, Model, Scorecard, TreeEnsemble, features_read
from scrutable_sql.common import Plan
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Call, Case, Expression, Sum
from scrutable_sql.quoting import inner_text, is_plain, parts
from scrutable_sql.render import Statement

_NAME = re.compile("[^\x00\ud800-\udfff]+")

#: With more, intercept + slope * score could overflow, which some engines refuse to compute.
_LARGEST = 1e300


def supported(model: Model, options: SQLOptions) -> None:
    """Refuse options that do not fit the model's features, and calibrations that an engine cannot compute."""
    known = [feature.name for feature in model.features]
    for option, names in (("columns", options.columns), ("booleans", options.booleans)):
        for key in names:
            if key not in known:
                raise InputError(
                    "the model reads no such feature", where=f"option {option}", got=key, fix=did_you_mean(key, known)
                )
    for feature in model.features:
        if feature.name in options.booleans and feature.kind != "numeric":
            raise InputError("booleans are numeric features", where="option booleans", got=feature.name)
    if options.form == "table" and options.target.create_table is None:
        raise UnsupportedModel(
            f"{options.target.title} has no CREATE TABLE AS", where="option form", got="table", fix="use form='view'"
        )
    if options.raising and not options.target.raising:
        raise UnsupportedModel(
            f"{options.target.title} has no expression that stops a statement with a message",
            where="option raising",
            got=True,
            fix="leave it out, and stop where the check returns a row",
        )
    for single in model.parts:
        if isinstance(single, Scorecard | TreeEnsemble):
            _calibration(single.calibration, options)


def names(model: Model, plan: Plan, options: SQLOptions) -> None:
    """Refuse names that an engine could mix up, cut off or not have."""
    features = [feature.name for feature in features_read(model)]
    columns = [options.column(feature) for feature in features]
    results = [*options.ids, *(result.name for result in plan.results), *options.marks]
    _distinct(features, "features", "rename the features in the model")
    _distinct(columns, "columns of the table", "give each feature a column of its own in columns=…")
    _distinct(results, "columns of the result", "leave it out of ids, or rename it in a view of the table")
    read = () if options.form in ("function", "set") else parts(options.table)
    made = (options.name, options.texts, options.reasons_view)
    tables = [*read, *(part for table in made if table is not None for part in parts(table))]
    for text in (*tables, *options.ids, *columns):
        if not _NAME.fullmatch(text):
            raise InputError("not a name that a table or column can have", where="options", got=text)
    for text in columns:
        if text.casefold() in options.target.row_numbers:
            raise UnsupportedModel(
                f"{options.target.title} reads its own row number where the table has no such column",
                where="columns of the table",
                got=text,
                fix="map the feature to a column of another name with columns=",
            )
    inner = [inner_text(f"x_{feature}", options.target) for feature in features]
    _distinct(inner, "features", "rename the features in the model")
    whose = {f"points_{each}": f"the interaction {each!r}" for each in _interactions(model)}
    whose |= {text: f"the table {text!r}" for text in tables} | {text: f"the column {text!r}" for text in options.ids}
    for feature, column, own in zip(features, columns, inner, strict=True):
        named = (f"points_{feature}", own, *((column,) if column == feature else ()))
        whose |= {column: f"the column {column!r}"} | dict.fromkeys(named, f"the feature {feature!r}")
    everything = {text: whose.get(text, f"the result {text!r}") for text in [*tables, *columns, *results, *inner]}
    _allowed(everything, options)
    _short_enough(everything, options)
    _plain(everything, options)


def limits(statement: Statement) -> None:
    """Refuse results with more columns than the engine has, and deeper CASE than it takes."""
    options = statement.options
    count = sum(len(step.columns) for step in statement.steps) + len(statement.ids) + 1
    if count > options.target.max_columns:
        raise UnsupportedModel(
            "more columns than the engine can hold",
            where=f"dialect {options.dialect}",
            got=count,
            allowed=f"at most {options.target.max_columns}",
        )
    columns = [statement.readable, *(column for step in statement.steps for column in step.columns)]
    depth = max(_depth(column.expression) for column in columns)
    if depth > options.target.max_cases:
        raise UnsupportedModel(
            f"CASE nests deeper than {options.target.title} is sure to take",
            where=f"dialect {options.dialect}",
            got=depth,
            allowed=f"at most {options.target.max_cases}",
            fix="fit shallower trees",
        )


def _depth(expression: Expression) -> int:
    """How deep CASE nests."""
    if isinstance(expression, str | Call):
        return 0
    if isinstance(expression, Sum):
        return max(map(_depth, expression.terms), default=0)
    parts: list[str | Case] = [*(rung.then for rung in expression.rungs), expression.otherwise]
    return 1 + max(map(_depth, parts))


def _calibration(calibration: Calibration, options: SQLOptions) -> None:
    if max(calibration.slope, abs(calibration.intercept)) * LIMIT > _LARGEST:
        raise UnsupportedModel(
            "the linear predictor could overflow",
            where="calibration",
            got=calibration,
            allowed=f"slope and intercept up to {_LARGEST / LIMIT:.1e}",
        )
    if 0 < calibration.slope < options.target.smallest_slope:
        raise UnsupportedModel(
            f"{options.target.title} stops with an error where slope * score underflows",
            where="calibration: slope",
            got=calibration.slope,
            allowed=f"0, or at least {options.target.smallest_slope:.1e}",
        )


def _distinct(texts: Iterable[str], where: str, fix: str) -> None:
    spelled: dict[str, list[str]] = {}
    for text in texts:
        spelled.setdefault(text.casefold(), []).append(text)
    clash = next((group for group in spelled.values() if len(group) > 1), None)
    if clash is not None:
        raise UnsupportedModel(
            "names that differ in nothing but case are one name in SQL", where=where, got=clash, fix=fix
        )


def _interactions(model: Model) -> set[str]:
    """Names of interactions, which have columns of points as features have."""
    return {each.name for part in model.parts for each in getattr(part, "interactions", ())}


def _allowed(texts: Mapping[str, str], options: SQLOptions) -> None:
    """Refuse names with characters that the engine has in none; `texts` says of each name whose it is."""
    pattern = options.target.forbidden
    for text, whose in texts.items():
        if pattern is not None and re.search(pattern, text):
            raise UnsupportedModel(
                f"a name with characters that {options.target.title} has in no name, or reads as something else",
                where="names",
                got=text,
                fix=f"give {whose} another name",
            )


def _plain(texts: Mapping[str, str], options: SQLOptions) -> None:
    """Refuse names that a client of another character set would misread."""
    if options.utf8_names or options.target.letter is not None:
        return
    for text, whose in texts.items():
        if not is_plain(text):
            renamed = f"give {whose} another name"
            if whose.startswith("the feature"):
                renamed = "map the feature to a column of another name with columns=, with points=False for a scorecard"
            raise UnsupportedModel(
                f"{options.target.title} has no way to write this name in ASCII, and a client of another character set "
                "than UTF-8 would look for another one",
                where="names",
                got=text,
                fix=f"{renamed}; or, if what runs the text reads it as UTF-8, give utf8_names=True",
            )


def _short_enough(texts: Mapping[str, str], options: SQLOptions) -> None:
    most, unit = options.target.max_name, "bytes" if options.target.name_bytes else "characters"
    for text, whose in texts.items():
        length = len(text.encode() if options.target.name_bytes else text)
        if most is not None and length > most:
            raise UnsupportedModel(
                f"a name too long for {options.target.title}, which would cut it off silently or refuse it",
                where=f"{length} {unit}",
                got=text,
                allowed=f"at most {most} {unit}{' in UTF-8' if options.target.name_bytes else ''}",
                fix=f"give {whose} a shorter name",
            )
