"""Statements as lines, in blocks of the branches that they are in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from scrutable_source_code.common.language import Language, Statement
from scrutable_source_code.common.spelling import comment

_INDENT = "    "


@dataclass(slots=True)
class Lines:
    """Lines of one function, with the blocks that are open at their end."""

    lines: list[str] = field(default_factory=list)
    size: int = 0
    _open: tuple[str, ...] = ()

    def add(self, blocks: Sequence[str], line: str) -> None:
        """A line, within the blocks of these conditions."""
        shared = 0
        while shared < min(len(blocks), len(self._open)) and blocks[shared] == self._open[shared]:
            shared += 1
        self.close(shared)
        for depth in range(shared, len(blocks)):
            self._put(depth, f"{blocks[depth]} {{")
        self._open = tuple(blocks)
        self._put(len(blocks), line)

    def close(self, depth: int = 0) -> None:
        """Close all blocks but so many."""
        for each in reversed(range(depth, len(self._open))):
            self._put(each, "}")
        self._open = self._open[:depth]

    def _put(self, depth: int, line: str) -> None:
        self.lines.append(_INDENT * depth + line)
        self.size += len(line)


#: The conditions of the blocks that a line is in, the outermost first, and the line.
Line = tuple[Sequence[str], str]


def in_blocks(statements: Iterable[Statement], language: Language) -> Iterator[Line]:
    """The line of each statement, and the blocks that it is in."""
    for each in statements:
        yield language.blocks(each), language.assigned(each) + comment(each.about)


def laid_out(lines: Iterable[Line], most: float = float("inf")) -> list[list[str]]:
    """Lines within their blocks, as several functions where they are longer than so many characters.

    What a line reads or gives is the same in whichever function it stands, so that any may begin with it.

    >>> laid_out([(["if (a)"], "b = 1;"), (["if (a)"], "c = 2;"), ([], "d = 3;")])
    [['if (a) {', '    b = 1;', '    c = 2;', '}', 'd = 3;']]
    """
    parts = [Lines()]
    for blocks, line in lines:
        if parts[-1].size > most:
            parts[-1].close()
            parts.append(Lines())
        parts[-1].add(blocks, line)
    parts[-1].close()
    return [part.lines for part in parts]
