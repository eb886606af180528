"""Columns as bytes that programs read and write without a decimal between, little-endian.

A column is its name, its kind (0 doubles, 1 texts) and its values. Texts are the number of different ones, those, and a
place among them for each row. A text is the number of its bytes in UTF-8, -1 for none, and the bytes. Results are the
columns without names and kinds, their texts one a row.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Column
from scrutable.model.evaluator import OutputFrame, kind_of


def pack(columns: Mapping[str, Column], n_rows: int, results: Iterable[str]) -> bytes:
    """Columns by name, and for each result whether it is a text."""
    kinds = [int(kind_of(name) is np.object_) for name in results]
    parts = [struct.pack("<iii", n_rows, len(columns), len(kinds)), struct.pack(f"<{len(kinds)}i", *kinds)]
    for name, column in columns.items():
        parts.append(_text(name))
        if column.kind == "numeric":
            parts += [struct.pack("<i", 0), column.values.astype("<f8").tobytes()]
        else:
            texts, places = different(column)
            parts += [struct.pack("<ii", 1, len(texts)), *map(_text, texts), places.astype("<i4").tobytes()]
    return b"".join(parts)


def different(column: Column) -> tuple[list[str | None], NDArray[np.intp]]:
    """The different texts of a column, None as the last where one is missing, and (n,) the place of each row's.

    >>> from scrutable.data.frames import as_table
    >>> texts, places = different(as_table({"job": ["cook", None, "cook"]}).column("job"))
    >>> texts, places.tolist()
    (['cook', None], [0, 1, 0])
    """
    levels, codes = column.coded.levels, column.coded.codes
    held, places = np.unique(np.where(codes < 0, len(levels) - 1, codes), return_inverse=True)
    return levels[held].tolist(), places


def unpack(content: bytes, n_rows: int, results: Iterable[str]) -> OutputFrame:
    """The results as they were written: doubles, or texts and None; doubles of decisions as integers."""
    at, columns = 0, dict[str, NDArray[Any]]()
    for name in results:
        kind = kind_of(name)
        if kind is np.object_:
            texts = np.empty(n_rows, dtype=object)
            for row in range(n_rows):
                (size,) = struct.unpack_from("<i", content, at)
                at += 4
                texts[row] = None if size < 0 else content[at : at + size].decode()
                at += max(size, 0)
            columns[name] = texts
        else:
            columns[name] = np.frombuffer(content, dtype="<f8", count=n_rows, offset=at).astype(kind)
            at += 8 * n_rows
    assert at == len(content), "other results than were exported"
    return OutputFrame(columns)


def _text(text: str | None) -> bytes:
    encoded = b"" if text is None else text.encode()
    return struct.pack("<i", -1 if text is None else len(encoded)) + encoded
