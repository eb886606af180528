"""What a document is about: the model, the evidence, and the applicants that it is measured on, evaluated once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scrutable.data import Cohort, Masked, pooled_groups
from scrutable.data.frames import Column, Table, as_table
from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.model import Evidence, Model, Outcome, RegressionScorecard, fingerprint
from scrutable.plugins import DataDictionary, in_words_of
from scrutable_documents.common.evaluated import Evaluated, evaluate_cohort
from scrutable_documents.common.part import ModelPart, parts_of
from scrutable_documents.report.options import ReportOptions


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Subject:
    """The model with all that is known of it.

    Parameters
    ----------
    fingerprint : of the model as it is, whatever words the document has for it.
    """

    model: Model
    fingerprint: str
    evidence: Evidence | None
    options: ReportOptions
    sample: Evaluated | None
    reference: Evaluated | None

    @property
    def parts(self) -> Iterator[ModelPart]:
        """The model, or the models of its segments with their own applicants."""
        return parts_of(self.model, self.sample, self.reference)


def read_subject(model: Model, evidence: Evidence | None, options: ReportOptions) -> Subject:
    """The model in words, and the applicants that the options give, read and evaluated.

    Raises
    ------
    InputError : a column is not there, outcomes of another number or of an unknown class.
    KindError : a column is of another kind than the model reads.
    """
    as_it_is, model = fingerprint(model), in_words_of(model, DataDictionary.given(options.dictionary))
    sample = reference = None
    if options.data is not None:
        sample = evaluate_cohort(model, _cohort(model, options), reasons=True)
    if options.reference is not None:
        reference = evaluate_cohort(model, _development(model, options))
    return Subject(
        model=model, fingerprint=as_it_is, evidence=evidence, options=options, sample=sample, reference=reference
    )


def _cohort(model: Model, options: ReportOptions) -> Cohort:
    table = as_table(options.data)
    groups = None if options.protected is None else pooled_groups(_groups(options, table.n_rows))
    if options.target is None:
        return Cohort.read(table, groups=groups)
    column = _outcomes(table, options.target)
    where = f"column {column.name!r}"
    if isinstance(model, RegressionScorecard) and column.kind != "numeric":
        raise InputError("a quantity is a number", where=where, got=Masked(column.values[0]))
    return Cohort.read(table, column.values, outcome=model.outcome, groups=groups, where=where, complete=True)


def _development(model: Model, options: ReportOptions) -> Cohort:
    """The development sample, with its outcomes of two classes where it has their column."""
    table, target = as_table(options.reference), options.target
    if not isinstance(target, str) or target not in table.names or not isinstance(model.outcome, Outcome):
        return Cohort.read(table)
    column = table.column(target)
    outcomes = column.values.astype(object)
    outcomes[column.missing] = None
    return Cohort.read(table, outcomes, outcome=model.outcome, where=f"column {target!r} of the development sample")


def _outcomes(table: Table, target: Any) -> Column:
    given = table if isinstance(target, str) else as_table({"target": target})
    column = given.column(target if isinstance(target, str) else "target")
    where = f"column {column.name!r}"
    if len(column.values) != table.n_rows:
        raise InputError("another number of outcomes than of applicants", where=where, got=len(column.values))
    if column.missing.any():
        raise InputError(
            "an outcome is missing", where=where, got=f"{int(column.missing.sum())} rows", fix="leave these rows out"
        )
    return column


def _groups(options: ReportOptions, n_rows: int) -> Groups:
    given = options.protected
    if isinstance(given, str | list | tuple):
        names = [given] if isinstance(given, str) else list(given)
        table = as_table(options.data)
        given = {name: table.column(name).values for name in names}
    return Groups.from_frame(given, expected_rows=n_rows)
