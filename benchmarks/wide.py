"""Many more columns than rows: what a fit of 1,000 rows takes, in Python and by the command.

Run: python benchmarks/wide.py [--quick] [--json FILE]

Each fit is a process of its own on one thread, with all imports and the reading of the data; memory is the most that it
held. The default learner with default options has bounds; the others are only shown. The columns are noise but for
twenty; some are categories, some whole numbers, some partly missing. It takes about ten minutes; `--quick` takes 2,000
columns for 10,000, and no other learners.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from clock import yardstick
from report import Row, lines, options, show

ROWS = 1_000
_MOST_SECONDS, _MOST_GIGABYTES = 60.0, 1.0
_OTHERS = ("lda-xgb1", "rug", "fairgbm")

_WRITE = """
import sys
import numpy as np, pandas as pd
rows, columns, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
draw = np.random.default_rng(0)
values = draw.normal(size=(rows, columns))
odds = values[:, :20].sum(axis=1) * 0.3
frame = {"paid": (draw.random(rows) < 1 / (1 + np.exp(-odds))).astype(int)}
for at, column in enumerate(values.T):
    kind = at % 10
    if kind == 7:
        column = np.where(draw.random(rows) < 0.1, np.nan, column)
    elif kind == 8:
        column = np.floor(np.abs(column) * 4)
    elif kind == 9:
        column = np.array(list("abcdefgh"))[np.clip((column * 2 + 4).astype(int), 0, 7)]
    frame[f"c{at}"] = column
frame = pd.DataFrame(frame)
frame.to_csv(f"{folder}/wide.csv", index=False, float_format="%.6f")
frame.to_parquet(f"{folder}/wide.parquet")
"""
_FIT = """
import sys
from scrutable import create
from scrutable.data.frames import read_file
frame = read_file(sys.argv[1])
create("learner", sys.argv[2]).fit(frame.drop(columns="paid"), frame["paid"])
"""


def used(command: list[str]) -> tuple[float, float]:
    """CPU seconds and most gigabytes of a process that has one thread."""
    one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    child = subprocess.Popen(command, env=os.environ | one, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        raise RuntimeError(f"{command[:4]} ended with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 2**20


def rows_of(columns: int, folder: str) -> list[Row]:
    """Time and memory of the learner `scorecard`, by each way in."""
    fit = [sys.executable, "-m", "scrutable.cli", "fit", "--learner", "scorecard"]
    asked = ["--target", "paid", "--favourable", "1", "--overwrite", "-o", f"{folder}/model.json"]
    ways = {
        "fit in Python": [sys.executable, "-c", _FIT, f"{folder}/wide.parquet", "scorecard"],
        "scrutable fit, CSV": [*fit, f"{folder}/wide.csv", *asked],
        "scrutable fit, Parquet": [*fit, f"{folder}/wide.parquet", *asked],
    }
    note = f"{ROWS:,} rows x {columns:,} columns; a sort of a million doubles takes {yardstick(5):.2g} s"
    found = []
    for name, command in ways.items():
        seconds, gigabytes = used(command)
        found.append(Row(name=name, value=seconds, unit="s", relation="<=", bound=_MOST_SECONDS, note=note))
        found.append(Row(name=name, value=gigabytes, unit="GB", relation="<=", bound=_MOST_GIGABYTES))
    return found


def main() -> None:
    """The bounds, then the other learners."""
    chosen = options(__doc__ or "")
    with tempfile.TemporaryDirectory() as folder:
        columns = 2_000 if chosen.quick else 10_000
        used([sys.executable, "-c", _WRITE, str(ROWS), str(columns), folder])
        found = rows_of(columns, folder)
        if not chosen.quick:
            used([sys.executable, "-c", _WRITE, str(ROWS), "2000", folder])
            fits = [(name, used([sys.executable, "-c", _FIT, f"{folder}/wide.parquet", name])) for name in _OTHERS]
            cells = [(name, f"{seconds:.1f} s", f"{gigabytes:.2f} GB") for name, (seconds, gigabytes) in fits]
            lines("Other learners, 2,000 columns", ("learner", "CPU time", "memory"), cells)
    show("Wide data", found, chosen.json)


if __name__ == "__main__":
    main()
