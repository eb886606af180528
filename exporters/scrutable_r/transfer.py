"""Columns as bytes that R reads and writes without a decimal or a locale between: `templates/run.R` is the other side.

A column is its name, its kind (0 doubles, 1 integers, 2 texts) and its values, little-endian. Texts are the number of
distinct ones, those, and a code for each row. A text is the number of its bytes in UTF-8 and the bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.model.evaluator import OutputFrame

#: R's NA, as an integer and as a double.
_NA_INTEGER = -(2**31)
_NA_REAL = 0x7FF00000000007A2


def pack(columns: Mapping[str, NDArray[Any]], n_rows: int) -> bytes:
    """Columns of doubles, or of texts and None. Every other missing number is NA rather than NaN."""
    parts = [struct.pack("<ii", n_rows, len(columns))]
    for name, values in columns.items():
        parts.append(_text(name))
        parts += _texts(values) if values.dtype == object else [struct.pack("<i", 0), _doubles(values)]
    return b"".join(parts)


def unpack(content: bytes) -> OutputFrame:
    """The results as R wrote them: doubles, integers as int64, texts and None."""
    reader = _Reader(content)
    n_rows, n_columns = reader.integer(), reader.integer()
    return OutputFrame({reader.text(): reader.values(n_rows) for _ in range(n_columns)})


class _Reader:
    """Takes values from the front of bytes."""

    def __init__(self, content: bytes) -> None:
        self._content, self._at = content, 0

    def integer(self) -> int:
        return int(self.array("<i4", 1)[0])

    def text(self) -> str:
        size = self.integer()
        self._at += size
        return self._content[self._at - size : self._at].decode()

    def values(self, n_rows: int) -> NDArray[Any]:
        kind = self.integer()
        if kind == 0:
            return self.array("<f8", n_rows)
        if kind == 1:
            return self.array("<i4", n_rows).astype(np.int64)
        known = np.array([*(self.text() for _ in range(self.integer())), None], dtype=object)
        codes = self.array("<i4", n_rows)
        texts: NDArray[Any] = known[np.where(codes == _NA_INTEGER, 0, codes) - 1]
        return texts

    def array(self, kind: str, count: int) -> NDArray[Any]:
        values = np.frombuffer(self._content, dtype=kind, count=count, offset=self._at)
        self._at += values.nbytes
        return values.copy()


def _text(text: str) -> bytes:
    encoded = text.encode()
    return struct.pack("<i", len(encoded)) + encoded


def _texts(values: NDArray[Any]) -> list[bytes]:
    known: dict[str, int] = {}
    codes = [_NA_INTEGER if value is None else known.setdefault(value, len(known) + 1) for value in values]
    packed = [_text(text) for text in known]
    return [struct.pack("<ii", 2, len(known)), *packed, np.array(codes, dtype="<i4").tobytes()]


def _doubles(values: NDArray[Any]) -> bytes:
    bits = np.array(values, dtype="<f8").view("<i8")
    bits[np.flatnonzero(np.isnan(values))[::2]] = _NA_REAL
    return bits.tobytes()
