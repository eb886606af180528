"""Checks of explainers: the number of a special code means nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pandas as pd

from scrutable.model import Feature, FrozenMapping, Model, Scorecard, Special
from scrutable.testing.contract.check import check, require
from scrutable.testing.contract.examples.models import random_models_accepted
from scrutable.testing.contract.examples.random_models import drawn_rows
from scrutable.testing.contract.explainers.explaining import explained, said_of
from scrutable.testing.contract.subject import Subject

#: Where the numbers lie that codes become, all of them above any other; no sum of points is such a number.
_HIGH, _HIGHER = 987650.0, 87654320.0
_WRITTEN = re.compile(
    r"987[ ,]?65\d(\.\d+)?|87[ ,]?654[ ,]?32\d(\.\d+)?|8\.7654\d*e\+0?7|987649\.9+\d*|87654319\.9+\d*"
)
_ROWS, _REFERENCE = 20, 120

Codes = Mapping[float, float]


@check(
    "explainer", hint="leave special codes out of whatever is computed from numbers: ranges, means, distances, order"
)
def the_number_of_a_special_code_means_nothing(subject: Subject) -> None:
    """Special codes that are other numbers, in the model and in all rows, change no explanation."""
    for name, model in random_models_accepted(subject).items():
        codes = sorted(
            {code for each in model.features for code in each.special_codes if isinstance(code, float | int)}
        )
        if not isinstance(model, Scorecard) or not codes:
            continue
        told = []
        for start in (_HIGH, _HIGHER):
            by_number = {float(code): start + place for place, code in enumerate(codes)}
            told.append(_told(subject, _recoded(model, by_number), _rows(model, by_number)))
        for row, (high, higher) in enumerate(zip(*told, strict=False)):
            fault = f"row {row} of a random {name} is explained otherwise where special codes are other numbers"
            require(high == higher, fault, got=higher)


def _told(subject: Subject, model: Model, rows: pd.DataFrame) -> list[str]:
    """What is said of rows, without the numbers of codes; nothing where the model is refused."""
    explanations = explained(subject, model, rows.iloc[:_ROWS], rows.iloc[_ROWS:]) or ()
    return [_WRITTEN.sub("a code", said_of(each)) for each in explanations]


def _rows(model: Model, codes: Codes) -> pd.DataFrame:
    """Rows of a model, with codes as the other numbers that they are now."""
    rows = drawn_rows(model, _ROWS + _REFERENCE)
    for feature in model.features:
        own = {code: number for code, number in codes.items() if code in feature.special_codes}
        if own and rows[feature.name].dtype != object:
            rows[feature.name] = rows[feature.name].replace(own)
    return rows


def _recoded(value: Any, codes: Codes) -> Any:
    """A model, or a part of one, of which every special code is another number."""
    if isinstance(value, Special):
        return Special(tuple(_number(code, codes) for code in value.codes))
    if isinstance(value, Feature):
        return replace(value, special_codes=tuple(_number(code, codes) for code in value.special_codes))
    if isinstance(value, tuple):
        return tuple(_recoded(each, codes) for each in value)
    if is_dataclass(value) and not isinstance(value, type | FrozenMapping):
        parts = {each.name: _recoded(getattr(value, each.name), codes) for each in fields(value) if each.init}
        return replace(value, **parts)
    return value


def _number(code: Any, codes: Codes) -> Any:
    return codes.get(float(code), code) if isinstance(code, float | int) else code
