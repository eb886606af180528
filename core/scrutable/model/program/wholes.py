"""The outputs of all rows, into which blocks of rows are written."""

from __future__ import annotations

from threading import Lock
from typing import Any, Protocol

import numpy as np
from numpy.typing import DTypeLike, NDArray

from scrutable.model.program.nodes import Points, Ref
from scrutable.model.program.program import Program
from scrutable.model.program.reference import Listed, Texts
from scrutable.model.program.sorts import size_of, sort_of, texts_of

#: What a byte tells apart.
_BYTE = 256


class Whole(Protocol):
    """One output of all rows."""

    def put(self, rows: slice, values: Any) -> None:
        """Write what a block gives."""
        ...

    def column(self) -> Any:
        """What was written."""
        ...


def whole(program: Program, ref: Ref, n_rows: int, *, coded: bool) -> Whole:
    """What holds the output of a node for so many rows: as little as tells its values apart."""
    sort = sort_of(program, ref)
    if sort == "text":
        return _Coded(texts_of(program, ref), n_rows) if coded else _Objects(n_rows)
    if coded and isinstance(node := program[ref], Points):
        return _Listed(node.values, n_rows)
    if sort == "place":
        return _Values(np.uint8 if size_of(program, ref) <= _BYTE else np.intp, n_rows)
    return _Values(bool if sort == "truth" else float, n_rows)


class _Values:
    def __init__(self, kind: DTypeLike, n_rows: int) -> None:
        self._values: NDArray[Any] = np.empty(n_rows, dtype=kind)

    def put(self, rows: slice, values: NDArray[Any]) -> None:
        self._values[rows] = values

    def column(self) -> NDArray[Any]:
        return self._values


class _Listed:
    def __init__(self, table: tuple[float, ...], n_rows: int) -> None:
        self._table = table
        self._places: NDArray[Any] = np.empty(n_rows, dtype=np.uint8 if len(table) <= _BYTE else np.intp)

    def put(self, rows: slice, values: Listed) -> None:
        self._places[rows] = values.places

    def column(self) -> Listed:
        return Listed(self._table, self._places)


class _Objects:
    def __init__(self, n_rows: int) -> None:
        self._objects = np.empty(n_rows, dtype=object)

    def put(self, rows: slice, values: Texts) -> None:
        self._objects[rows] = values.objects()

    def column(self) -> NDArray[np.object_]:
        return self._objects


class _Coded:
    """Texts by their places among all that a node can give, or among those that were met where nobody can say."""

    def __init__(self, texts: tuple[str | None, ...] | None, n_rows: int) -> None:
        self._known = {text: place for place, text in enumerate(texts or ())}
        few = texts is not None and len(texts) <= _BYTE
        self._places: NDArray[Any] = np.empty(n_rows, dtype=np.uint8 if few else np.int32)
        self._growing = Lock()

    def put(self, rows: slice, values: Texts) -> None:
        with self._growing:
            new = [self._known.setdefault(text, len(self._known)) for text in values.table]
        as_they_are = new == list(range(len(new)))
        self._places[rows] = values.places if as_they_are else np.array(new)[values.places]

    def column(self) -> Texts:
        return Texts(tuple(self._known), self._places)
