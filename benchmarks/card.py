"""Learner `additive` beside EBM's main effects, OptBinning's scorecard, and a shrunken logistic regression.

Run: SCRUTABLE_DATA=... OMP_NUM_THREADS=1 python benchmarks/card.py [--ebm PYTHON] [--quick] [--json FILE]

EBM is no dependency of this project, so it runs in an environment of its own:

    python -m venv ebm-env
    ebm-env/bin/pip install interpret-core scikit-learn pandas pyarrow
    python benchmarks/card.py --ebm ebm-env/bin/python

and so does FasterRisk (`pip install fasterrisk`), whose cards of whole points have as many binary steps as ours, by
`--fasterrisk PYTHON`. Without them their figures are absent.

Data sets are without protected columns; 30 % of the rows are held out in ten random splits, and the same rows are given
to all. CPU is that of one thread. EBM's fits are most of the time, some minutes a split: `--kept FOLDER` keeps each at
once, and goes on from those that are there, whose CPU is then of another run. `--quick` takes two splits of the four
smaller sets.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from cards import binary_steps, data, held_out, noise, pairs, samples, size
from report import lines, parser, show
from threadpoolctl import threadpool_limits


def main() -> None:
    """Print AUC by set, then every figure beside its bound."""
    chosen = asked()
    names = tuple(chosen.set or (data.FEW if chosen.quick else data.EVERY))
    seeds = chosen.splits or (2 if chosen.quick else 10)
    with threadpool_limits(1), tempfile.TemporaryDirectory() as folder:
        figures = held_out.measured(names, seeds, chosen.ebm, chosen.kept or Path(folder))
        lines(f"AUC on rows held out, {seeds} splits", ("data set", *figures), list(held_out.cells(figures)))
        rows = [*held_out.rows(figures), *samples.rows(names, seeds), *noise.rows(seeds), *pairs.rows(names, seeds)]
        rows += noise.rows_of_chance(1 if chosen.quick else 5)
        if chosen.fasterrisk:
            rows += binary_steps.rows(names[:1] if chosen.quick else data.FEW, chosen.fasterrisk)
        rows += size.rows_of_many_rows(1 if chosen.quick else 5)
        if not chosen.quick:
            rows += size.rows_of_many_columns(3)
    show("Learner additive", rows, chosen.json)
    if not chosen.ebm:
        print("No figures beside EBM: name the interpreter of an environment that has it, --ebm PYTHON.")


def asked() -> argparse.Namespace:
    """The options."""
    given = parser(__doc__ or "")
    given.add_argument("--ebm", metavar="PYTHON", help="interpreter of an environment with interpret-core")
    given.add_argument("--fasterrisk", metavar="PYTHON", help="interpreter of an environment with fasterrisk")
    given.add_argument("--kept", type=Path, metavar="FOLDER", help="keep EBM's fits there, and go on from its fits")
    given.add_argument("--set", action="append", choices=data.EVERY, help="take this data set; repeatable")
    given.add_argument("--splits", type=int, metavar="N", help="random splits, two at least")
    chosen = given.parse_args()
    if chosen.splits is not None and chosen.splits < 2:
        given.error("--splits: a standard error takes two at least")
    return chosen


if __name__ == "__main__":
    main()
