"""What the commands have in common when they speak: consoles, tables, notes, errors, JSON."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import typer
from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.panel import Panel
from rich.segment import Segment
from rich.table import Column, Table
from rich.text import Text

from scrutable.cli.plain_tables import plain_lines
from scrutable.cli.terminal import Terminal, line, lines
from scrutable.errors import InputError, KindError, ModelError, PluginError, ScrutableError, UnsupportedModel
from scrutable.writing.visible_text import LAYOUT, escaped_in_json, visible

#: Columns of text where no terminal says how wide it is, and the widest that tables and panels get.
WIDTH = 110

#: Blanks that a column of a table needs beside it, and the longest word that keeps it from becoming narrower.
_BETWEEN = 3
_WORD = 20
#: The most columns that name a row.
_KEYS = 3

#: Otherwise Rich puts streams of its own in the place of those that escape what is written to them.
_OWN_STREAMS: dict[str, Any] = {"redirect_stdout": False, "redirect_stderr": False}

T = TypeVar("T")

_TITLES = {
    InputError: "Bad input",
    KindError: "Bad input",
    ModelError: "Bad model",
    PluginError: "Plugin",
    UnsupportedModel: "Model not supported",
}


def console(*, stderr: bool = False) -> Terminal:
    """A console that follows NO_COLOR, COLUMNS and the terminal."""
    made = Terminal(stderr=stderr)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = WIDTH
    return made


class BlockTable(Table):
    """A table whose columns never shrink to nothing: what does not fit beside the first columns stands below.

    The first columns are as many as tell the rows apart, up to three.
    """

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        blocks = list(self._blocks(options.max_width))
        for position, block in enumerate(blocks):
            part = self if len(blocks) == 1 else self._part(block, with_title=position == 0)
            lines = plain_lines(part, console, options.max_width)
            if lines is None:
                yield from Table.__rich_console__(part, console, options)
            else:
                yield Segment("".join(f"{each}\n" for each in lines))

    def _blocks(self, width: int) -> Iterator[list[int]]:
        """Positions of the columns of each block, those that tell the rows apart in every one."""
        keys = self._keys()
        needed = [_needed(column, key=i in keys) + _BETWEEN for i, column in enumerate(self.columns)]
        if sum(needed) <= width:
            yield list(range(len(needed)))
            return
        beside = width - sum(needed[i] for i in keys)
        block: list[int] = []
        for position in range(len(keys), len(needed)):
            if block and sum(needed[i] for i in [*block, position]) > beside:
                yield [*keys, *block]
                block = []
            block.append(position)
        if needed:
            yield [*keys, *block]

    def _keys(self) -> list[int]:
        """Positions of the first columns of names, as many as tell the rows apart; the first alone where none do."""
        named = list(itertools.takewhile(lambda column: column.justify != "right", self.columns[:_KEYS]))
        rows = list(zip(*(map(str, column.cells) for column in named), strict=True))
        for many in range(1, len(named) + 1):
            if len({row[:many] for row in rows}) == len(rows):
                return list(range(many))
        return [0]

    def _part(self, positions: list[int], *, with_title: bool) -> Table:
        title = self.title if with_title else None
        part = Table(box=self.box, title=title, title_justify=self.title_justify, pad_edge=False)
        for position in positions:
            column = self.columns[position]
            part.add_column(column.header, justify=column.justify, overflow=column.overflow, no_wrap=column.no_wrap)
        cells = [list(self.columns[position].cells) for position in positions]
        for row in zip(*cells, strict=True):
            part.add_row(*row)
        return part


def _needed(column: Column, *, key: bool) -> int:
    """Columns of text that a column of a table takes at least: all that is not wrapped, and most words of the rest.

    A key is wrapped only where it is wide.
    """
    lines = [line for cell in (column.header, *column.cells) for line in str(cell).split("\n")]
    if column.no_wrap:
        return max(map(cell_len, lines), default=0)
    words = lines if key else [word for line in lines for word in line.split()]
    return min(max(map(cell_len, words), default=0), _WORD)


def table(
    headers: Sequence[str | Text],
    rows: Iterable[Sequence[object]],
    *,
    title: str = "",
    right: Iterable[int] = (),
    whole: Iterable[int] = (),
) -> Table:
    """A plain table of texts; the columns at `right` hold numbers, and those at `whole` are never wrapped.

    Where they do not all fit, the table stands in blocks, each with the first columns, as many as tell rows apart.
    """
    numbers, unwrapped = set(right), set(whole)
    shown = heading(title) if title else None
    made = BlockTable(box=box.SIMPLE_HEAD, title=shown, title_justify="left", pad_edge=False)
    for position, header in enumerate(headers):
        made.add_column(
            line(header),
            justify="right" if position in numbers else "left",
            overflow="fold",
            no_wrap=position in numbers | unwrapped,
        )
    for row in rows:
        made.add_row(*(cell if isinstance(cell, Text) else line(str(cell)) for cell in row))
    return made


def heading(text: str) -> Text:
    """A line that opens a part of a report."""
    return line(text, style="bold")


def note(text: str) -> None:
    """A remark on standard error."""
    console(stderr=True).print(remark(text), soft_wrap=True)


def remark(text: str) -> Text:
    """A remark as a line; within a report it stands where it belongs."""
    return line(("Note: ", "yellow"), text)


def say_weighted(column: str | None) -> None:
    """Say above figures that they are weighted, and which are not; nothing without a column of weights."""
    if column is not None:
        text = f"Figures, applicants too, are weighted by column {column!r}; whatever is called rows is their number."
        console().print(text, style="dim", soft_wrap=True)


def show_error(error: ScrutableError) -> None:
    """What, where, got, allowed and fix; a panel on a terminal, plain lines elsewhere."""
    facts = {"where": error.where, "got": error.got, "allowed": error.allowed, "fix": error.fix}
    told = [(key, str(value)) for key, value in facts.items() if value]
    target = console(stderr=True)
    if not target.is_terminal:
        plain = [f"Error: {error.what}", *(f"  {key + ':':<9}{value}" for key, value in told)]
        target.print(lines(plain), soft_wrap=True)
        return
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("what", line(error.what, style="bold"))
    for key, value in told:
        grid.add_row(key, value)
    title = Text(_TITLES.get(type(error), "Error"), style="bold red")
    target.print(Panel(grid, title=title, title_align="left", border_style="red", width=min(target.width, WIDTH)))


def emit(content: str | bytes) -> None:
    """Data on standard output, in UTF-8 whatever the terminal's encoding: other characters would be other data.

    They are exact but on a terminal, where texts are shown so that they cannot steer it.

    Raises
    ------
    InputError : standard output is closed, so that the data would be lost, or bytes are for a terminal.
    """
    if sys.stdout is None:
        raise InputError(
            "is closed, and what was asked for would be lost", where="standard output", fix="leave it open"
        )
    if sys.stdout.isatty():
        if isinstance(content, bytes):
            fix = "name a file, or send it to another program"
            raise InputError("a terminal cannot show what is no text", where="standard output", fix=fix)
        content = visible(content, keep=LAYOUT)
    typer.echo(content.encode() if isinstance(content, str) else content, nl=False)


def emit_json(data: Any) -> None:
    """One JSON document on standard output; what cannot be seen, or is a byte of a path, is escaped as in JSON."""
    from scrutable.writing.files import json_text

    _emit_json(json_text(data))


def emit_json_lines(records: Iterable[Any]) -> None:
    """A line of JSON for each record on standard output."""
    import json

    _emit_json("".join(json.dumps(each, ensure_ascii=False, allow_nan=False) + "\n" for each in records))


def _emit_json(text: str) -> None:
    emit(visible(text, keep="\n", how=escaped_in_json))


@contextmanager
def working(on: str) -> Iterator[Callable[[str], None]]:
    """Say on a terminal's standard error what is going on, for as long as it does; what is yielded says it anew."""
    target = console(stderr=True)
    if not target.file.isatty():
        yield lambda _: None
        return
    from rich.live import Live
    from rich.spinner import Spinner

    shown = Spinner("dots", line(f"{on} …"), style="status.spinner")
    with Live(shown, console=target, refresh_per_second=12.5, transient=True, **_OWN_STREAMS):
        yield lambda text: shown.update(text=line(f"{text} …"))


def tracked(items: Iterable[T], total: int, on: str) -> Iterator[T]:
    """The items as they come, with a bar on a terminal's standard error of how many there are yet to come."""
    target = console(stderr=True)
    if not target.file.isatty():
        yield from items
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=target, transient=True, **_OWN_STREAMS) as bar:
        yield from bar.track(items, total=total, description=visible(f"{on} …"))
