"""Rows of figures as every benchmark prints and writes them."""

from __future__ import annotations

import argparse
import json
import operator
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

_RELATIONS = {"<=": operator.le, ">=": operator.ge}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One figure: its bound, and what the other side measured in the same run."""

    name: str
    value: float
    unit: str
    relation: str
    bound: float
    peer: float | None = None
    note: str = ""

    @property
    def holds(self) -> bool:
        """Whether the value keeps to the bound."""
        return bool(_RELATIONS[self.relation](self.value, self.bound))


def parser(description: str) -> argparse.ArgumentParser:
    """What every benchmark takes: `--quick` and `--json FILE`; one may add to them."""
    common = argparse.ArgumentParser(description=description)
    common.add_argument("--quick", action="store_true", help="fewer repetitions, within a minute on two cores")
    common.add_argument("--json", type=Path, metavar="FILE", help="write the rows to a file")
    return common


def options(description: str) -> argparse.Namespace:
    """The options of a benchmark that takes no others."""
    return parser(description).parse_args()


def lines(title: str, columns: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    """Print a table that has no bounds."""
    table = Table(*columns, title=title)
    for each in cells:
        table.add_row(*each)
    Console(width=130).print(table)


def show(title: str, rows: list[Row], target: Path | None) -> None:
    """Print a table and write the rows where asked."""
    table = Table("figure", "value", "bound", "holds", "peer", "note", title=title)
    for row in rows:
        bound = f"{row.relation} {row.bound:g} {row.unit}"
        peer = "" if row.peer is None else f"{row.peer:.3g} {row.unit}"
        table.add_row(row.name, f"{row.value:.3g} {row.unit}", bound, "yes" if row.holds else "NO", peer, row.note)
    Console(width=130).print(table)
    if target is not None:
        target.write_text(json.dumps([{**asdict(row), "holds": row.holds} for row in rows], indent=2) + "\n")
