"""Calls a compiled file on columns, which it reads where they are."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Column
from scrutable.model import Model, features_read
from scrutable.model.evaluator import OutputFrame, kind_of
from scrutable_source_code.c.rendering import result_kind


class _Text(ctypes.Structure):
    _fields_ = (("bytes", ctypes.c_void_p), ("length", ctypes.c_size_t))


class _Texts(ctypes.Structure):
    _fields_ = (("texts", ctypes.POINTER(_Text)), ("codes", ctypes.c_void_p), ("count", ctypes.c_int32))


class Library:
    """A file of the exporter `c`, compiled.

    Parameters
    ----------
    path : of the shared library.
    name : of its function.
    """

    def __init__(self, path: Path, name: str) -> None:
        library = ctypes.CDLL(str(path))
        self._rows, self._text_at = library[f"{name}_rows"], library[f"{name}_text_at"]
        self._name, self._library = name, library
        self._rows.argtypes = (ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p)
        self._text_at.argtypes, self._text_at.restype = (ctypes.c_int32,), ctypes.POINTER(_Text)

    def results(self, model: Model, columns: Mapping[str, Column], n_rows: int, names: Sequence[str]) -> OutputFrame:
        """The results of n rows.

        Raises
        ------
        MemoryError : there is none for the codes of texts.
        """
        given = _Inputs(model, columns)
        ruled = any(result_kind(name) == "rules" for name in names)
        size = ctypes.c_size_t.in_dll(self._library, f"{self._name}_rules_size").value if ruled else 0
        arrays: dict[str, NDArray[Any]] = {}
        for name in names:
            if result_kind(name) == "rules":
                arrays["rules of rows"] = np.zeros(n_rows * size, dtype=np.uint8)
            arrays[name] = np.zeros(n_rows, dtype=np.float64 if result_kind(name) == "number" else np.int32)
        written = (ctypes.c_void_p * len(arrays))(*(each.ctypes.data for each in arrays.values()))
        if self._rows(n_rows, ctypes.byref(given.structure), written):
            raise MemoryError("no memory for the codes of texts")
        rules = arrays.pop("rules of rows", np.zeros(0, dtype=np.uint8)).tobytes()
        told: dict[str, NDArray[Any]] = {}
        for name, values in arrays.items():
            if result_kind(name) == "rules":
                told[name] = _slots(rules, values.tolist(), size)
            elif result_kind(name) == "text":
                said = {code: self._text(code) for code in np.unique(values).tolist()}
                told[name] = np.array([*(said[code] for code in values.tolist()), None], dtype=object)[:-1]
            else:
                told[name] = values.astype(kind_of(name))
        return OutputFrame(told)

    def _text(self, code: int) -> str | None:
        text = self._text_at(code)
        return ctypes.string_at(text.contents.bytes, text.contents.length).decode() if text else None


def _slots(content: bytes, lengths: list[int], size: int) -> NDArray[np.object_]:
    """The text in each slot of so many bytes; none where its length is negative."""
    texts = np.empty(len(lengths), dtype=object)
    for row, length in enumerate(lengths):
        texts[row] = content[row * size : row * size + length].decode() if length >= 0 else None
    return texts


class _Inputs:
    """Columns as the structure that the function reads, and what it points to."""

    def __init__(self, model: Model, columns: Mapping[str, Column]) -> None:
        self._kept: list[Any] = []
        kinds: list[tuple[str, Any]] = [
            (f"column_{place}", ctypes.c_void_p if feature.kind == "numeric" else _Texts)
            for place, feature in enumerate(features_read(model))
        ]
        structure = type("Columns", (ctypes.Structure,), {"_fields_": kinds or [("nothing", ctypes.c_char)]})
        self.structure: Any = structure(*(self._column(columns[feature.name]) for feature in features_read(model)))

    def _column(self, column: Column) -> Any:
        if column.kind == "numeric":
            numbers = np.ascontiguousarray(column.values, dtype=np.float64)
            self._kept.append(numbers)
            return numbers.ctypes.data
        values = column.values.tolist()
        known = {text: place for place, text in enumerate(dict.fromkeys(each for each in values if each is not None))}
        codes = np.array([known.get(text, -1) for text in values], dtype=np.int32)
        buffers = [ctypes.create_string_buffer(text.encode(), len(text.encode()) + 1) for text in known]
        texts = (_Text * len(known))(*(_Text(ctypes.addressof(each), len(each) - 1) for each in buffers))
        self._kept += [codes, buffers, texts]
        return _Texts(texts, codes.ctypes.data, len(known))
