"""How long the commands take, as whole processes; the yardsticks are interpreters that do nothing, and import NumPy.

Run: python benchmarks/commands.py [--quick] [--json FILE]

Starts are CPU time, with ten plugins of others installed beside ours, whose distributions are written into a folder on
the path.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from clock import process_seconds, wall_seconds
from exporting import cards
from plugins import install
from report import Row, options, show

from scrutable.model import dump

FURTHER = 10
SCRUTABLE = [sys.executable, "-m", "scrutable.cli"]


def main() -> None:
    """Time how commands start, and `scrutable demo`."""
    chosen = options(__doc__ or "")
    with tempfile.TemporaryDirectory() as folder:
        rows = [*starts(Path(folder), 7 if chosen.quick else 21), demo(Path(folder), 1 if chosen.quick else 5)]
    show("Commands", rows, chosen.json)


def starts(folder: Path, runs: int) -> Iterator[Row]:
    """What commands take that do little."""
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    environment = os.environ | {"PYTHONPATH": path}
    for number in range(FURTHER):
        install(folder, number)
    model, applicants, one = (str(folder / name) for name in ("model.json", "applicants.csv", "one.csv"))
    dump(cards.scorecard(), model)
    write_applicants(applicants, 1000)
    write_applicants(one, 1)

    def seconds(*command: str) -> float:
        return process_seconds(list(command), runs, environment)

    nothing, numpy = (seconds(sys.executable, "-c", code) for code in ("pass", "import numpy"))
    imported = seconds(sys.executable, "-c", "import scrutable") - nothing
    note = f"median CPU time of {runs}; peer: python -c "
    yield _row("import scrutable, beyond an interpreter", imported, 0.010, nothing, f"{note}pass")
    listing, scoring = ("plugins", "list"), ("score", model, applicants)
    for name, command, bound, peer in (
        ("scrutable --help", ("--help",), 0.14, nothing),
        ("scrutable plugins list", listing, 0.15, nothing),
        ("scrutable score, 1,000 rows, beyond NumPy", scoring, 0.15, numpy),
        ("scrutable explain, one applicant", ("explain", model, one), 0.30, numpy),
    ):
        taken = seconds(*SCRUTABLE, *command) - (numpy if command is scoring else 0)
        yield _row(name, taken, bound, peer, note + ("pass" if peer is nothing else "'import numpy'"))


def demo(folder: Path, runs: int) -> Row:
    """The whole demonstration, by the clock."""
    nothing = wall_seconds([sys.executable, "-c", "pass"], runs)
    taken = wall_seconds([*SCRUTABLE, "demo", "--overwrite", "--output", str(folder / "demo")], runs)
    return _row("scrutable demo", taken, 60.0, nothing, "by the clock, after installation; peer: python -c pass")


def write_applicants(path: str, count: int) -> None:
    """Applicants of the scorecard, with two digits behind the point."""
    names = [feature.name for feature in cards.scorecard().features]
    drawn = cards.applicants(count)
    cells = [
        [
            f"{value + 0.0:.2f}" if value == value else ""
            for value in np.where(abs(drawn[name]) < 0.005, 0.0, drawn[name])
        ]
        if drawn[name].dtype == float
        else [text or "" for text in drawn[name]]
        for name in names
    ]
    rows = (",".join(row) for row in zip(*cells, strict=True))
    Path(path).write_text("\n".join([",".join(names), *rows, ""]))


def _row(name: str, value: float, bound: float, peer: float, note: str) -> Row:
    return Row(name=name, value=value, unit="s", relation="<=", bound=bound, peer=peer, note=note)


if __name__ == "__main__":
    main()
