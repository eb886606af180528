"""Checks of exporters: what runs gives what the evaluator gives, and what people read does not run."""

from __future__ import annotations

import numpy as np

from scrutable.errors import PluginError, UnsupportedModel
from scrutable.model.evaluator import OutputFrame, evaluate
from scrutable.plugins.component import Component
from scrutable.proof.comparison import compare
from scrutable.testing.contract.check import Fault, check, require, runs, said
from scrutable.testing.contract.models import (
    applicants_of,
    hostile_models,
    models_accepted,
    one_of_each_kind,
    ordinary_applicants_of,
    random_models_held,
)
from scrutable.testing.contract.parity import differing, engine_here, rows_of
from scrutable.testing.contract.random_models import drawn_rows, rows_to_run
from scrutable.testing.contract.subject import Subject


def _is_document(component: Component) -> bool:
    return not component.engines


@check(
    "exporter", of=runs, hint="compute as the evaluator does: doubles, the same ladder of conditions, fixed-point sums"
)
def runs_equal_the_evaluator(subject: Subject) -> None:
    """In an engine, edge rows of every model that it accepts get what the evaluator gives them, bit for bit."""
    engine, exporter = engine_here(subject)
    for name, model in models_accepted(subject).items():
        try:
            wrong = differing(exporter, model, rows_of(model))
        except Exception as error:
            raise Fault(f"a {name} does not run in {engine}", got=said(error)) from error
        require(not wrong, f"a {name} gives something else in {engine}: {wrong}")


@check(
    "exporter",
    of=runs,
    hint="where the first column differs: knock-outs in their order, special codes before intervals, missing in no "
    "clause that does not say so, z held in ±36, score >= cutoff, ties of reasons in the policy's order",
)
def random_models_run_alike(subject: Subject) -> None:
    """Random models of the kinds that it accepts give what the evaluator gives, whatever they are made of."""
    engine, exporter = engine_here(subject)
    for name, model in random_models_held(subject).items():
        try:
            wrong = differing(exporter, model, rows_to_run(model))
        except Exception as error:
            raise Fault(f"the random {name} does not run in {engine}", got=said(error)) from error
        require(not wrong, f"the random {name} gives something else in {engine}: {wrong}")


@check("exporter", of=runs, hint="pick the columns of X by their names, and give the rows back in the order of X")
def rows_are_run_by_themselves(subject: Subject) -> None:
    """A row gets the same in whatever order rows and columns are, beside a column of no use, in a frame of its own."""
    engine, exporter = engine_here(subject)
    for name, model in one_of_each_kind(random_models_held(subject)).items():
        rows = drawn_rows(model)
        rows = rows[np.asarray(exporter.holds(exporter.export(model), rows))]
        labels = np.random.default_rng(0).permutation(len(rows)) // 2
        turned = rows.iloc[::-1, ::-1].assign(of_no_use="x").set_axis(labels, axis=0)
        for what, frame in (("other rows and columns around it", turned), ("no other row", rows.iloc[[0]])):
            try:
                theirs = exporter.run(exporter.export(model), frame.copy())
            except Exception as error:
                raise Fault(f"the random {name} does not run in {engine} with {what}", got=said(error)) from error
            ours = OutputFrame({key: values for key, values in evaluate(model, frame).frame().items() if key in theirs})
            wrong = [each.name for each in compare(ours, theirs) if each.differing]
            fault = f"with {what} a row of the random {name} gets something else in {engine}"
            require(not wrong, fault, got=", ".join(wrong))


@check("exporter", of=runs, hint="quote every name and category for the engine, and compare texts by code point")
def hostile_models_run_alike(subject: Subject) -> None:
    """Names, labels and categories with quotes, markup and line breaks run as the evaluator does, or are refused."""
    engine, exporter = engine_here(subject)
    for name, model in hostile_models(subject).items():
        try:
            wrong = differing(exporter, model, rows_of(model))
        except UnsupportedModel:
            continue
        except Exception as error:
            raise Fault(f"a {name} with hostile texts does not run in {engine}", got=said(error)) from error
        require(not wrong, f"a {name} with hostile texts gives something else in {engine}: {wrong}")


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
            exporter.run(exporter.export(model), applicants_of(model))
        except PluginError:
            refused = True
            continue
        except Exception as error:
            raise Fault("run of files that no engine runs raises no PluginError", got=said(error)) from error
        wrong = differing(exporter, model, rows_of(model))
        require(not wrong, f"run gives something else than the evaluator for a {name}: {wrong}")
    for name, model in () if refused else random_models_held(subject).items():
        wrong = differing(exporter, model, rows_to_run(model))
        require(not wrong, f"run gives something else than the evaluator for the random {name}: {wrong}")
