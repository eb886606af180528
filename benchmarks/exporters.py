"""Exporters: values that differ in each engine, and rows a second, beside what people use today.

Run: python benchmarks/exporters.py [--quick] [--json FILE]

Rates are of CPU time on one thread, each beside another of the same run, since machines differ. orbital needs an older
onnx than ours, so it has an environment of its own, named by SCRUTABLE_PEERS_PYTHON: a virtual environment with
orbital, scikit-learn and pandas. Engines that are not on the machine are named and fail their row; `make engines` says
how to get them.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from functools import partial

from clock import timed, yardstick
from exporting import cards, parity, peers, rates
from report import Row, lines, options, show
from threadpoolctl import threadpool_limits

from scrutable import create
from scrutable.model.stepwise import scorecard_of

MILLION = 1e6


def main() -> None:
    """Parity first, then rates."""
    chosen = options(__doc__ or "")
    with threadpool_limits(1):
        found = list(parity.tallies(1, 500) if chosen.quick else parity.tallies(5, 20_000))
        lines("Edge rows in every engine", parity.COLUMNS, [each.line() for each in found])
        rows = [*parity.rows_of_parity(found), *rows_of_rates(chosen.quick), *rows_of_export(chosen.quick)]
    show("Exporters", rows, chosen.json)


def rows_of_rates(quick: bool) -> Iterator[Row]:
    """Fifteen characteristics, reasons, and a thousand stumps."""
    n_rows, runs = (200_000, 3) if quick else (1_000_000, 5)
    card, columns = cards.scorecard(), cards.applicants(n_rows)
    binned, distinct = cards.stumps(31), cards.stumps()
    scores = ("score", "probability", "approved")
    reasons = tuple(f"reason_{i}" for i in range(1, 5))
    optbinning = peers.optbinning_rate(n_rows // 10, runs)
    pipeline = peers.pipeline_rate(n_rows // 5, runs)
    orbital = peers.orbital_rate(n_rows, runs)
    stumps, rows = cards.learnt_stumps(n_rows)
    boosted = f"{sum(len(item.attributes) for item in stumps.characteristics)} attributes left of 1,000 trees"
    learnt = rates.sql(stumps, rows, runs, points=False, reasons=0)
    python = rates.evaluator(card, columns, runs)
    yield _times("Python evaluator / OptBinning", python, optbinning, 3)
    yield _times("Python evaluator, reasons / without", rates.evaluator(card, columns, runs, reasons=True), python, 0.4)
    plain = rates.sql(card, columns, runs, points=False, reasons=0)
    told = "" if orbital is None else f"; orbital (no bins) {orbital[0] / MILLION:.2f}, off on {orbital[1]:.0%} of rows"
    yield _times("DuckDB / scikit-learn pipeline", plain, pipeline, 2, told)
    reasoned = rates.sql(card, columns, runs, points=False, shortfalls=False)
    yield _times("DuckDB, four reasons / without", reasoned, plain, 0.25)
    in_sql = rates.sql(binned, columns, runs)
    yield _times("DuckDB, 1,000 stumps, 31 edges / scorecard", in_sql, plain, 0.25)
    yield _times("DuckDB, 1,000 stumps learnt from data / scorecard", learnt, plain, 0.4, f"; {boosted}")
    yield _share("DuckDB", rates.sql(distinct, columns, runs), in_sql)
    session = rates.onnx(card, columns, runs, outputs=scores)
    yield _times("onnxruntime / scikit-learn pipeline", session, pipeline, 1.2)
    reasoned = rates.onnx(card, columns, runs, outputs=(*scores, *reasons))
    yield _times("onnxruntime, four reasons / without", reasoned, session, 0.3)
    for name, model in (("31 edges", binned), ("all cuts distinct", distinct)):
        rate = rates.onnx(model, columns, runs, outputs=scores)
        yield _times(f"onnxruntime, 1,000 stumps, {name} / scorecard", rate, session, 1)
    worst, usual = (rates.evaluator(scorecard_of(stumps), columns, runs) for stumps in (distinct, binned))
    yield _share("Python evaluator", worst, usual)
    in_r = rates.in_r(card, n_rows, runs, ", points = FALSE, reasons = FALSE")
    yield _times("R / scikit-learn pipeline", in_r, pipeline, 1.5)


def rows_of_export(quick: bool) -> Iterator[Row]:
    """What an export of the scorecard takes, beside sorting a million doubles."""
    card, runs = cards.scorecard(), 5 if quick else 21
    sort = yardstick(runs)
    for name in ("sql", "onnx", "r", "python"):
        exporter = create("exporter", name)
        exporter.export(card)
        taken = statistics.median(timed(partial(exporter.export, card))[0] for _ in range(runs))
        note = f"{1000 * taken:.1f} and {1000 * sort:.0f} ms"
        title = f"export to {name} / sorting a million doubles"
        yield Row(name=title, value=taken / sort, unit="x", relation="<=", bound=0.3, note=note)


def _share(engine: str, worst: float, usual: float) -> Row:
    """The rate of stumps no two of which share a cut, beside that of cuts at bin edges, as boosters have them."""
    return Row(
        name=f"{engine}, 1,000 stumps, all cuts distinct, by 31 edges",
        value=worst / usual,
        unit="x",
        relation=">=",
        bound=0.35,
        note=f"worst case: {worst / MILLION:.2f} and {usual / MILLION:.2f} M/s",
    )


def _times(name: str, ours: float, other: float, bound: float, note: str = "") -> Row:
    """A rate beside another of the same run."""
    note = f"{ours / MILLION:.2f} and {other / MILLION:.2f} M rows/s of CPU time{note}"
    return Row(name=name, value=ours / other, unit="x", relation=">=", bound=bound, note=note)


if __name__ == "__main__":
    main()
