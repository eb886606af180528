"""The reference interpreter, which is timed too, and whose bits the compiled loops have to give."""

from __future__ import annotations

from evaluating.subjects import Columns
from scrutable.model.program import Program, Rows, Texts, run


def interpret(program: Program, columns: Columns, n_rows: int) -> list[list[object]]:
    """The outputs of each block of rows."""
    blocks = (
        Rows(program, columns, slice(start, start + Rows.BLOCK), min(Rows.BLOCK, n_rows - start))
        for start in range(0, n_rows, Rows.BLOCK)
    )
    return [[block.value(output.of) for output in program.outputs] for block in blocks]


def assert_same(program: Program, columns: Columns, n_rows: int) -> None:
    """Refuse to time what gives other bits."""
    given = run(program, columns, n_rows, coded=True)
    for number, block in enumerate(interpret(program, columns, min(n_rows, 10 * Rows.BLOCK))):
        rows = slice(number * Rows.BLOCK, min((number + 1) * Rows.BLOCK, n_rows))
        for output, expected in zip(program.outputs, block, strict=True):
            own = given[output.name]
            if isinstance(expected, Texts):
                assert (own.take(rows).objects() == expected.objects()).all(), output.name
            else:
                assert (own[rows] == expected).all(), output.name
