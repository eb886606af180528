"""How near evaluation comes to the limits of the machine: copying the rows, looking values up in a dict.

Run: python benchmarks/limits.py [--quick] [--json FILE]

Rates are of CPU time on one thread, each beside a yardstick of the same run, since machines differ; the compiled loops
are made before they are timed, and give the bits of the reference interpreter.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np
from clock import median_seconds
from evaluating import boosters, subjects
from evaluating.reference import assert_same, interpret
from exporting import cards
from numpy.typing import NDArray
from report import Row, options, show
from threadpoolctl import threadpool_limits

from scrutable import create
from scrutable.model import Model, Scorer
from scrutable.model.program import Program, added_up, kept, lowered, run

SCORES = ("score", "approved")
REASONS = (*SCORES, *(f"reason_{i}" for i in range(1, 5)))


def main() -> None:
    """Batches, trees, rules, one applicant, and how a fit grows."""
    chosen = options(__doc__ or "")
    n_rows, runs = (1_000_000, 5) if chosen.quick else (10_000_000, 5)
    with threadpool_limits(1):
        rows = [*batches(n_rows, runs), *ensembles(1_000_000, runs), *one_applicant(9), growth(20_000)]
    show("Limits", rows, chosen.json)


def batches(n_rows: int, runs: int) -> Iterator[Row]:
    """Fifteen characteristics, four of them texts by codes, beside a copy of the same bytes."""
    card, columns = cards.scorecard(), subjects.of_card(subjects.columns(n_rows))
    copied = [each.values if each.kind == "numeric" else each.coding.codes for each in columns.values()]
    targets = [np.empty_like(values) for values in copied]
    copy = median_seconds(partial(_copy, targets, copied), runs)
    for names, bound in ((SCORES, 0.40), (REASONS, 0.28)):
        program = narrowed(card, names)
        assert_same(program, columns, n_rows)
        seconds = median_seconds(partial(run, program, columns, n_rows, coded=True), runs)
        rate = f"{n_rows / seconds / 1e6:.1f} M rows/s; copy {n_rows / copy / 1e6:.1f}"
        what = "scores and decisions" if names == SCORES else "with four reasons"
        yield Row(name=f"{what} / copy", value=copy / seconds, unit="x", relation=">=", bound=bound, note=rate)
    program = narrowed(card, REASONS)
    one, two = (wall(partial(run, program, columns, n_rows, coded=True, threads=threads)) for threads in (1, 2))
    yield Row(name="two threads / one, wall time", value=one / two, unit="x", relation=">=", bound=1.0)


def ensembles(n_rows: int, runs: int) -> Iterator[Row]:
    """Trees beside LightGBM's own predict, rules beside the reference interpreter."""
    columns = subjects.columns(n_rows)
    for n_trees, depth, bound in ((1000, 1, 100.0), (100, 3, 10.0)):
        seconds = timed(narrowed(subjects.forest(n_trees, depth), SCORES), columns, n_rows, runs)
        peer = boosters.seconds_a_row(columns, n_trees, depth, runs) * n_rows
        note = f"{n_rows / seconds / 1e6:.2f} M rows/s; LightGBM {n_rows / peer / 1e6:.3f}"
        name = f"{n_trees} trees of depth {depth} / LightGBM"
        yield Row(name=name, value=peer / seconds, unit="x", relation=">=", bound=bound, note=note)
    program = narrowed(subjects.rules(100), SCORES)
    reference = median_seconds(partial(interpret, program, columns, n_rows), runs)
    seconds = timed(program, columns, n_rows, runs)
    note = f"{n_rows / seconds / 1e6:.2f} M rows/s; reference {n_rows / reference / 1e6:.2f}"
    yield Row(name="100 rules / reference", value=reference / seconds, unit="x", relation=">=", bound=5.0, note=note)


def one_applicant(runs: int) -> Iterator[Row]:
    """From a dict, beside looking fifteen values up in it."""
    card = cards.scorecard()
    applicants = subjects.applicants(500)
    look_up = itemgetter(*applicants[0])
    yardstick = median_seconds(lambda: [look_up(each) for each in applicants * 20], runs) / 10_000
    without = card.scorer(reasons=False)
    for what, score, bound in (("score and decision", without, 2.0), ("with four reasons", card.scorer(), 4.0)):
        seconds = median_seconds(partial(_score_all, score, applicants * 4), runs) / 2000
        note = f"{seconds * 1e6:.2f} microseconds; fifteen look-ups {yardstick * 1e6:.3f}"
        limit = bound / 0.13  # the bound in look-ups on the machine that set it
        yield Row(
            name=f"one applicant, {what} / look-ups",
            value=seconds / yardstick,
            unit="x",
            relation="<=",
            bound=limit,
            note=note,
        )


def growth(n_rows: int) -> Row:
    """By which power of the number of columns the time of fitting a scorecard grows, from 100 to 300 columns."""
    X = np.random.default_rng(0).normal(size=(n_rows, 300)).round(2)
    y = X[:, :20].sum(axis=1) + np.random.default_rng(1).normal(size=n_rows) * 4 > 0

    def fit(columns: int) -> None:
        create("learner", "scorecard", binner="quantile").fit(X[:, :columns], y)

    few, many = (median_seconds(partial(fit, columns), 3) for columns in (100, 300))
    power, note = float(np.log(many / few) / np.log(3)), f"{few:.2f} s and {many:.2f} s for {n_rows:,} rows"
    name = "scorecard of quantile bins: power of the columns"
    return Row(name=name, value=power, unit="", relation="<=", bound=1.3, note=note)


def narrowed(model: Model, names: tuple[str, ...]) -> Program:
    """The program of some outputs."""
    return kept(added_up(lowered(model)), names)


def timed(program: Program, columns: subjects.Columns, n_rows: int, runs: int) -> float:
    """CPU seconds of a run, after its bits were compared with the reference."""
    assert_same(program, columns, n_rows)
    return median_seconds(partial(run, program, columns, n_rows, coded=True), runs)


def _copy(targets: Sequence[NDArray[Any]], copied: Sequence[NDArray[Any]]) -> None:
    for to, values in zip(targets, copied, strict=True):
        np.copyto(to, values)


def _score_all(score: Scorer, applicants: list[dict[str, object]]) -> None:
    for each in applicants:
        score(each)


def wall(work: Callable[[], object]) -> float:
    """Least wall seconds of three."""
    taken = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


if __name__ == "__main__":
    main()
