"""What comes after the export: application servers, databases, what is deployed there, replay, a service, monitoring.

Run: python benchmarks/production.py [--quick] [--json FILE]

Rows are of the scorecard of fifteen characteristics with four reasons. Programs in C, Java and JavaScript take their
own CPU time, warm, as the median of five; the yardsticks of the same run are copying the bytes of the inputs, and
sorting a million doubles. `benchmarks/producing/` says what is measured of each of the other parts.
"""

from __future__ import annotations

from collections.abc import Iterator

from clock import yardstick
from exporting.production import BATCHES, batch_seconds, row_seconds, tally
from producing import databases
from producing.deployed import rows_of_deployed
from producing.monitored import rows_of_monitored
from producing.replay import rows_of_replay
from producing.service import rows_of_service
from report import Row, options, show

from scrutable.testing.contract.examples.models import models_named
from scrutable.testing.contract.examples.random_models import drawn_models, extended_models, large_models

#: Microseconds that one row may take.
BOUNDS = {"c": 1.0, "java": 2.0, "javascript": 5.0}
BATCH = 0.6


def main() -> None:
    """Rows, batches and values that differ of programs; then databases, what is deployed, replay and the service."""
    chosen = options(__doc__ or "")
    quick = chosen.quick
    rows = [*rows_of_one(quick), *rows_of_batches(quick), *rows_of_parity(quick), *databases.rows(quick=quick)]
    rows += [*rows_of_deployed(quick=quick), *rows_of_replay(quick=quick), *rows_of_service(quick=quick)]
    rows += rows_of_monitored(quick=quick)
    show("In production", rows, chosen.json)


def rows_of_one(quick: bool) -> Iterator[Row]:
    """One row with everything: score, decision, probability, points, four reasons and their shortfalls."""
    sort = yardstick(5)
    for language, bound in BOUNDS.items():
        taken = 1e6 * row_seconds(language, 200_000 if quick else 1_000_000)
        note = f"median of five; sorting a million doubles {1e3 * sort:.0f} ms"
        yield Row(name=f"{language}: one row", value=taken, unit="µs", relation="<=", bound=bound, note=note)


def rows_of_batches(quick: bool) -> Iterator[Row]:
    """Columns in C, beside copying the bytes of the inputs."""
    for what in BATCHES:
        copied, taken = batch_seconds(what, 1_000_000 if quick else 4_000_000)
        note = f"{1e9 * taken:.1f} ns a row; copying its inputs {1e9 * copied:.1f}"
        bound = BATCH if what == "score and decision" else 0.1
        yield Row(
            name=f"c: {what} / copying the inputs",
            value=copied / taken,
            unit="x",
            relation=">=",
            bound=bound,
            note=note,
        )


def rows_of_parity(quick: bool) -> Iterator[Row]:
    """Edge rows of every kind of model, and of random ones with all parts."""
    models = {**models_named(), **drawn_models(), **extended_models(), **large_models()}
    n_rows = 500 if quick else 100_000 // len(models)
    few = dict(list(models.items())[:6]) if quick else models
    for language in BOUNDS:
        count, differ, ulp = tally(language, few.values(), n_rows)
        note = f"{len(few)} models, {count:,} rows, probabilities {ulp} units apart at most"
        yield Row(name=f"{language}: values that differ", value=differ, unit="", relation="<=", bound=0, note=note)


if __name__ == "__main__":
    main()
