"""Explanations on a terminal: whatever an explainer found, as it describes itself."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.table import Table

from scrutable.cli.output import table
from scrutable.cli.terminal import line, lines
from scrutable.plugins.bases.explanation import Explanation, Summary

if TYPE_CHECKING:
    import pandas as pd

#: What hangs out on the left of a line that is longer than the terminal is wide.
_HANGING = re.compile(r"\s*(?:\d+\. )?")
#: The decision that an explanation is of, which takes the place of the word that it begins with.
_DECISIONS: Mapping[bool | None, tuple[str, str]] = {True: ("approved", "green"), False: ("declined", "red")}


def explanation_group(who: str, explanation: Explanation) -> Group:
    """An explanation as lines of text, the first of which goes on from who it is about."""
    first, *rest = explanation.describe().split("\n")
    said, others = re.match(r"(\w*)(.*)", first, re.DOTALL).groups()  # type: ignore[union-attr]  # always matches
    decision, colour = _DECISIONS.get(explanation.approved, (said.lower(), ""))
    return Group(line((who, "bold"), " ", (decision, colour), others), *map(_hanging, rest))


def summed_up(summary: Summary) -> Group:
    """A summary as text and tables."""
    tables = (_table(title, frame) for title, frame in summary.tables().items())
    return Group(lines(summary.describe().split("\n")), *tables)


def _hanging(text: str) -> RenderableType:
    """A line whose continuations stand below its words, not below its number."""
    marker = _HANGING.match(text).group()  # type: ignore[union-attr]  # always matches
    if not marker:
        return line(text)
    grid = Table.grid()
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(marker, text.removeprefix(marker))
    return grid


def _table(title: str, frame: pd.DataFrame) -> Table:
    numbers = [place for place, name in enumerate(frame.columns) if frame[name].dtype.kind in "if"]
    return table(list(frame.columns), map(_cells, frame.itertuples(index=False)), title=title, right=numbers)


def _cells(row: Iterable[Any]) -> list[str]:
    return [_number(cell) if isinstance(cell, int | float) else str(cell) for cell in row]


def _number(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
