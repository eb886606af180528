"""One applicant at a time, without frames: the score, the decision and the reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrutable.data.outcome import Outcome
from scrutable.errors import InputError, did_you_mean
from scrutable.model.program import Program, added_up, kept, lowered
from scrutable.model.program.scorer import compiled
from scrutable.model.scorer_types import Scorer

if TYPE_CHECKING:
    from scrutable.model.segments import Model


def scorer_of(model: Model, columns: Sequence[str] | None = None, *, reasons: bool = True) -> Scorer:
    """A function from one applicant to the score, the decision and the reasons, in microseconds.

    It says what `evaluate` says, bit for bit, and loads neither NumPy nor pandas, unless a value is of an unusual kind.
    With two classes the decision is whether the applicant is approved, and a knock-out is the first reason; with more
    it is the class and there is no score; a quantity has a score alone.

    Parameters
    ----------
    columns : applicants are tuples of these columns, in this order; by default dicts by name, in which further columns
        are ignored. None and NaN are missing.
    reasons : whether to say why; else the list of reasons is empty.

    Raises
    ------
    InputError : a column that the model reads is not among `columns`; by the function: an applicant lacks a column.
    KindError, by the function : a value is of another kind than the model reads.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> score = scorer_of(models_named()["scorecard"])
    >>> score({"age": 19.0, "job": "student", "region": 1.0, "amount": None})
    (530.6095238095149, False, ['R1', 'R2', 'R3'])
    """
    lacking = [feature.name for feature in model.features if columns is not None and feature.name not in columns]
    if lacking:
        raise InputError(
            "columns that the model reads are not there", where="columns", got=columns, fix=f"add {lacking}"
        )
    program = added_up(lowered(model, words=False))
    codes = [name for name in program.names if name.startswith("reason_")] or ["knock_out"]
    wanted = kept(program, {"score", "approved", "predicted", *(codes if reasons else ())})
    score = compiled(wanted, columns, codes, _Unusual(model, wanted, columns, codes))
    if not isinstance(model.outcome, Outcome):
        return lambda row: (score(row)[0], None, [])
    if not model.outcome.binary:
        classes = model.outcome.classes
        return lambda row: (None, classes[score(row)[0]], [])
    return score


@dataclass(frozen=True, slots=True)
class _Unusual:
    """What the interpreter says of a row that the compiled function does not take, or why it is refused."""

    model: Model
    program: Program
    columns: Sequence[str] | None
    reasons: Sequence[str]

    def __call__(self, row: Any) -> tuple[Any, ...]:
        from scrutable.model.evaluator import read_inputs
        from scrutable.model.program import run

        given = self._named(row)
        self._check(given)
        columns, _ = read_inputs(self.model, {name: [value] for name, value in given.items()})
        values = {name: each[0] for name, each in run(self.program, columns, 1).items()}
        reasons = [values.pop(name) for name in self.reasons if name in values]
        return (*(each.item() for each in values.values()), [code for code in reasons if code is not None])

    def _check(self, given: Mapping[str, Any]) -> None:
        lacking = [feature.name for feature in self.model.features if feature.name not in given]
        if lacking:
            others = f"; nor for {', '.join(map(repr, lacking[1:]))}" if lacking[1:] else ""
            raise InputError(
                f"the applicant has no value for it{others}",
                where=f"column {lacking[0]!r}",
                allowed=did_you_mean(lacking[0], map(str, given)),
                fix="add it to the applicant, as None where it is missing",
            )

    def _named(self, row: Any) -> Mapping[str, Any]:
        if self.columns is None:
            if not isinstance(row, Mapping):
                raise InputError(
                    "expected the values by name",
                    where="applicant",
                    got=type(row).__name__,
                    allowed="a dict",
                    fix="give a dict, or name the columns of tuples: scorer(columns=[...])",
                )
            return row
        if len(row) != len(self.columns):
            raise InputError(
                "expected a value for each column",
                where="applicant",
                got=len(row),
                allowed=str(len(self.columns)),
                fix=f"give the values of {', '.join(map(repr, self.columns))}, in this order",
            )
        return dict(zip(self.columns, row, strict=True))
