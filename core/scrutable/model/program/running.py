"""Running a program over whole columns, block by block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor  # noqa: TID251 - threads, which end with the process
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Column
from scrutable.model.program.program import Program
from scrutable.model.program.reference import Listed, Rows, Texts

Array = NDArray[Any]

#: Rows from which on compiling, or reading what was compiled before, takes less time than it saves.
_MANY = 500_000


def run(
    program: Program,
    columns: Mapping[str, Column],
    n_rows: int,
    *,
    coded: bool = False,
    threads: int = 1,
    in_all: int | None = None,
) -> dict[str, Any]:
    """The outputs of a program.

    Parameters
    ----------
    columns : by name, n values each, of the kinds that the program reads.
    coded : whether texts come as `Texts`, each different one once, in place of objects, and points as `Listed`.
    threads : how many blocks are worked out at a time.
    in_all : about how many rows there are, where these are some of them; n if None.

    Returns
    -------
    by name, (n,) doubles, integers, Booleans, or objects: texts and None

    Examples
    --------
    >>> from scrutable.data.frames import as_table
    >>> from scrutable.model.program import lowered
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> table = as_table({"age": [19.0, 40.0], "income": [1000.0, 2000.0]})
    >>> columns = {name: table.column(name) for name in table}
    >>> run(lowered(models_named()["stumps"]), columns, 2)["approved"].tolist()
    [True, True]
    """
    rows = _rows(n_rows if in_all is None else in_all)

    def block(start: int) -> list[Any]:
        one = rows(program, columns, slice(start, start + rows.BLOCK), min(rows.BLOCK, n_rows - start))
        return [one.coded(output.of) if coded else one.value(output.of) for output in program.outputs]

    blocks = _each(block, range(0, max(n_rows, 1), rows.BLOCK), threads)
    whole = [_joined(parts) for parts in zip(*blocks, strict=True)]
    names = (output.name for output in program.outputs)
    return {
        name: value.objects() if isinstance(value, Texts) and not coded else value
        for name, value in zip(names, whole, strict=True)
    }


def _rows(n_rows: int) -> type[Rows]:
    """The reference or, for many rows where numba is there, what compiled loops speed up; both give the same bits."""
    if n_rows < _MANY:
        return Rows
    try:
        from scrutable.model.program.compiled import CompiledRows
    except ModuleNotFoundError:
        return Rows
    return CompiledRows


def _each(block: Any, starts: Sequence[int], threads: int) -> Iterator[list[Any]]:
    if threads == 1 or len(starts) == 1:
        return map(block, starts)
    with ThreadPoolExecutor(threads) as pool:
        return iter(list(pool.map(block, starts)))


def _joined(parts: Sequence[Any]) -> Any:
    """The values of all blocks, one after another."""
    if isinstance(parts[0], Listed):
        return Listed(parts[0].table, np.concatenate([part.places for part in parts]))
    if not isinstance(parts[0], Texts):
        return np.concatenate(parts)
    if all(part.table is parts[0].table for part in parts):
        return Texts(parts[0].table, np.concatenate([part.places for part in parts]))
    table: dict[str | None, int] = {}
    places = []
    for part in parts:
        new = np.array([table.setdefault(text, len(table)) for text in part.table], dtype=np.intp)
        places.append(new[part.places])
    return Texts(tuple(table), np.concatenate(places))
