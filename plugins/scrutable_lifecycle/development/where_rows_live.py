"""Developing a model from rows that are not in memory: learned where they live, measured on other files."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from scrutable.data import SomeColumns, Source
from scrutable.errors import InputError, did_you_mean
from scrutable.model import labelled
from scrutable.plugins import Decision, opened_source, source_of, told_otherwise
from scrutable.plugins.bases import Learner
from scrutable_lifecycle.config import Run
from scrutable_lifecycle.development.developed import Developed
from scrutable_lifecycle.learners import check_favoured, create_learner

#: What a run may not ask for, since it needs the rows: where it stands, how the command line says it, what to do.
_NEED_ROWS = {
    "indeterminate": ("--indeterminate", "leave these rows out in the query or the files"),
    "accepted": ("--accepted", "leave the declined out in the query or the files"),
    "protected_probabilities": ("--protected-probabilities", "name columns of labels by --protected, or fit a sample"),
    "cuts": ("--group-cuts", "cut the column in the query, or fit a sample"),
}


def rows_elsewhere(run: Run, data: Any) -> Source | None:
    """The source that a run reads: one that is given as its data, or that its engine opens; None of a frame or file."""
    if data is not None:
        elsewhere: Source | None = source_of(data)
        return elsewhere
    if run.data.engine is None or run.data.path is None:
        return None
    told = {name: getattr(run.data, name) for name in ("text", "numbers", "missing", "database")}
    opened: Source = opened_source(run.data.engine, run.data.path, **told)
    return opened


def develop_there(run: Run, source: Source) -> Developed:
    """Learn the model of a run from rows where they live. Nothing is held out: measure the model on other files.

    Raises
    ------
    InputError : the run asks for something that needs the rows in memory, or names a column that is not there.
    """
    _refuse_what_needs_rows(run)
    data = run.data
    named = [data.target, *data.protected, *([] if data.weight is None else [data.weight])]
    aside = [*named, *data.drop, *([] if data.id is None else [data.id])]
    for name in aside:
        if name not in source.names:
            raise InputError("unknown column", where="data", got=name, fix=did_you_mean(name, source.names))
    inputs = [name for name in source.names if name not in aside]
    outcomes = _outcomes(source, data.target)
    learner = create_learner(run, outcomes)
    if not isinstance(learner, Learner):
        raise InputError("a learner of quantities needs the rows in memory", where="--learner", got=run.learner.name)
    if "reference_groups" in learner.get_params(deep=False) and data.reference:
        learner.set_params(reference_groups=dict(data.reference))
    with told_otherwise():
        learner.fit(
            SomeColumns(source, [*inputs, *named]),
            data.target,
            sensitive_features=list(data.protected) or None,
            sample_weight=data.weight,
        )
    check_favoured(learner.model_, run, outcomes)
    model, evidence = learner.model_, learner.evidence_
    if data.labels:
        model, evidence = labelled(model, evidence, data.labels)
    decision = Decision.of(evidence)
    return Developed(
        run=run,
        model=model,
        evidence=evidence,
        measured=None,
        kept=(),
        inputs=tuple(inputs),
        cutoff=getattr(model, "cutoff", None),
        approved=None if decision is None else decision.approved,
        population=None,
        n_fit=sum(table.n_rows for table in source.batches([data.target])),
        held_out=np.empty(0, dtype=np.intp),
    )


def _outcomes(source: Source, target: str) -> pd.Series:
    """The different outcomes, which say what is favourable."""
    different: set[Any] = set()
    for table in source.batches([target]):
        different.update(pd.unique(table.column(target).values).tolist())
    present = [each for each in different if each is not None and each == each]
    if all(isinstance(each, float) and each.is_integer() for each in present):
        present = [int(each) for each in present]
    return pd.Series(sorted(present), name=target)


def _refuse_what_needs_rows(run: Run) -> None:
    asked = [(flag, fix) for name, (flag, fix) in _NEED_ROWS.items() if getattr(run.data, name)]
    if run.split.test_size or run.split.out_of_time is not None:
        fix = "--test-size 0; hold rows out in the query, as by hash(id) % 10 < 3, and validate the model on these"
        asked.append(("--test-size, --out-of-time", fix))
    if run.reject_inference is not None:
        asked.append(("--reject-inference", "fit a sample"))
    if run.missing.refuse is not None:
        asked.append(("--refuse-missing", "fit a sample"))
    if run.output is not None and run.output.holdout is not None:
        asked.append(("--holdout", "leave it out"))
    for flag, fix in asked:
        raise InputError("it needs the rows in memory, and they are learned from where they live", where=flag, fix=fix)
