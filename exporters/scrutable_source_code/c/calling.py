"""Calls a compiled file on columns, which it reads where they are."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Column
from scrutable.model import Model, features_read
from scrutable.model.evaluator import OutputFrame, kind_of
from scrutable_source_code.c.rendering import result_kind
from scrutable_source_code.common.transfer import different


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
        call, arrays = self.prepared(model, columns, n_rows, names)
        call()
        rules = arrays.pop("rules of rows", np.zeros(0, dtype=np.uint8)).tobytes()
        told: dict[str, NDArray[Any]] = {}
        for name, values in arrays.items():
            if result_kind(name) == "rules":
                told[name] = _slots(rules, values.tolist())
            elif result_kind(name) == "text":
                codes, places = np.unique(values, return_inverse=True)
                told[name] = np.array([*map(self._text, codes.tolist()), None], dtype=object)[places]
            else:
                told[name] = values.astype(kind_of(name))
        return OutputFrame(told)

    def prepared(
        self, model: Model, columns: Mapping[str, Column], n_rows: int, names: Sequence[str], wanted: Sequence[str] = ()
    ) -> tuple[Callable[[], None], dict[str, NDArray[Any]]]:
        """What calls the function, and the arrays that it writes to, those of rules before their lengths.

        Parameters
        ----------
        names : of all results.
        wanted : of those that are written; all if empty.
        """
        given, arrays, addresses = _Inputs(model, columns), dict[str, NDArray[Any]](), list[int | None]()

        def add(name: str, array: NDArray[Any], *, here: bool) -> None:
            addresses.append(array.ctypes.data if here else None)
            if here:
                arrays[name] = array

        for name in names:
            here, kind = not wanted or name in wanted, result_kind(name)
            if kind == "rules":
                size = ctypes.c_size_t.in_dll(self._library, f"{self._name}_rules_size").value
                add("rules of rows", np.zeros(n_rows * size, dtype=np.uint8), here=here)
            add(name, np.zeros(n_rows, dtype=np.float64 if kind == "number" else np.int32), here=here)
        written = (ctypes.c_void_p * len(addresses))(*addresses)

        def call() -> None:
            if self._rows(n_rows, ctypes.byref(given.structure), written):
                raise MemoryError("no memory for the codes of texts")

        return call, arrays

    def _text(self, code: int) -> str | None:
        text = self._text_at(code)
        return ctypes.string_at(text.contents.bytes, text.contents.length).decode() if text else None


def _slots(content: bytes, lengths: list[int]) -> NDArray[np.object_]:
    """The text in each of as many slots as there are lengths; none where its length is negative."""
    size = len(content) // max(len(lengths), 1)
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
        texts, places = different(column)
        known = [text for text in texts if text is not None]
        codes = np.where(places < len(known), places, -1).astype(np.int32)
        buffers = [ctypes.create_string_buffer(text.encode(), len(text.encode()) + 1) for text in known]
        array = (_Text * len(known))(*(_Text(ctypes.addressof(each), len(each) - 1) for each in buffers))
        self._kept += [codes, buffers, array]
        return _Texts(array, codes.ctypes.data, len(known))
