"""Running a program over whole columns, block by block."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor  # noqa: TID251 - threads, which end with the process
from typing import Any

from scrutable.data.frames import Column
from scrutable.model.program.program import Program
from scrutable.model.program.reference import Rows
from scrutable.model.program.wholes import whole

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
    by name, (n,) doubles, Booleans, places as small integers where these hold them, or objects: texts and None

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
    kind = _rows(n_rows if in_all is None else in_all)
    wholes = {output.name: whole(program, output.of, n_rows, coded=coded) for output in program.outputs}
    idle: list[Rows] = []  # of threads that are between two blocks

    def block(start: int) -> None:
        rows, count = slice(start, start + kind.BLOCK), min(kind.BLOCK, n_rows - start)
        one = idle.pop() if idle else kind(program, columns, rows, count)
        one.move(rows, count)
        for output in program.outputs:
            wholes[output.name].put(rows, one.coded(output.of) if coded else one.value(output.of))
        one.forget()
        idle.append(one)

    _each(block, range(0, n_rows, kind.BLOCK), threads)
    return {name: each.column() for name, each in wholes.items()}


def _rows(n_rows: int) -> type[Rows]:
    """The reference or, for many rows where numba is there, what compiled loops speed up; both give the same bits."""
    if n_rows < _MANY:
        return Rows
    try:
        from scrutable.model.program.compiled import CompiledRows
    except ModuleNotFoundError:
        return Rows
    return CompiledRows


def _each(block: Callable[[int], None], starts: range, threads: int) -> None:
    if threads == 1 or len(starts) <= 1:
        for start in starts:
            block(start)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(block, starts))
