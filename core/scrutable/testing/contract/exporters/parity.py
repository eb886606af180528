"""Checks of what runs elsewhere: exports, run in their engines, give what the evaluator gives."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from scrutable.errors import InputError, PluginError, UnsupportedModel
from scrutable.model import Evidence, Model
from scrutable.model.evaluator import OutputFrame, evaluate, results
from scrutable.model.program import lowered
from scrutable.plugins.bases import Export, Exporter
from scrutable.plugins.component import Component
from scrutable.plugins.registry import registry
from scrutable.proof import certify, verification_rows
from scrutable.proof.comparison import compare
from scrutable.proof.rows import VerificationRows
from scrutable.testing.contract.check import Check, Fault, NotApplicable, check, failing_as, require, runs, said
from scrutable.testing.contract.examples.data import fitted, sample_for
from scrutable.testing.contract.examples.models import accepts, applicants_of, models_accepted
from scrutable.testing.contract.subject import Subject

#: Exporters whose engines are in this process.
_QUICK = ("onnx", "sql")
#: What a fault calls a model, the model, and rows that are run.
Case = tuple[str, Model, VerificationRows]


@check(
    "learner", hint="build the model of the representation's parts alone; if another learner's model passes, look there"
)
def exports_equal_the_model(subject: Subject) -> None:
    """Its model, exported and run in an engine of every installed exporter, gives what it gives here, bit for bit."""
    learner = fitted(subject)
    rows = verification_rows(learner.model_, sample_for(subject).X, n_random=100)
    run_in_engines(learner.model_, rows, evidence=learner.evidence_)


def _makes_policies(component: Component) -> bool:
    return "reasons" in component.produces


@check(
    "explainer",
    of=_makes_policies,
    hint="make a policy whose features, codes and effects are the model's; refuse what you cannot explain",
)
def its_policy_gives_the_same_reasons_elsewhere(subject: Subject) -> None:
    """A reason policy that it makes fits the model, and gives the same reasons in an engine."""
    made = subject.make()
    ran = 0
    for name, model in models_accepted(subject).items():
        if not hasattr(model, "reasons"):
            continue
        rows = applicants_of(model)
        try:
            policy = made.policy(model, rows)
        except PluginError as error:
            raise Fault("it produces reasons, and makes no policy", got=said(error)) from error
        with failing_as(f"its policy does not fit a {name}"):
            explained = replace(model, reasons=policy)
        ran += run_in_engines(explained, rows_of(explained), most=1)
    if not ran:
        raise Fault("it produces reasons, and no model that it accepts can hold any")


def differing(exporter: Exporter, model: Model, rows: VerificationRows, evidence: Evidence | None = None) -> str:
    """What an export gives in its engine other than the evaluator, in words; empty where all is equal."""
    (run,) = certify(model, [exporter], rows, evidence=evidence).runs
    wrong = [column for column in run.columns if column.differing]
    if not wrong:
        return "" if run.n_rows else "the engine holds none of the rows"
    first, *others = wrong
    more = f"; {len(others)} more columns differ" if others else ""
    if not first.first:
        return f"column {first.name!r} is missing, or of another length{more}"
    one = first.first[0]
    values = f"row {one.row}: {one.expected} here, {one.got} there"
    return f"column {first.name!r} differs in {first.differing} of {run.n_rows} rows, {values}{more}"


def running_alike(*, hint: str, may_refuse: bool = False) -> Callable[[Callable[[Subject], Iterator[Case]]], Check]:
    """Make a check of a function that names models and rows: in an engine they give what the evaluator gives.

    Parameters
    ----------
    may_refuse : whether a model may be refused by UnsupportedModel as well.
    """

    def made(cases: Callable[[Subject], Iterator[Case]]) -> Check:
        @functools.wraps(cases)
        def run(subject: Subject) -> None:
            engine, exporter = engine_here(subject)
            for told, model, rows in cases(subject):
                require_alike(engine, exporter, told, model, rows, may_refuse=may_refuse)

        return check("exporter", of=runs, hint=hint)(run)

    return made


def require_alike(
    engine: str, exporter: Exporter, told: str, model: Model, rows: VerificationRows, *, may_refuse: bool = False
) -> None:
    """Require that a model runs, and gives what the evaluator gives, or that it is refused where it may be."""
    try:
        with failing_as(f"{told} does not run in {engine}", UnsupportedModel):
            wrong = differing(exporter, model, rows)
    except UnsupportedModel as error:
        require(may_refuse, f"{told} does not run in {engine}", got=said(error))
        return
    require(not wrong, f"{told} gives something else in {engine}: {wrong}")


def drawn(rows: pd.DataFrame) -> VerificationRows:
    """Rows of a frame as such that are run."""
    return VerificationRows(frame=rows, edge=0, drawn=len(rows), data=0, seed=0)


def held_rows(exporter: Exporter, export: Export, rows: pd.DataFrame) -> pd.DataFrame:
    """Those of the rows that the engine can hold."""
    return rows[np.asarray(exporter.holds(export, rows))]


def differing_columns(ours: OutputFrame, theirs: OutputFrame) -> str:
    """Columns of results that differ, of those that both have."""
    wanted = OutputFrame({key: values for key, values in ours.items() if key in theirs})
    return ", ".join(each.name for each in compare(wanted, theirs) if each.differing)


def unlike_the_model(model: Model, rows: Any, theirs: OutputFrame) -> str:
    """Columns of results that are not what the evaluator gives, also of those that it gives on request alone."""
    asked = [name for name in lowered(model, words=False).on_request if name in theirs]
    told = results(model, rows, asked) if asked and len(rows) else {}
    return differing_columns(OutputFrame({**evaluate(model, rows).frame(), **told}), theirs)


def at_an_engine(subject: Subject) -> tuple[str, Exporter] | None:
    """The first engine of an exporter that works here without a server, and the exporter that runs in it."""
    return subject.once("engine", lambda: _at_an_engine(subject))


def engine_here(subject: Subject) -> tuple[str, Exporter]:
    """The engine of `at_an_engine` and its exporter; NotApplicable where no engine is here."""
    here = at_an_engine(subject)
    if here is None:
        raise NotApplicable(f"none of its engines is here: {', '.join(subject.component.engines)}")
    return here


def engines_here(subject: Subject) -> list[tuple[str, Exporter]]:
    """Every engine of an exporter that works here without a server, the first one first."""
    return subject.once("engines", lambda: list(_working(subject)))


def rows_of(model: Model) -> VerificationRows:
    """Edge rows of a model, and some drawn at random."""
    return verification_rows(model, n_random=50)


def _at_an_engine(subject: Subject) -> tuple[str, Exporter] | None:
    return next(_working(subject), None)


def _working(subject: Subject) -> Iterator[tuple[str, Exporter]]:
    for engine in dict.fromkeys(subject.component.engines):
        try:
            exporter: Exporter = subject.load().at(engine, **subject.options)
            exporter.engine()
        except (InputError, PluginError):
            continue
        yield engine, exporter


def run_in_engines(
    model: Model, rows: VerificationRows, *, evidence: Evidence | None = None, most: int | None = None
) -> int:
    """Run a model in an engine of exporters that accept it, the first `most` of them or all; how many there were.

    Raises
    ------
    Fault : an engine gives something else.
    NotApplicable : no engine is here.
    """
    ran = 0
    for exporter in _exporters():
        if ran == most or not accepts(exporter, model):
            continue
        name = exporter.component.name
        try:
            here = at_an_engine(exporter)
            wrong = differing(here[1], model, rows, evidence) if here else ""
        except UnsupportedModel:  # it says so rather than give something else
            continue
        except Exception as error:
            raise Fault(f"the exporter {name!r} fails on the model", got=said(error)) from error
        require(not wrong, f"the exporter {name!r} gives something else in its engine: {wrong}")
        ran += here is not None
    if not ran:
        raise NotApplicable("no engine of an installed exporter that accepts the model is here")
    return ran


@functools.cache
def _exporters() -> tuple[Subject, ...]:
    """The installed exporters, those first that start no program of their own."""
    exporters = [Subject(listing) for listing in registry().listings("exporter") if not listing.component.absent]
    return tuple(sorted(exporters, key=lambda each: each.component.name not in _QUICK))
