"""Checks of exporters: what stands around a run, the caller's frame, rows that are excluded, settings and options."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from scrutable.errors import ScrutableError, UnsupportedModel
from scrutable.model import Model
from scrutable.model.program import lowered
from scrutable.plugins.bases import Exporter, ResultOptions
from scrutable.testing.contract.check import check, failing_as, require, runs
from scrutable.testing.contract.estimators.each_option import default_of, stated_of, values_of
from scrutable.testing.contract.examples.altered import unlike
from scrutable.testing.contract.examples.models import models_accepted, one_of_each_kind, random_models_held
from scrutable.testing.contract.examples.random_models import drawn_rows
from scrutable.testing.contract.exporters.parity import (
    differing_columns,
    engine_here,
    held_rows,
    rows_of,
    unlike_the_model,
)
from scrutable.testing.contract.subject import Subject
from scrutable.testing.contract.unchanged import changed, changed_state, state_of


@check("exporter", of=runs, hint="copy the frame before anything is filled, cast or renamed")
def runs_leave_their_rows_as_they_were(subject: Subject) -> None:
    """Neither run nor holds changes the frame that it is given, or the exporter, or what the next run gives."""
    _, exporter = engine_here(subject)
    for name, model in one_of_each_kind(random_models_held(subject)).items():
        export = exporter.export(model)
        rows = held_rows(exporter, export, drawn_rows(model))
        before, state = rows.copy(), state_of(exporter)
        first = exporter.run(export, rows)
        exporter.holds(export, rows)
        change = changed(before, rows) or changed_state(state, state_of(exporter))
        require(not change, f"run of a random {name} changes the rows that it is given, or itself", got=change)
        wrong = differing_columns(first, exporter.run(export, rows))
        require(not wrong, f"a second run of a random {name} gives something else", got=wrong)


@check("exporter", of=runs, hint="raise an error of scrutable.errors for rows that holds excludes, before they run")
def rows_that_are_not_held_are_refused(subject: Subject) -> None:
    """Rows that holds excludes are refused by run, or get what the evaluator gives; none is scored as another."""
    _, exporter = engine_here(subject)
    for name, model in {**models_accepted(subject), **one_of_each_kind(random_models_held(subject))}.items():
        try:
            export = exporter.export(model)
        except UnsupportedModel:
            continue
        rows = rows_of(model).frame
        rows = rows[~np.asarray(exporter.holds(export, rows))].reset_index(drop=True)
        if not len(rows):
            continue
        failing = f"run of rows of a {name} that holds excludes ends in no error of scrutable.errors"
        with suppress(ScrutableError), failing_as(failing, ScrutableError):
            wrong = unlike_the_model(model, rows, exporter.run(export, rows.copy()))
            require(not wrong, f"rows of a {name} that holds excludes run, and get something else", got=wrong)


@check("exporter", of=runs, hint="let run compute with what it reads from export.files, and with nothing else")
def settings_hold_nothing_of_the_model(subject: Subject) -> None:
    """Files run beside the settings of a model of other points, cutoffs and knock-outs give what they give alone."""
    engine, exporter = engine_here(subject)
    for name, model in one_of_each_kind(random_models_held(subject)).items():
        try:
            export, other = exporter.export(model), exporter.export(unlike(model))
        except UnsupportedModel:
            continue
        rows = held_rows(exporter, export, drawn_rows(model))
        failing = f"the files of a random {name} do not run beside other settings in {engine}"
        with suppress(ScrutableError), failing_as(failing, ScrutableError):  # it may see that they are another's
            usual = exporter.run(export, rows.copy())
            results = exporter.run(replace(export, settings=other.settings, model=unlike(model)), rows.copy())
            wrong = differing_columns(usual, results)
            require(not wrong, f"run of a random {name} computes with settings, not with its files alone", got=wrong)


@check("exporter", of=runs, hint="try each option of the constructor in an engine; refuse what cannot be combined")
def every_option_of_an_export_runs_alike(subject: Subject) -> None:
    """Under each value that an option may have, files give what the evaluator gives, results on request among it."""
    engine, _ = engine_here(subject)
    for options in _settings(subject):
        try:
            exporter: Exporter = subject.load().at(engine, **{**subject.options, **options})
        except (ScrutableError, TypeError, ValueError):
            continue
        for name, model in one_of_each_kind(random_models_held(subject)).items():
            _runs_alike(exporter, model, f"with {options} a random {name}", f" in {engine}")


@check("exporter", of=runs, hint="look every name up once, in the mapping that is given; never replace text by text")
def columns_may_swap_their_names(subject: Subject) -> None:
    """Where an option maps features to columns, columns may have one another's names, or the option refuses them."""
    engine, _ = engine_here(subject)
    for option, alternatives in stated_of(subject).items():
        texts = any(get_args(hint) == (str, str) for hint, _ in alternatives)
        for name, model in one_of_each_kind(random_models_held(subject)).items() if texts else ():
            swapped = _swapped(model)
            told = f"with {option}={swapped} a random {name}"
            with suppress(ScrutableError), failing_as(f"{told} does not run", ScrutableError):
                exporter: Exporter = subject.load().at(engine, **{**subject.options, option: swapped})
                _runs_alike(exporter, model, told)


def _runs_alike(exporter: Exporter, model: Model, told: str, where: str = "") -> None:
    """Require that a random model gives what the evaluator gives, unless it cannot be written, or not run here."""
    with suppress(ScrutableError), failing_as(f"{told} does not run{where}", ScrutableError):
        export = exporter.export(model)
        rows = held_rows(exporter, export, drawn_rows(model))
        theirs = exporter.run(export, rows.copy())
        wrong = unlike_the_model(model, rows, theirs)
        require(not wrong, f"{told} gives something else{where}", got=wrong)
        lacking = sorted(_requested(exporter, model) - set(theirs))
        require(not lacking, f"{told} lacks results on request{where}", got=", ".join(lacking))


def _requested(exporter: Exporter, model: Model) -> set[str]:
    """The results on request that the options of an exporter ask for; none where it has no such options."""
    program = lowered(model, words=False)
    return set(exporter.names(program)) & set(program.on_request) if isinstance(exporter, ResultOptions) else set()


def _swapped(model: Model) -> dict[str, str]:
    """Features, each to the column of the next one of its kind."""
    columns: dict[str, str] = {}
    for kind in ("numeric", "categorical"):
        names = [each.name for each in model.features if each.kind == kind]
        columns |= dict(zip(names, names[1:] + names[:1], strict=True))
    return columns


def _settings(subject: Subject) -> Iterator[dict[str, Any]]:
    for name, alternatives in stated_of(subject).items():
        yield from ({name: value} for value in values_of(alternatives, default_of(subject, name)))
