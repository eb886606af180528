"""The check of exporters that texts stay texts, whatever they look like."""

from __future__ import annotations

import json
from typing import Any

from scrutable.model import Model, dumps, loads
from scrutable.proof.rows import VerificationRows
from scrutable.testing.contract.check import Fault, check, require, runs, said
from scrutable.testing.contract.drawing import COLUMNS, pool
from scrutable.testing.contract.models import random_models_held
from scrutable.testing.contract.parity import differing, engine_here
from scrutable.testing.contract.random_models import drawn_rows
from scrutable.testing.contract.subject import Subject

_TEXTS = sorted({value for each in COLUMNS if each.feature.kind == "categorical" for value in pool(each) if value})
#: For each text of the drawn models one that looks like a number; some look like the same.
_NUMERALS = {text: f"{place // 2:0{1 + place % 2}}" for place, text in enumerate(map(str, _TEXTS), 2)} | {"": "0"}


@check("exporter", of=runs, hint="say that columns of categories are texts wherever rows are written, sent or read")
def texts_that_look_like_numbers_stay_texts(subject: Subject) -> None:
    """Where the texts of a column all look like numbers, "01" and "1" are still two categories."""
    engine, exporter = engine_here(subject)
    drawn = random_models_held(subject).items()
    name, model = next((each for each in drawn if _reads_texts(each[1])), (None, None))
    if name is None or model is None:
        return
    told = f"the random {name} with texts that look like numbers"
    rows = drawn_rows(model).replace(_NUMERALS)
    try:
        asked = VerificationRows(frame=rows, edge=0, drawn=len(rows), data=0, seed=0)
        wrong = differing(exporter, in_numerals(model), asked)
    except Exception as error:
        raise Fault(f"{told} does not run in {engine}", got=said(error)) from error
    require(not wrong, f"{told} gives something else in {engine}: {wrong}")


def in_numerals(model: Model) -> Model:
    """A drawn model whose categories and special codes look like numbers.

    >>> from scrutable.testing.contract.random_models import drawn_models
    >>> [feature.special_codes for feature in in_numerals(drawn_models()["scorecard 1"]).features]
    [(-9.0, 2500.0), (), (), ('4',), (0.0,), (99.0,)]
    """
    return loads(json.dumps(_renamed(json.loads(dumps(model)))))


def _renamed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _renamed(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_renamed(each) for each in value]
    return _NUMERALS.get(value, value) if value != "" and isinstance(value, str) else value


def _reads_texts(model: Model) -> bool:
    return any(feature.kind == "categorical" for feature in model.features)
