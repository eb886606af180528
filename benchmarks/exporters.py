"""Exporters: values that differ in each engine, and rows a second, beside what people use today.

Run: python benchmarks/exporters.py [--quick] [--json FILE]

Rates are of CPU time on one thread; the machine's yardstick stands beside them. orbital needs an older onnx than ours,
so it has an environment of its own, named by SCRUTABLE_PEERS_PYTHON: a virtual environment with orbital, scikit-learn
and pandas. Engines that are not on the machine are named and fail their row; `make engines` says how to get them.
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
from scrutable.stepwise import scorecard_of

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
    sort = f"sorting a million doubles takes {1000 * yardstick(runs):.0f} ms"
    yield _rate("Python evaluator", rates.evaluator(card, columns, runs), 2, optbinning, f"OptBinning; {sort}")
    yield _rate("Python evaluator, reasons", rates.evaluator(card, columns, runs, reasons=True), 1)
    plain = rates.sql(card, columns, runs, points=False, reasons=0)
    told = "" if orbital is None else f"; orbital (no bins) {orbital[0] / MILLION:.2f}, off on {orbital[1]:.0%} of rows"
    yield _rate("DuckDB", plain, 3, pipeline, f"scikit-learn pipeline{told}")
    yield _rate("DuckDB, four reasons", rates.sql(card, columns, runs, points=False, shortfalls=False), 1)
    in_sql = rates.sql(binned, columns, runs)
    yield _rate("DuckDB, 1,000 stumps, 31 edges", in_sql, 2)
    yield _rate("DuckDB, 1,000 stumps learnt from data", learnt, 2, note=boosted)
    yield _share("DuckDB", rates.sql(distinct, columns, runs), in_sql)
    yield _rate("onnxruntime", rates.onnx(card, columns, runs, outputs=scores), 1.3, pipeline, "pipeline in Python")
    yield _rate("onnxruntime, four reasons", rates.onnx(card, columns, runs, outputs=(*scores, *reasons)), 0.3)
    yield _rate("onnxruntime, 1,000 stumps, 31 edges", rates.onnx(binned, columns, runs, outputs=scores), 2)
    yield _rate("onnxruntime, all cuts distinct", rates.onnx(distinct, columns, runs, outputs=scores), 2)
    worst, usual = (rates.evaluator(scorecard_of(stumps), columns, runs) for stumps in (distinct, binned))
    yield _share("Python evaluator", worst, usual)
    yield _rate("R", rates.in_r(card, n_rows, runs, ", points = FALSE, reasons = FALSE"), 2)


def rows_of_export(quick: bool) -> Iterator[Row]:
    """Milliseconds that an export of the scorecard takes."""
    card = cards.scorecard()
    for name in ("sql", "onnx", "r", "python"):
        exporter = create("exporter", name)
        exporter.export(card)
        taken = statistics.median(timed(partial(exporter.export, card))[0] for _ in range(5 if quick else 21))
        yield Row(name=f"export to {name}", value=1000 * taken, unit="ms", relation="<=", bound=10)


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


def _rate(name: str, value: float, bound: float, peer: float | None = None, note: str = "") -> Row:
    beside = None if peer is None else peer / MILLION
    return Row(name=name, value=value / MILLION, unit="M/s", relation=">=", bound=bound, peer=beside, note=note)


if __name__ == "__main__":
    main()
