"""What a workbook can hold: models that are refused, and rows outside of the declared domain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Column
from scrutable.errors import UnsupportedModel
from scrutable.model import Model
from scrutable.model.program import (
    AtLeast,
    Bucket,
    Choice,
    Linear,
    Node,
    Points,
    Program,
    Sum,
    Text,
    Words,
    added_up,
    kept,
    lowered,
)

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


def supported(model: Model) -> Program:
    """The program of a model, if it is one that a workbook reproduces exactly.

    Raises
    ------
    UnsupportedModel : what in it a workbook cannot hold.
    """
    program = lowered(model)
    program = added_up(kept(program, program.results))
    if not program.features:
        raise UnsupportedModel("the model reads no column, so there is nothing to fill in", where="features", got=())
    largest = max(_bounds(program))
    if largest > _MOST_POINTS:
        raise UnsupportedModel(
            "spreadsheets take a sum that is tiny beside its parts for 0",
            where="the largest possible sum of points",
            got=largest,
            allowed="at most 2^18 = 262,144 points",
            fix="measure points, or the target, in a larger unit; or use the exporter python",
        )
    for node in program.nodes:
        for where, value in _numbers(node):
            if 0 < abs(value) < SMALLEST:
                raise UnsupportedModel(
                    "spreadsheets take numbers this close to 0 for 0",
                    where=where,
                    got=value,
                    allowed="0, or at least 1e-290",
                )
        for where, text in _texts(node):
            if not _holds_text(text):
                raise UnsupportedModel(
                    "a text that a workbook cannot hold as it is",
                    where=where,
                    got=text,
                    allowed="32,767 UTF-16 units without a carriage return; not <r>...</r>, nor an error such as #N/A",
                )
    return program


def is_held(value: float) -> bool:
    """Whether a number is of the domain."""
    return value == 0 or SMALLEST <= abs(value) <= LARGEST


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


def _bounds(program: Program) -> list[float]:
    """How large each number that is added up can be; 0 for all else."""
    bounds: list[float] = []
    for node in program.nodes:
        match node:
            case Points(_, values):
                bounds.append(max(map(abs, values)))
            case Sum(start, of):
                bounds.append(abs(start) + sum(bounds[each] for each in of))
            case Choice(_, of):
                bounds.append(max(0.0 if each is None else bounds[each] for each in of))
            case _:
                bounds.append(0.0)
    return bounds


def _numbers(node: Node) -> Iterable[tuple[str, float]]:
    """Numbers that cells hold, and what they are; points are multiples of 2^-30, and cuts are moved into the domain."""
    if isinstance(node, AtLeast):
        yield "cutoff", node.limit
    elif isinstance(node, Linear):
        yield "slope of the calibration", node.slope
        yield "intercept of the calibration", node.intercept


def _texts(node: Node) -> Iterable[tuple[str, str]]:
    """Texts that cells must hold to the last character, and what they are."""
    if isinstance(node, Bucket):
        yield from (("category", name) for name, _ in node.ladder.named if isinstance(name, str))
    elif isinstance(node, Text):
        yield from (("code", text) for text in node.texts if text is not None)
    elif isinstance(node, Words):
        yield from (("rule", word) for word in node.words)
