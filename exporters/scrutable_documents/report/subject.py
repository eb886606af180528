"""What a document is about: the model, the evidence, and the applicants that it is measured on, evaluated once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from scrutable.data.disclosure.groups import pooled_groups
from scrutable.data.frames import Table, as_table
from scrutable.data.masking import Masked
from scrutable.data.outcomes import all_classes
from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.model import Evidence, Model, RegressionScorecard, Segment, SegmentedModel
from scrutable.model.evaluator import Evaluation, RegressionEvaluation, evaluate
from scrutable_documents.report.options import ReportOptions
from scrutable_documents.report.script import SingleModel

Found = Evaluation | RegressionEvaluation


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample:
    """Applicants, and what the model says of them.

    Parameters
    ----------
    outcomes : (n,) classes in the model's own labels, or numbers; None where they are not known.
    groups : protected attributes of the same rows.
    """

    table: Table
    found: Found
    outcomes: NDArray[Any] | None = None
    groups: Groups | None = None

    @property
    def n_rows(self) -> int:
        """Number of applicants."""
        return self.table.n_rows

    def of(self, segment: Segment) -> Sample:
        """The applicants of a segment, evaluated with its model."""
        assert isinstance(self.found, Evaluation)
        rows = self.found.of_segment(segment.name)
        table = self.table.subset(rows)
        return Sample(
            table=table,
            found=evaluate(segment.model, table, reasons=False),
            outcomes=None if self.outcomes is None else self.outcomes[rows],
            groups=None if self.groups is None else self.groups.subset(rows),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Part:
    """A model that is no more made of models: the whole, or that of a segment.

    Parameters
    ----------
    segment : its name; empty for the whole.
    """

    segment: str
    model: SingleModel
    sample: Sample | None
    reference: Sample | None

    def titled(self, title: str) -> str:
        """A title that says which segment it is about."""
        return f"{title}, segment {self.segment}" if self.segment else title


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Subject:
    """The model with all that is known of it."""

    model: Model
    evidence: Evidence | None
    options: ReportOptions
    sample: Sample | None
    reference: Sample | None

    @property
    def parts(self) -> Iterator[Part]:
        """The model, or the models of its segments with their own applicants."""
        if not isinstance(self.model, SegmentedModel):
            yield Part(segment="", model=self.model, sample=self.sample, reference=self.reference)
            return
        for segment in self.model.segments:
            samples = {
                name: None if sample is None else sample.of(segment)
                for name, sample in (("sample", self.sample), ("reference", self.reference))
            }
            yield Part(segment=segment.name, model=segment.model, **samples)


def read_subject(model: Model, evidence: Evidence | None, options: ReportOptions) -> Subject:
    """Read and evaluate the applicants that the options give.

    Raises
    ------
    InputError : a column is not there, outcomes of another number or of an unknown class.
    KindError : a column is of another kind than the model reads.
    """
    sample = reference = None
    if options.data is not None:
        table = as_table(options.data)
        outcomes = None if options.target is None else _outcomes(model, table, options.target)
        groups = None if options.protected is None else pooled_groups(_groups(options, table.n_rows))
        sample = Sample(table=table, found=evaluate(model, table, reasons=True), outcomes=outcomes, groups=groups)
    if options.reference is not None:
        table = as_table(options.reference)
        reference = Sample(table=table, found=evaluate(model, table, reasons=False))
    return Subject(model=model, evidence=evidence, options=options, sample=sample, reference=reference)


def _outcomes(model: Model, table: Table, target: Any) -> NDArray[Any]:
    given = table if isinstance(target, str) else as_table({"target": target})
    column = given.column(target if isinstance(target, str) else "target")
    where = f"column {column.name!r}"
    if len(column.values) != table.n_rows:
        raise InputError("another number of outcomes than of applicants", where=where, got=len(column.values))
    if column.missing.any():
        raise InputError(
            "an outcome is missing", where=where, got=f"{int(column.missing.sum())} rows", fix="leave these rows out"
        )
    if isinstance(model, RegressionScorecard):
        if column.kind != "numeric":
            raise InputError("a quantity is a number", where=where, got=Masked(column.values[0]))
        return column.values
    return all_classes(model.outcome, column.values, table.n_rows, where)


def _groups(options: ReportOptions, n_rows: int) -> Groups:
    given = options.protected
    if isinstance(given, str | list | tuple):
        names = [given] if isinstance(given, str) else list(given)
        table = as_table(options.data)
        given = {name: table.column(name).values for name in names}
    return Groups.from_frame(given, expected_rows=n_rows)
