"""What people read of the commands, on a terminal or in a log: no text of data, files or options can steer it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from scrutable.writing.visible_text import LAYOUT, visible


class Shown:
    r"""A stream of text on which control characters and marks of direction are escaped, whoever writes to it.

    Rich draws on the stream behind it, and bytes go to its buffer.

    Parameters
    ----------
    stream : where the text goes.

    Examples
    --------
    >>> import sys
    >>> print("red\x1b[31m", file=Shown(sys.stdout))
    red\x1b[31m
    """

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream  # a console of Rich takes this for its file

    def write(self, text: str) -> int:
        if not isinstance(text, str):  # as other streams of text do; programs try whether one takes bytes
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self.rich_proxied_file.write(visible(text, keep=LAYOUT))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for each in lines:
            self.write(each)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rich_proxied_file, name)


class Terminal(Console):
    """A console that draws texts as they are, without markup, and escapes in them what would steer it.

    A text is a line. Lines and styles are put together by `line` and `lines`.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, **options)

    def render_str(self, text: str, *arguments: Any, **options: Any) -> Text:
        return super().render_str(visible(text), *arguments, **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        for segment in super().render(renderable, options):
            text, style, control = segment
            as_it_is = control or (text.isascii() and text.isprintable())
            yield segment if as_it_is else Segment(visible(text, keep="\n"), style)


def line(*parts: str | tuple[str, str] | Text, style: str = "") -> Text:
    r"""Texts, some of them with a style, as one line.

    >>> str(line("Note: ", ("two\nlines", "bold")))
    'Note: two\\nlines'
    """
    shown = (
        each if isinstance(each, Text) else visible(each) if isinstance(each, str) else (visible(each[0]), each[1])
        for each in parts
    )
    return Text.assemble(*shown, style=style)


def lines(texts: Iterable[str | Text]) -> Text:
    """Texts, one below the other."""
    return Text("\n").join(map(line, texts))
