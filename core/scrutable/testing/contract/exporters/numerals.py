"""The check of exporters that texts stay texts, whatever they look like."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from scrutable.model import Model, dumps, loads
from scrutable.testing.contract.examples.drawing import COLUMNS, pool
from scrutable.testing.contract.examples.models import random_models_held
from scrutable.testing.contract.examples.random_models import drawn_rows
from scrutable.testing.contract.exporters.parity import Case, drawn, running_alike
from scrutable.testing.contract.subject import Subject

_TEXTS = sorted({value for each in COLUMNS if each.feature.kind == "categorical" for value in pool(each) if value})
#: For each text of the drawn models one that looks like a number; some look like the same.
_NUMERALS = {text: f"{place // 2:0{1 + place % 2}}" for place, text in enumerate(map(str, _TEXTS), 2)} | {"": "0"}


@running_alike(hint="say that columns of categories are texts wherever rows are written, sent or read")
def texts_that_look_like_numbers_stay_texts(subject: Subject) -> Iterator[Case]:
    """Where the texts of a column all look like numbers, "01" and "1" are still two categories."""
    for name, model in random_models_held(subject).items():
        if _reads_texts(model):
            told = f"the random {name} with texts that look like numbers"
            yield told, in_numerals(model), drawn(drawn_rows(model).replace(_NUMERALS))
            return


def in_numerals(model: Model) -> Model:
    """A drawn model whose categories and special codes look like numbers.

    >>> from scrutable.testing.contract.examples.random_models import drawn_models
    >>> [feature.special_codes for feature in in_numerals(drawn_models()["scorecard 1"]).features]
    [(-9.0, 2500.0), (), (), ('4',), (0.0,), (99.0,)]
    """
    written = json.loads(dumps(model))
    del written["fingerprint"]
    return loads(json.dumps(_renamed(written)))


def _renamed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _renamed(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_renamed(each) for each in value]
    return _NUMERALS.get(value, value) if value != "" and isinstance(value, str) else value


def _reads_texts(model: Model) -> bool:
    return any(feature.kind == "categorical" for feature in model.features)
