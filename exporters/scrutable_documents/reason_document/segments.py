"""The models that a document is about, each with the applicants that it decides on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Table, as_table, read_file
from scrutable.fairness import Groups
from scrutable.model import (
    KnockOut,
    Model,
    ReasonPolicy,
    RegressionScorecard,
    SegmentedModel,
    SingleModel,
    describe_all,
    numbers_of,
    texts_of,
)
from scrutable.model.evaluator import Evaluation, RegressionEvaluation, evaluate
from scrutable_documents.reason_document.options import ReasonDocumentOptions, names_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample:
    """Applicants, at least one, what the model says of them, and the protected groups that they are in."""

    table: Table
    evaluation: Evaluation | RegressionEvaluation
    groups: Groups | None

    @property
    def n_rows(self) -> int:
        """Number of applicants."""
        return self.table.n_rows


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Part:
    """A model that is no more made of models: the whole, or that of a segment.

    Parameters
    ----------
    segment : its name; empty for the whole.
    when : who belongs to the segment, in words.
    language : of the texts; the policy's own if None.
    sample : None where there are no applicants.
    """

    segment: str
    when: str
    model: SingleModel | RegressionScorecard
    language: str | None
    sample: Sample | None

    @property
    def policy(self) -> ReasonPolicy | None:
        """The model's reason policy."""
        return None if isinstance(self.model, RegressionScorecard) else self.model.reasons

    @property
    def knock_outs(self) -> tuple[KnockOut, ...]:
        """The model's knock-outs, in their order."""
        return () if isinstance(self.model, RegressionScorecard) else self.model.policy.knock_outs

    @property
    def titles(self) -> dict[str, str]:
        """What people call each feature."""
        return {feature.name: feature.title for feature in self.model.features}

    def text(self, code: str) -> str:
        """The text of a code, of a knock-out's too.

        Raises
        ------
        ModelError : the policy has no texts in the language.
        """
        reasons = {rule.code: rule.reason for rule in self.knock_outs}
        if self.policy is not None and (self.language is not None or code not in reasons):
            return self.policy.words(code, self.language)
        return reasons[code]

    def titled(self, title: str) -> str:
        """A title that says which segment it is about."""
        return f"{title}, segment {self.segment}" if self.segment else title


def read_parts(model: Model, options: ReasonDocumentOptions) -> list[Part]:
    """The model, or the models of its segments, with their applicants.

    Raises
    ------
    InputError : a file that cannot be read, no rows of applicants, a column that is not there, groups of another number
        of rows.
    KindError : a column of another kind than the model reads.
    """
    table = None if options.applicants is None else _applicants(model, options.applicants)
    groups = None if table is None else _groups(options.groups, table)
    if not isinstance(model, SegmentedModel):
        return [Part(segment="", when="", model=model, language=options.language, sample=_sample(model, table, groups))]
    return list(_segments(model, options.language, table, groups))


def _applicants(model: Model, given: Any) -> Table:
    if isinstance(given, str | os.PathLike):
        return as_table(read_file(given, text=texts_of(model), numbers=numbers_of(model)))
    return as_table(given)


def _segments(
    model: SegmentedModel, language: str | None, table: Table | None, groups: Groups | None
) -> Iterator[Part]:
    routing = {feature.name: feature for feature in model.routing}
    names = None if table is None else evaluate(model, table, reasons=False).segment
    for segment in model.segments:
        own_table, own_groups = table, groups
        if table is not None and names is not None:
            rows: NDArray[np.intp] = np.flatnonzero(names == np.array(segment.name, dtype=object))
            own_table = table.subset(rows) if len(rows) else None
            own_groups = None if groups is None or not len(rows) else groups.subset(rows)
        yield Part(
            segment=segment.name,
            when=describe_all(segment.when, routing) if segment.when else "everybody else",
            model=segment.model,
            language=language,
            sample=_sample(segment.model, own_table, own_groups),
        )


def _sample(model: SingleModel | RegressionScorecard, table: Table | None, groups: Groups | None) -> Sample | None:
    return None if table is None else Sample(table=table, evaluation=evaluate(model, table), groups=groups)


def _groups(given: Any, table: Table) -> Groups | None:
    if given is None:
        return None
    if isinstance(given, str | list | tuple):
        names = (given,) if given in table.names else names_of(given)
        given = {name: table.column(name).values for name in names}
    return Groups.from_frame(given, min_group_size=0, expected_rows=table.n_rows)
