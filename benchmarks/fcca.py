"""FCCA: the paper's tables and figures, the simple ranking of thresholds, and peers of each part, side by side.

Run: SCRUTABLE_DATA=... python benchmarks/fcca.py [--quick] [--json FILE]

Times are CPU time on one thread. All of it takes about two minutes; `--quick` takes two data sets for the tables, fewer
rows and repetitions, and no refits.
"""

from __future__ import annotations

from collections.abc import Iterator

from compressing import accuracy, others, solvers, speed, trees
from compressing.data import NAMES
from report import Row, lines, options, show
from threadpoolctl import threadpool_limits

QUANTILES = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0)


def main() -> None:
    """Print the tables, then every figure beside its bound."""
    chosen = options(__doc__ or "")
    with threadpool_limits(1):
        rows = [*rows_of_accuracy(chosen.quick), *rows_of_time(chosen.quick)]
        folds = 1 if chosen.quick else 5
        lines(f"Target models on boston, Q = 0, folds: {folds}", others.COLUMNS, list(others.lines_of_others(folds)))
    show("FCCA", rows, chosen.json)


def rows_of_accuracy(quick: bool) -> list[Row]:
    """The paper's accuracies, and the table of all ways to thresholds."""
    names, quantiles = (("boston", "ionosphere"), tuple(accuracy.PAPERS.values())) if quick else (NAMES, QUANTILES)
    compared = [accuracy.compare(name, quantiles, refitted=not quick) for name in names]
    for each in compared:
        title = f"{each.name}, means of five folds; the target model is right on {100 * each.target:.1f} % of test rows"
        lines(title, accuracy.COLUMNS, accuracy.lines_of(each))
    return list(accuracy.rows_of(compared))


def rows_of_time(quick: bool) -> Iterator[Row]:
    """Counterfactuals, folds and trees."""
    yield from solvers.rows_of_stumps(NAMES, 60, 3 if quick else 7)
    yield from solvers.rows_of_deep(NAMES, 20 if quick else 200)
    yield from speed.rows_of_folds(NAMES, 1 if quick else 5)
    yield from trees.rows_of_trees(3 if quick else 7)


if __name__ == "__main__":
    main()
