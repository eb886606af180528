"""Checks of exporters: what runs gives what the evaluator gives, and what people read does not run."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scrutable.errors import PluginError
from scrutable.plugins.component import Component
from scrutable.testing.contract.check import check, failing_as, require, runs
from scrutable.testing.contract.examples.models import (
    applicants_of,
    hostile_models,
    models_accepted,
    one_of_each_kind,
    ordinary_applicants_of,
    random_models_held,
)
from scrutable.testing.contract.examples.random_models import drawn_rows, rows_to_run
from scrutable.testing.contract.exporters.parity import (
    Case,
    differing,
    engine_here,
    held_rows,
    rows_of,
    running_alike,
    unlike_the_model,
)
from scrutable.testing.contract.subject import Subject


def _is_document(component: Component) -> bool:
    return not component.engines


@running_alike(hint="compute as the evaluator does: doubles, the same ladder of conditions, fixed-point sums")
def runs_equal_the_evaluator(subject: Subject) -> Iterator[Case]:
    """In an engine, edge rows of every model that it accepts get what the evaluator gives them, bit for bit."""
    for name, model in models_accepted(subject).items():
        yield f"a {name}", model, rows_of(model)


@running_alike(
    hint="where the first column differs: knock-outs in their order, special codes before intervals, missing in no "
    "clause that does not say so, z held in ±36, score >= cutoff, ties of reasons in the policy's order",
)
def random_models_run_alike(subject: Subject) -> Iterator[Case]:
    """Random models of the kinds that it accepts give what the evaluator gives, whatever they are made of."""
    for name, model in random_models_held(subject).items():
        yield f"the random {name}", model, rows_to_run(model)


@check("exporter", of=runs, hint="pick the columns of X by their names, and give the rows back in the order of X")
def rows_are_run_by_themselves(subject: Subject) -> None:
    """A row gets the same in whatever order rows and columns are, beside a column of no use, in a frame of its own."""
    engine, exporter = engine_here(subject)
    for name, model in one_of_each_kind(random_models_held(subject)).items():
        rows = held_rows(exporter, exporter.export(model), drawn_rows(model))
        labels = np.random.default_rng(0).permutation(len(rows)) // 2
        turned = rows.iloc[::-1, ::-1].assign(of_no_use="x").set_axis(labels, axis=0)
        for what, frame in (("other rows and columns around it", turned), ("no other row", rows.iloc[[0]])):
            with failing_as(f"the random {name} does not run in {engine} with {what}"):
                theirs = exporter.run(exporter.export(model), frame.copy())
            wrong = unlike_the_model(model, frame, theirs)
            require(not wrong, f"with {what} a row of the random {name} gets something else in {engine}", got=wrong)


@running_alike(hint="quote every name and category for the engine, and compare texts by code point", may_refuse=True)
def hostile_models_run_alike(subject: Subject) -> Iterator[Case]:
    """Names, labels and categories with quotes, markup and line breaks run as the evaluator does, or are refused."""
    for name, model in hostile_models(subject).items():
        yield f"a {name} with hostile texts", model, rows_of(model)


@check("exporter", of=runs, hint="return name and version of the engine that run starts, for example DuckDB 1.4.1")
def the_engine_has_a_name(subject: Subject) -> None:
    """engine() names the engine that runs its files, with its version."""
    _, exporter = engine_here(subject)
    name = exporter.engine()
    require(isinstance(name, str) and name.strip(), "engine() gives no name", got=name)
    require(any(letter.isdigit() for letter in name), "engine() names no version", got=name)


@check("exporter", of=runs, hint="override holds where Export.excluded says that the engine cannot hold something")
def rows_that_cannot_run_are_declared(subject: Subject) -> None:
    """holds says for each row whether the engine can hold it; where one cannot be held, `excluded` says what."""
    _, exporter = engine_here(subject)
    for name, model in models_accepted(subject).items():
        rows = applicants_of(model)
        export = exporter.export(model)
        held = np.asarray(exporter.holds(export, rows))
        right = held.shape == (len(rows),) and held.dtype == bool
        require(right, f"holds gives no boolean for each row of a {name}", got=(held.shape, held.dtype))
        require(held.all() or export.excluded, f"rows of a {name} are not held, and excluded does not say which")


@check("exporter", of=runs, hint="encode what the engine has no value for, or refuse the model; exclude odd rows only")
def ordinary_rows_are_held(subject: Subject) -> None:
    """Rows of ordinary values run, missing, special and unseen ones among them."""
    _, exporter = engine_here(subject)
    for name, model in models_accepted(subject).items():
        rows = ordinary_applicants_of(model)
        lacking = np.flatnonzero(~np.asarray(exporter.holds(exporter.export(model), rows), dtype=bool))
        row = rows.iloc[int(lacking[0])].to_dict() if len(lacking) else {}
        require(not len(lacking), f"{len(lacking)} of {len(rows)} ordinary rows of a {name} are not held", got=row)


@check("exporter", of=_is_document, hint="name engines in the Component, or leave run and engine to the base class")
def documents_do_not_run(subject: Subject) -> None:
    """Without engines in its descriptor, run refuses by PluginError, or gives what the evaluator gives."""
    exporter = subject.make()
    refused = False
    for name, model in models_accepted(subject).items():
        try:
            with failing_as("run of files that no engine runs raises no PluginError", PluginError):
                exporter.run(exporter.export(model), applicants_of(model))
        except PluginError:
            refused = True
            continue
        wrong = differing(exporter, model, rows_of(model))
        require(not wrong, f"run gives something else than the evaluator for a {name}: {wrong}")
    for name, model in () if refused else random_models_held(subject).items():
        wrong = differing(exporter, model, rows_to_run(model))
        require(not wrong, f"run gives something else than the evaluator for the random {name}: {wrong}")
