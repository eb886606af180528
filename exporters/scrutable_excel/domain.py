"""What a workbook can hold: models that are refused, and rows outside of the declared domain."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Column
from scrutable.errors import UnsupportedModel
from scrutable.model import (
    Categories,
    Clause,
    Interval,
    Model,
    RuleSet,
    Scorecard,
    SegmentedModel,
    Special,
    TreeEnsemble,
    refuse_extras,
)
from scrutable_excel.card import CardModel

#: Numbers of the domain are 0, or have magnitudes between these. Spreadsheets take what is below 2.2e-308 for 0.
SMALLEST, LARGEST = 1e-290, 1e290

#: Sums below 2^-30 beside larger numbers than this could be taken for 0 by spreadsheets.
_MOST_POINTS = 2.0**18

_LONGEST_TEXT = 32_767
_ERRORS = ("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!")

#: The domain in words, for `Export.excluded` and the sheet "About".
EXCLUDED = (
    "rows in which every value is missing, which the sheet takes for unused; infinite numbers, and numbers other than "
    "0 whose magnitude is not between 1e-290 and 1e290; empty texts, texts of more than 32,767 characters (UTF-16), "
    "with a carriage return, NUL or a lone surrogate, of the form <r>...</r>, and error values such as #N/A"
)


def supported(model: Model) -> CardModel:
    """The model, if it is a scorecard that a workbook reproduces exactly.

    Raises
    ------
    UnsupportedModel : what it is instead, or what in it a workbook cannot hold.
    """
    if not isinstance(model, CardModel):
        raise UnsupportedModel(
            "only scorecards are exported to a workbook", got=model.kind.replace("-", " "), fix=_instead(model)
        )
    refuse_extras(model, by="a workbook")
    if not model.features:
        raise UnsupportedModel(
            "the scorecard reads no column, so there is nothing to fill in", where="features", got=()
        )
    largest = model.largest_sum
    if largest > _MOST_POINTS:
        raise UnsupportedModel(
            "spreadsheets take a sum that is tiny beside its parts for 0",
            where="the largest possible sum of points",
            got=largest,
            allowed="at most 2^18 = 262,144 points",
            fix=model.too_large,
        )
    for where, value in _numbers(model):
        if 0 < abs(value) < SMALLEST:
            raise UnsupportedModel(
                "spreadsheets take numbers this close to 0 for 0",
                where=where,
                got=value,
                allowed="0, or at least 1e-290",
            )
    for where, text in _texts(model):
        if not _holds_text(text):
            raise UnsupportedModel(
                "a text that a workbook cannot hold as it is",
                where=where,
                got=text,
                allowed="32,767 UTF-16 units without a carriage return; not <r>...</r>, nor an error such as #N/A",
            )
    return model


def held(columns: Mapping[str, Column], n_rows: int) -> NDArray[np.bool_]:
    """(n,) rows inside the declared domain."""
    inside, present = np.ones(n_rows, dtype=bool), np.zeros(n_rows, dtype=bool)
    for column in columns.values():
        present |= ~column.missing
        if column.kind == "numeric":
            size = np.abs(column.values)
            inside &= column.missing | (size == 0) | ((size >= SMALLEST) & (size <= LARGEST))
        else:
            values = column.values.tolist()
            texts = {text for text in values if text is not None}
            good = {text: text != "" and _holds_text(text) for text in texts} | {None: True}
            inside &= np.fromiter((good[text] for text in values), dtype=bool, count=n_rows)
    return inside & present


def _holds_text(text: str) -> bool:
    if re.search("[\x00\r\ud800-\udfff]", text) or (text.startswith("<r>") and text.endswith("</r>")):
        return False
    return len(text.encode("utf-16-le")) <= 2 * _LONGEST_TEXT and text not in _ERRORS


def _numbers(model: CardModel) -> Iterable[tuple[str, float]]:
    """Numbers other than points that cells hold, and what they are; points are multiples of 2^-30."""
    if isinstance(model, Scorecard):
        yield "cutoff", model.cutoff
        yield "slope of the calibration", model.calibration.slope
        yield "intercept of the calibration", model.calibration.intercept
    for where, condition in _conditions(model):
        if isinstance(condition, Interval):
            yield from ((where, end) for end in (condition.lower, condition.upper) if math.isfinite(end))
        elif isinstance(condition, Categories | Special):
            values = condition.values if isinstance(condition, Categories) else condition.codes
            yield from ((where, value) for value in values if isinstance(value, float))


def _texts(model: CardModel) -> Iterable[tuple[str, str]]:
    """Texts that cells must hold to the last character, and what they are."""
    for where, condition in _conditions(model):
        if isinstance(condition, Categories | Special):
            values = condition.values if isinstance(condition, Categories) else condition.codes
            yield from ((where, value) for value in values if isinstance(value, str))
    for feature in model.features:
        yield from ((f"feature {feature.name!r}", code) for code in feature.special_codes if isinstance(code, str))
    if not isinstance(model, Scorecard):
        return
    yield from ((f"knock-out {rule.code!r}", rule.code) for rule in model.policy.knock_outs)
    if model.reasons is not None:
        yield from ((f"reason code {code!r}", code) for code in model.reasons.order)


def _conditions(model: CardModel) -> Iterable[tuple[str, object]]:
    for item in model.characteristics:
        yield from ((f"characteristic {item.feature!r}", each.condition) for each in item.attributes)
    if not isinstance(model, Scorecard):
        return
    clauses: Iterable[Clause] = (clause for rule in model.policy.knock_outs for clause in rule.when)
    for clause in clauses:
        yield from ((f"knock-out on {clause.feature!r}", condition) for condition in clause.any_of)


def _instead(model: RuleSet | TreeEnsemble | SegmentedModel) -> str:
    match model:
        case TreeEnsemble():
            return (
                "make it a scorecard with scrutable.model.stepwise.scorecard_of if its trees ask for one feature each"
            )
        case RuleSet():
            return "use the exporter sql, r, python or json"
        case SegmentedModel():
            return "export the scorecard of each segment by itself"
        case _:
            assert_never(model)
