"""The tables that the function reads, as constants of the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scrutable.model.program import Names
from scrutable.plugins import one_line
from scrutable_python.text import listed

#: Lines up to which a table without titles stands where it is read.
_FEW = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a table: a literal, and what it is for in words."""

    text: str
    title: str = ""


@dataclass(slots=True)
class Constants:
    """Constants, each written once."""

    lines: list[str] = field(default_factory=list)
    _names: Names = field(default_factory=Names)
    _known: dict[str, str] = field(default_factory=dict)
    _heading: str | None = ""

    def headed(self, heading: str) -> None:
        """What the next constants are for, in words; a blank line stands before them."""
        self._heading = one_line(heading)

    def table(self, wanted: str, entries: Sequence[Entry]) -> str:
        """An expression for a tuple, a line each."""
        if len(entries) <= _FEW and not any(each.title for each in entries):
            return listed([each.text for each in entries])
        lines = [f"    {each.text},{_comment(each.title)}" for each in entries]
        return self._written(wanted, "\n".join(["(", *lines, ")"]))

    def row(self, wanted: str, items: Sequence[str]) -> str:
        """The name of a tuple on one line."""
        return self._written(wanted, listed(items))

    def dictionary(self, wanted: str, items: Sequence[tuple[str, str]]) -> str:
        """The name of a dictionary."""
        lines = [f"    {key}: {item}," for key, item in items]
        return self._written(wanted, "\n".join(["{", *lines, "}"]))

    def _written(self, wanted: str, text: str) -> str:
        if text not in self._known:
            self._known[text] = self._names.new(f"_{wanted}")
            if self._heading is not None:
                self.lines += ["", f"# {self._heading}"] if self._heading else [""]
            self._heading = None
            self.lines += f"{self._known[text]} = {text}".split("\n")
        return self._known[text]


def _comment(title: str) -> str:
    return f"  # {one_line(title)}" if title else ""
