"""What the form of the SQL brings: rows a second with four reasons in each engine, beside the engine's own sums.

Run: python benchmarks/sql_forms.py [--quick] [--json FILE]

Each rate is beside a yardstick of the same run and engine, the sum of eleven columns of the same table, kept as a table
as the results are. A card with whole points has points and reasons in one whole number; the same card with points that
are too fine for that has them in a wide one, or compares shortfalls. Rates are of CPU time on one thread, PostgreSQL's
that of its server process.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

from exporting import cards
from exporting.tables import ENGINES, Loaded
from report import Row, options, show

from scrutable import create
from scrutable.errors import PluginError
from scrutable.model import Scorecard

#: The yardstick's seconds for a second of the statement, at least: of whole points, of fine ones, of all columns.
BOUNDS = {
    "postgres": (0.07, 0.03, 0.035),
    "duckdb": (0.05, 0.035, 0.03),
    "sqlite": (0.05, 0.03, 0.035),
    "clickhouse": (0.08, 0.055, 0.05),
}
#: Engines by column, whose time for few rows is that of planning, get more.
MORE_ROWS = {"duckdb": 10, "clickhouse": 10}
FORMS = ("whole points", "fine points", "whole points, all columns")
YARDSTICK = f"SELECT {' + '.join(f'number_{i}' for i in range(cards.N_NUMBERS))} AS s FROM applicants"


def main() -> None:
    """Every engine in turn, the statements interleaved."""
    chosen = options(__doc__ or "")
    rows = [row for engine in ENGINES for row in rows_of(engine, quick=chosen.quick)]
    show("Forms of SQL", rows, chosen.json)


def rows_of(engine: str, *, quick: bool) -> Iterator[Row]:
    """Whole points and fine ones, the results of both and all columns of points."""
    whole = cards.scorecard()
    scores = create("exporter", "sql", dialect=engine, points=False, shortfalls=False)
    every = create("exporter", "sql", dialect=engine)
    written = (scores.export(whole).text, scores.export(fine(whole)).text, every.export(whole).text)
    texts = {"sum": YARDSTICK, **dict(zip(FORMS, written, strict=True))}
    n_rows = (20_000 if quick else 100_000) * MORE_ROWS.get(engine, 1)
    try:
        with ExitStack() as stack:
            table: Loaded = stack.enter_context(ENGINES[engine](n_rows))
            taken = table.seconds(texts, 3 if quick else 5)
    except PluginError as error:
        yield Row(name=engine, value=float("nan"), unit="x", relation=">=", bound=0, note=str(error))
        return
    for name, bound in zip(FORMS, BOUNDS[engine], strict=True):
        note = f"{n_rows / taken[name] / 1e6:.3f} M rows/s; sums {n_rows / taken['sum'] / 1e6:.1f}"
        value = taken["sum"] / taken[name]
        yield Row(name=f"{engine}, {name} / sums", value=value, unit="x", relation=">=", bound=bound, note=note)


def fine(card: Scorecard) -> Scorecard:
    """The card with points that take all binary places, which no whole number holds beside the reasons."""
    items = tuple(
        replace(
            item,
            attributes=tuple(
                replace(each, points=each.points + 2.0**-30 * j) for j, each in enumerate(item.attributes)
            ),
        )
        for item in card.characteristics
    )
    return replace(card, characteristics=items)


if __name__ == "__main__":
    main()
