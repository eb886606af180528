"""Binner `optimal` beside OptBinning: information values with equal limits, AUC on rows held out, CPU time.

Run: SCRUTABLE_DATA=... OMP_NUM_THREADS=1 python benchmarks/binning.py [--quick] [--json FILE]

All of it takes about ten minutes; `--quick` takes the small data sets. CPU is compared with OptBinning's own fits of
the columns; ours reads the frame and tabulates as well.
"""

from __future__ import annotations

from bins import data, held_out, speed, values
from report import lines, options, show
from threadpoolctl import threadpool_limits

from scrutable_optimal.partition import SHAPES


def main() -> None:
    """Print what other settings come to, then every figure beside its bound."""
    chosen = options(__doc__ or "")
    names = data.FEW if chosen.quick else data.EVERY
    with threadpool_limits(1):
        rows = [
            *values.rows_of_values(names, SHAPES),
            *held_out.rows_of_auc(names),
            *speed.rows_of_speed(names, 5),
        ]
        if not chosen.quick:
            lines("AUC on rows held out", ("data set", *held_out.SETTINGS), held_out.table_of_auc(names))
    show("Binner optimal beside OptBinning", rows, chosen.json)


if __name__ == "__main__":
    main()
