"""Every kind of model in every engine that is here, on edge rows: how many values differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from report import Row

from scrutable.errors import UnsupportedModel
from scrutable.model import Model, RegressionScorecard
from scrutable.model.codec import tag
from scrutable.plugins.bases import Exporter
from scrutable.proof import certify, verification_rows
from scrutable.testing.engines import exporters_here
from scrutable.testing.fuzz import drawn_models

COLUMNS = ("engine", "models", "refused", "rows", "left out", "values", "differ", "ulp")
ENGINES = ("clickhouse", "duckdb", "mariadb", "onnxruntime", "postgresql", "python", "rscript", "spark", "sqlite")


@dataclass(slots=True)
class Tally:
    """What was seen in one engine."""

    engine: str
    models: int = 0
    refused: int = 0
    rows: int = 0
    left_out: int = 0
    values: int = 0
    differ: int = 0
    ulp: int = 0
    absent: str = ""

    def line(self) -> tuple[str, ...]:
        """The cells of a table."""
        numbers = (self.models, self.refused, self.rows, self.left_out, self.values, self.differ, self.ulp)
        return (self.engine, *(f"{number:,}" for number in numbers))


def models_of_every_kind(each: int, seed: int = 0) -> list[Model]:
    """Hostile scorecards of both kinds, rule sets of two and of more classes, tree ensembles: `each` of every kind."""
    kinds: dict[str, list[Model]] = {}
    for model in drawn_models(60 * each, seed):
        if model.features:
            classes = 0 if isinstance(model, RegressionScorecard) else min(len(model.outcome.classes), 3)
            kinds.setdefault(f"{tag(type(model))} {classes}", []).append(model)
    return [model for found in kinds.values() for model in found[:each]]


def tallies(each: int, n_rows: int) -> Iterator[Tally]:
    """Each engine in turn, `n_rows` rows of every model; those that are not here with the reason."""
    models = models_of_every_kind(each)
    with exporters_here(ENGINES) as (here, absent):
        for exporter in here.values():
            yield _tally(exporter, models, n_rows)
        for engine, reason in absent.items():
            yield Tally(engine, absent=reason)


def rows_of_parity(found: list[Tally]) -> Iterator[Row]:
    """Nothing may differ, and probabilities by two units in the last place at most."""
    for each in found:
        note = each.absent or f"{each.models} models, {each.rows:,} rows, {each.left_out:,} left out"
        differ = float("nan") if each.absent else each.differ
        yield Row(name=f"{each.engine}: values that differ", value=differ, unit="", relation="<=", bound=0, note=note)
        if not each.absent:
            name = f"{each.engine}: probabilities apart"
            yield Row(name=name, value=each.ulp, unit="ulp", relation="<=", bound=2)


def _tally(exporter: Exporter, models: list[Model], n_rows: int) -> Tally:
    found = Tally(exporter.engine())
    for model in models:
        try:
            (run,) = certify(model, [exporter], verification_rows(model, n_random=n_rows)).runs
        except UnsupportedModel:
            found.refused += 1
            continue
        found.models += 1
        found.rows += run.n_rows
        found.left_out += run.excluded_rows
        found.values += run.n_rows * len(run.columns)
        found.differ += sum(run.differing().values())
        found.ulp = max(found.ulp, run.ulp)
    return found
