"""What a model of any kind says of the applicants of a cohort."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from scrutable.data import Cohort
from scrutable.data.frames import Table
from scrutable.model import Model, Segment
from scrutable.model.evaluator import Evaluation, RegressionEvaluation, evaluate


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evaluated:
    """Applicants, and what a model says of them; of one that decides between two classes, `Scored` says more."""

    cohort: Cohort
    evaluation: Evaluation | RegressionEvaluation

    @property
    def table(self) -> Table:
        """The columns of the applicants."""
        return self.cohort.table

    @property
    def outcomes(self) -> NDArray[Any] | None:
        """(n,) classes in the model's own labels, or numbers; None where they are not given."""
        values: NDArray[Any] | None = self.cohort.values
        return values

    @property
    def n_rows(self) -> int:
        """Number of applicants."""
        return self.cohort.rows

    def of_segment(self, segment: Segment, *, reasons: bool = False) -> Evaluated:
        """The applicants of a segment, and what its own model says of them."""
        assert isinstance(self.evaluation, Evaluation)
        cohort = self.cohort.subset(self.evaluation.of_segment(segment.name))
        return evaluate_cohort(segment.model, cohort, reasons=reasons)


def evaluate_cohort(model: Model, cohort: Cohort, *, reasons: bool = False) -> Evaluated:
    """Evaluate a model on applicants with their columns.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> rows = {"amount": [1.0, 9.0], "job": ["cook", None], "age": [30.0, 40.0], "region": [1.0, 1.0]}
    >>> evaluate_cohort(models_named()["segmented-model"], Cohort.read(rows)).n_rows
    2
    """
    return Evaluated(cohort=cohort, evaluation=evaluate(model, cohort.table, reasons=reasons))
