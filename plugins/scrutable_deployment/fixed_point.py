"""Results as whole numbers, and their digest: sums that every dialect works out to the same number.

Scores and points are multiples of 2^-30, so that they are whole numbers of that unit; decisions are numbers, and texts
are places in a list. Each has a weight modulo a prime, drawn from the salt for its row and for its column. Products
stay below 2^62, which every dialect's whole numbers hold.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.model.evaluator import kind_of

#: The prime that weights are drawn below.
PRIME = 2**31 - 1
_UNIT = 2**30
_LARGEST = 2**24
#: What is added to a number of units, so that none is negative.
_OFFSET = 2**55
#: Different texts up to which a text is told by its place among them; beyond, only whether it is the right one.
_LISTED = 200
#: How far probabilities may be apart: engines' exponentials differ in the last place.
TOLERANCE = 1e-15


@dataclass(frozen=True, slots=True)
class Told:
    """A result's expected values, and the texts that it may be; none where it is no text, or where they are many."""

    name: str
    expected: NDArray[Any]
    texts: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, expected: NDArray[Any]) -> Told:
        """A result of the evaluator's."""
        texts = sorted({value for value in expected if value is not None}) if kind_of(name) is np.object_ else []
        return cls(name, expected, tuple(texts) if len(texts) <= _LISTED else ())

    @property
    def is_text(self) -> bool:
        """Whether it is a text."""
        return kind_of(self.name) is np.object_

    @property
    def is_near(self) -> bool:
        """Whether it is told only to be near enough."""
        return self.name.startswith("probability")

    def numbers(self) -> NDArray[np.int64]:
        """(n,) what the expected values are as whole numbers, where they come out as they should."""
        if self.is_near:
            return np.ones(len(self.expected), dtype=np.int64)
        if self.is_text:
            places = {text: place for place, text in enumerate(self.texts, 2)}
            return np.array([1 if value is None else places.get(value, 2) for value in self.expected], dtype=np.int64)
        if kind_of(self.name) is np.int64:
            return self.expected.astype(np.int64) + 1
        missing = np.isnan(self.expected)
        units = np.where(missing, 0.0, self.expected) * float(_UNIT)
        return np.where(missing, 0, units.astype(np.int64) + _OFFSET)

    def sql(self, exporter: Any, got: str, wanted: str) -> str:
        """The whole number of a value, `got`, beside the one that is `wanted`; 0 where it is neither."""
        d = exporter.target
        if self.is_near:
            return f"CASE WHEN ABS({got} - {wanted}) <= {exporter.literal(TOLERANCE)} THEN 1 ELSE 0 END"
        if self.is_text:
            binary = d.categorical.value.format
            rungs = "".join(
                f" WHEN {binary(got)} = {_text(exporter, text)} THEN {place}"
                for place, text in enumerate(self.texts, 2)
            )
            same = f" WHEN {binary(got)} = {binary(wanted)} THEN 2"
            return f"CASE WHEN {got} IS NULL THEN 1{rungs or same} ELSE 0 END"
        if kind_of(self.name) is np.int64:
            return f"CASE WHEN {got} >= 0 THEN CAST({got} AS {d.integer}) + 1 ELSE 0 END"
        units = f"CAST({got} * {_UNIT} AS {d.integer}) + CAST({_OFFSET} AS {d.integer})"
        return f"CASE WHEN {got} >= -{_LARGEST} AND {got} <= {_LARGEST} THEN {units} ELSE 0 END"

    def differs(self, exporter: Any, got: str, wanted: str) -> str:
        """1 where a value is not what is wanted, else 0."""
        nothing = f" WHEN {wanted} IS NULL AND {got} IS NULL THEN 0"
        if self.is_near:
            same, nothing = f"ABS({got} - {wanted}) <= {exporter.literal(TOLERANCE)}", ""
        elif self.is_text:
            binary = exporter.target.categorical.value.format
            same = f"{binary(got)} = {binary(wanted)}"
        else:
            same = f"{got} = {wanted}"
        return f"CASE WHEN {same} THEN 0{nothing} ELSE 1 END"


def row_weights(salt: str, count: int) -> list[int]:
    """Weights of rows below the prime, none of them 0."""
    return [_drawn(f"{salt} row {i}") for i in range(count)]


def column_weights(salt: str, count: int, part: int) -> list[int]:
    """Weights of columns, for one of the digest's two parts."""
    return [_drawn(f"{salt} part {part} column {i}") for i in range(count)]


def digest(results: Sequence[Told], salt: str) -> int:
    """What the script's digest has to be.

    >>> scores = Told.of("score", np.array([510.0, 540.25]))
    >>> digest([scores], "a") == digest([scores], "a"), digest([scores], "a") == digest([scores], "b")
    (True, False)
    """
    numbers = np.array([each.numbers() for each in results])
    weights = np.array(row_weights(salt, numbers.shape[1]))
    parts: list[int] = []
    for part in (1, 2):
        columns = np.array(column_weights(salt, len(results), part))
        sums = (numbers % PRIME * columns[:, None] % PRIME).sum(axis=0)
        parts.append(int((sums % PRIME * weights % PRIME).sum() % PRIME))
    return parts[0] * 2**31 + parts[1]


def digest_sql(exporter: Any, numbers: Sequence[str], weight: str, salt: str) -> str:
    """The digest of rows whose results are whole numbers in some columns, and their weight in another."""
    d = exporter.target

    def rest(of: str) -> str:
        return str(d.remainder.format(f"({of})", PRIME))

    parts = []
    for part in (1, 2):
        weighted = [
            rest(f"{rest(number)} * {each}")
            for number, each in zip(numbers, column_weights(salt, len(numbers), part), strict=True)
        ]
        together = rest("\n + ".join(f"({each})" for each in weighted))
        of_rows = f"SUM({rest(f'({together}) * {weight}')})"
        parts.append(f"CAST({rest(f'CAST({of_rows} AS {d.integer})')} AS {d.integer})")
    return f"{parts[0]} * CAST({2**31} AS {d.integer}) + {parts[1]}"


def _text(exporter: Any, text: str) -> str:
    """A text as the dialect compares it, with what it appends where blanks at the end are ignored."""
    return str(exporter.literal(text + exporter.target.guard))


def _drawn(words: str) -> int:
    return 1 + int.from_bytes(hashlib.sha256(words.encode()).digest()[:8]) % (PRIME - 1)
