"""The applicants of a document of reasons, as the options give them, with what the model says of each."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from scrutable.data import Cohort
from scrutable.data.frames import Table, as_table, read_file
from scrutable.fairness import Groups
from scrutable.model import Model, SegmentedModel, numbers_of, texts_of
from scrutable_documents.common.evaluated import evaluate_cohort
from scrutable_documents.common.part import ModelPart, parts_of
from scrutable_documents.reason_document.options import ReasonDocumentOptions, names_of


def read_parts(model: Model, options: ReasonDocumentOptions) -> list[ModelPart]:
    """The model, or the models of its segments, with their applicants, if there are any.

    Raises
    ------
    InputError : a file that cannot be read, no rows of applicants, a column that is not there, groups of another number
        of rows.
    KindError : a column of another kind than the model reads.
    """
    sample = None
    if options.applicants is not None:
        table = _applicants(model, options.applicants)
        cohort = Cohort.read(table, groups=_groups(options.groups, table))
        sample = evaluate_cohort(model, cohort, reasons=not isinstance(model, SegmentedModel))
    parts = parts_of(model, sample, language=options.language, reasons=True)
    return [part if part.sample is None or part.sample.n_rows else replace(part, sample=None) for part in parts]


def _applicants(model: Model, given: Any) -> Table:
    if isinstance(given, str | os.PathLike):
        texts = texts_of(model)
        return as_table(read_file(given, text=texts, silent=texts, numbers=numbers_of(model)))
    return as_table(given)


def _groups(given: Any, table: Table) -> Groups | None:
    if given is None:
        return None
    if isinstance(given, str | list | tuple):
        names = (given,) if given in table.names else names_of(given)
        given = {name: table.column(name).values for name in names}
    return Groups.from_frame(given, min_group_size=0, expected_rows=table.n_rows)
