"""A page of HTML as plain text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from scrutable_documents.common.blocks import Block, TableRows, blocks

_WIDTH = 76


def to_text(html: str) -> str:
    """A page as lines of up to 76 characters; longer words stay whole.

    Examples
    --------
    >>> print(to_text("<h1>Notice</h1><p>Dear Ann:</p><ol><li>Income<li>Debts</ol>"))
    NOTICE
    ======
    <BLANKLINE>
    Dear Ann:
    <BLANKLINE>
     1. Income
     2. Debts
    <BLANKLINE>
    """
    lines: list[str] = []
    in_list = False
    for block in blocks(html):
        item = isinstance(block, Block) and block.kind == "item"
        if lines and not (item and in_list):
            lines.append("")
        lines += _table(block) if isinstance(block, TableRows) else _block(block)
        in_list = item
    return "\n".join(lines) + "\n"


def _block(block: Block) -> Iterator[str]:
    if block.kind == "heading":
        first = block.level == 1
        lines = [line for part in block.text.split("\n") for line in _wrapped(part.upper() if first else part)]
        yield from lines
        yield ("=" if first else "-") * max(map(len, lines))
        return
    sign = ""
    if block.kind == "item":
        indent = "    " * (block.level - 1)
        sign = indent + (f"{block.number:2d}. " if block.number is not None else "  - ")
    for place, line in enumerate(block.text.split("\n")):
        yield from _wrapped(line, sign if place == 0 else " " * len(sign), " " * len(sign))


def _table(table: TableRows) -> Iterator[str]:
    for row in table.rows:
        texts = [cell.text.replace("\n", ", ") for cell in row]
        yield from _wrapped(f"{texts[0]}: {' | '.join(texts[1:])}" if len(texts) > 1 else texts[0], "", "    ")


def _wrapped(text: str, first: str = "", rest: str = "") -> list[str]:
    made = textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return made or [first.rstrip()]
