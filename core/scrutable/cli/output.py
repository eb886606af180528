"""What the commands have in common when they speak: consoles, tables, notes, errors, JSON."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import typer
from rich import box
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from scrutable.errors import InputError, KindError, ModelError, PluginError, ScrutableError, UnsupportedModel
from scrutable.files import json_text

#: Columns of text where no terminal says how wide it is, and the widest that tables and panels get.
WIDTH = 110

T = TypeVar("T")

_TITLES = {
    InputError: "Bad input",
    KindError: "Bad input",
    ModelError: "Bad model",
    PluginError: "Plugin",
    UnsupportedModel: "Model not supported",
}


def console(*, stderr: bool = False) -> Console:
    """A console that follows NO_COLOR, COLUMNS and the terminal, and prints data as they are, without markup."""
    made = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = WIDTH
    return made


def printable(value: object) -> str:
    r"""A text that cannot steer a terminal: control characters are shown escaped.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in str(value))


def table(
    headers: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    title: str = "",
    right: Iterable[int] = (),
    whole: Iterable[int] = (),
) -> Table:
    """A plain table of texts; the columns at `right` hold numbers, and those at `whole` are never wrapped."""
    numbers, unwrapped = set(right), set(whole)
    shown = heading(printable(title)) if title else None
    made = Table(box=box.SIMPLE_HEAD, title=shown, title_justify="left", pad_edge=False)
    for position, header in enumerate(headers):
        made.add_column(
            _lines(header),
            justify="right" if position in numbers else "left",
            overflow="fold",
            no_wrap=position in numbers | unwrapped,
        )
    for row in rows:
        made.add_row(*(cell if isinstance(cell, Text) else Text(printable(cell)) for cell in row))
    return made


def _lines(header: str) -> Text:
    """A header, which may stand on several lines, as it is: it may name what a user's data names."""
    return Text("\n".join(map(printable, header.split("\n"))))


def heading(text: str) -> Text:
    """A line that opens a part of a report."""
    return Text(text, style="bold")


def note(text: str) -> None:
    """A remark on standard error."""
    console(stderr=True).print(remark(text), soft_wrap=True)


def remark(text: str) -> Text:
    """A remark as a line; within a report it stands where it belongs."""
    return Text.assemble(("Note: ", "yellow"), printable(text))


def show_error(error: ScrutableError) -> None:
    """What, where, got, allowed and fix; a panel on a terminal, plain lines elsewhere."""
    facts = {"where": error.where, "got": error.got, "allowed": error.allowed, "fix": error.fix}
    lines = [(key, printable(value)) for key, value in facts.items() if value]
    target, what = console(stderr=True), printable(error.what)
    if not target.is_terminal:
        plain = "\n".join([f"Error: {what}", *(f"  {key + ':':<9}{value}" for key, value in lines)])
        target.print(plain, soft_wrap=True)
        return
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("what", Text(what, style="bold"))
    for key, value in lines:
        grid.add_row(key, Text(value))
    title = Text(_TITLES.get(type(error), "Error"), style="bold red")
    target.print(Panel(grid, title=title, title_align="left", border_style="red", width=min(target.width, WIDTH)))


def emit(content: str | bytes) -> None:
    """Data on standard output, in UTF-8 whatever the terminal's encoding: other characters would be other data."""
    typer.echo(content.encode() if isinstance(content, str) else content, nl=False)


def emit_json(data: Any) -> None:
    """One JSON document on standard output; what UTF-8 cannot hold, such as a byte of a path, is escaped as in JSON."""
    emit(json_text(data).encode(errors="backslashreplace"))


@contextmanager
def working(on: str) -> Iterator[Callable[[str], None]]:
    """Say on a terminal's standard error what is going on, for as long as it does; what is yielded says it anew."""
    target = console(stderr=True)
    if not target.file.isatty():
        yield lambda _: None
        return
    with target.status(Text(f"{on} …")) as status:
        yield lambda text: status.update(Text(f"{text} …"))


def tracked(items: Iterable[T], total: int, on: str) -> Iterator[T]:
    """The items as they come, with a bar on a terminal's standard error of how many there are yet to come."""
    target = console(stderr=True)
    if not target.file.isatty():
        yield from items
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=target, transient=True) as bar:
        yield from bar.track(items, total=total, description=f"{printable(on)} …")
