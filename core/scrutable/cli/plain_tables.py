"""Tables drawn as Rich draws them where nothing has a colour, in a fraction of the time that it takes to style them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

#: The last resort of Rich's own drawing is to narrow all columns; below this many, it is asked.
_NARROW = 10


def plain_lines(table: Table, console: Console, width: int) -> Iterator[str] | None:
    """The lines of a table on a console without colours; None where it is not as simple as what is drawn here.

    Of the columns at most one is wrapped, and nothing but a table's columns and rows is drawn.
    """
    simple = table.box is box.SIMPLE_HEAD and not (table.title or table.caption or table.expand or table.pad_edge)
    if console.color_system is not None or not simple or any(row.end_section for row in table.rows):
        return None
    given = [[column.header, *column.cells] for column in table.columns]
    if not all(isinstance(cell, str | Text) and str(cell).isprintable() for cells in given for cell in cells):
        return None
    columns = [[cell if isinstance(cell, Text) else Text(str(cell)) for cell in cells] for cells in given]
    least = 1 if len(columns) == 1 else 0  # beside others a column has blanks
    widths = [max(least, *(cell_len(cell.plain) for cell in cells)) for cells in columns]
    spare = width - sum(widths) - 3 * len(widths) + 1
    wrapped = [place for place, column in enumerate(table.columns) if not column.no_wrap]
    if spare < 0:
        if len(wrapped) != 1 or widths[wrapped[0]] + spare < _NARROW:
            return None
        widths[wrapped[0]] += spare
    return _lines(table.columns, columns, widths, console)


def _lines(
    columns: Sequence[Column], cells: Sequence[Sequence[Text]], widths: Sequence[int], console: Console
) -> Iterator[str]:
    across = sum(widths) + 3 * len(widths) - 1
    yield " " * across
    for number, row in enumerate(zip(*cells, strict=True)):
        parts = [
            _fitted(cell, column, width, console) for cell, column, width in zip(row, columns, widths, strict=True)
        ]
        height = max(map(len, parts))
        for part, width in zip(parts, widths, strict=True):
            blank = [" " * width] * (height - len(part))
            part[:] = part + blank if number else blank + part  # headers stand at the bottom
        for line in zip(*parts, strict=True):
            yield f" {'   '.join(line)} "
        if not number:
            yield f" {'─' * (across - 2)} "
    yield " " * across


def _fitted(cell: Text, column: Column, width: int, console: Console) -> list[str]:
    """The lines of a cell, each as wide as its column."""
    if cell_len(cell.plain) <= width:
        lines = [cell.plain]
    else:
        lines = [each.plain.rstrip() for each in cell.wrap(console, width, overflow=column.overflow)]
    right = column.justify == "right"
    lines = [line.rstrip() for line in lines] if right else lines
    gaps = [" " * (width - cell_len(line)) for line in lines]
    return [gap + line if right else line + gap for line, gap in zip(lines, gaps, strict=True)]
