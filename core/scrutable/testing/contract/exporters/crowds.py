"""Checks of exporters: many rows, copies of rows among them, and none."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.errors import InputError
from scrutable.model import Model
from scrutable.plugins.bases import Exporter
from scrutable.testing.contract.check import check, failing_as, require, runs
from scrutable.testing.contract.examples.models import models_accepted, ordinary_applicants_of
from scrutable.testing.contract.exporters.parity import differing, drawn, engine_here, held_rows
from scrutable.testing.contract.subject import Subject

#: More rows than what runs files is likely to take at once, and how many of them come last.
_MANY, _LAST = 10_007, 20
_SEED = 5


@check("exporter", of=runs, hint="run all rows, each as if it were alone: the first batch, the last, and copies")
def many_rows_run_alike(subject: Subject) -> None:
    """Thousands of rows, many alike, get what the evaluator gives them; the last ones have values of their own."""
    engine, exporter = engine_here(subject)
    for name, model, rows in _held(subject, exporter):
        early, late = _parted(rows)
        chance = np.random.default_rng(_SEED)
        places = [chance.choice(early, _MANY - _LAST), chance.choice(late, _LAST)]
        frame = rows.iloc[np.concatenate(places)].reset_index(drop=True)
        with failing_as(f"{_MANY} rows of a {name} do not run in {engine}"):
            wrong = differing(exporter, model, drawn(frame))
        require(not wrong, f"{_MANY} rows of a {name} give something else in {engine}: {wrong}")


@check("exporter", of=runs, hint="refuse no rows by InputError, as the evaluator does, or give columns of no rows")
def no_rows_give_no_results(subject: Subject) -> None:
    """Where there are no rows, there are no results."""
    engine, exporter = engine_here(subject)
    for name, model, rows in _held(subject, exporter):
        try:
            results = exporter.run(exporter.export(model), rows.iloc[:0])
        except InputError:
            continue
        long = [key for key, values in results.items() if len(values)]
        require(not long, f"no rows of a {name} give results in {engine}", got=", ".join(long))


def _held(subject: Subject, exporter: Exporter) -> Iterator[tuple[str, Model, pd.DataFrame]]:
    """The first and the last model that it accepts, and the ordinary rows of them that the engine holds."""
    accepted = list(models_accepted(subject).items())
    for name, model in accepted[:: max(1, len(accepted) - 1)]:
        yield name, model, held_rows(exporter, exporter.export(model), ordinary_applicants_of(model))


def _parted(rows: pd.DataFrame) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Places of rows without, and with, the most frequent value of the first column, of texts if there is one."""
    texts = [name for name in rows if rows[name].dtype == object]
    name = (texts or list(rows))[0]
    late = np.asarray(rows[name] == rows[name].mode()[0])
    return np.flatnonzero(~late), np.flatnonzero(late)
