"""What a caller says beside the inputs: ids, times, notices, manual decisions, and results of an engine."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from scrutable.data.frames import Column, Table, select
from scrutable.errors import InputError, ScrutableWarning, warn_caller
from scrutable.model.program import Texts
from scrutable.writing import numbers_array, texts_array
from scrutable_records.decided import Decider
from scrutable_records.fields import FACTS, INPUT, PERSONAL, SALT, arrow_type
from scrutable_records.packing import of_fixed_size, personal, sha256_of
from scrutable_records.texts import by_place, column_texts, encoded, optional_texts, times_of

if TYPE_CHECKING:
    import pyarrow as pa

#: Digits of a decision that a person made; a column of whole numbers holds all of so many.
_DIGITS = 18
#: The column in which a row says which model decided.
BY_MODEL = "model_fingerprint"


class UntimedDecisionsWarning(ScrutableWarning):
    """An engine decided before now, and nothing says when: the present is recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Columns of the applicants that are no inputs, by their names; None where there is no such column.

    Parameters
    ----------
    id : the caller's own name of the decision.
    time : when it was decided, a date or a time of ISO 8601, in UTC where no zone is named.
    notice : what the notice is known by that was sent of it.
    manual_decision : what a person decided in the model's place, 1 or 0 or the position of a class; empty where nobody
        did.
    manual_by, manual_reason : who did, and why.
    now : the time of all rows where no column has it; the present if None, with a warning of results of an engine.
    decided : whether the results of an engine stand in columns that are called as engines call them: `score`,
        `approved`, `knock_out`, `reason_1` and so on; or, in place of `approved`, `decision`, which is "approved" or
        "declined". Otherwise the model decides. Rows whose `model_fingerprint` is of another model are refused.
    without : results that the model gives and that do not stand there, such as `knock_out`; they are recorded as none,
        and a replay names the records of which the model says one.

    Raises
    ------
    InputError : a manual decision without who and why, or the other way round; results left out that nobody gave.
    """

    id: str | None = None
    time: str | None = None
    notice: str | None = None
    manual_decision: str | None = None
    manual_by: str | None = None
    manual_reason: str | None = None
    now: datetime | str | None = None
    decided: bool = False
    without: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "without", tuple(self.without))
        if self.without and not self.decided:
            fix = "give --decided (in Python decided=True), or leave it out"
            raise InputError("results are left out of none", where="without", got=self.without[0], fix=fix)
        manual = (self.manual_decision, self.manual_by, self.manual_reason)
        if any(manual) and not all(manual):
            raise InputError(
                "a manual decision needs who decided and why",
                where="manual_decision, manual_by, manual_reason",
                allowed="all three, or none",
                fix="name the columns of all three",
            )
        if self.decided and self.time is None and self.now is None:
            warn_caller(
                "no column has the times, so the present is recorded as when all of them were decided. "
                "Name the column by --time (in Python time=), or give the time by --at (now=)",
                UntimedDecisionsWarning,
            )

    @property
    def texts(self) -> set[str]:
        """The columns that are read as they stand."""
        names = (self.id, self.time, self.notice, self.manual_decision, self.manual_by, self.manual_reason)
        return {name for name in names if name is not None}


def decisions(
    decider: Decider, model: str, table: Table, said: Said, in_all: int | None = None
) -> tuple[dict[str, Any], list[str]]:
    """The columns of records, without their numbers and digests, and which of them are inputs.

    Parameters
    ----------
    model : its fingerprint.
    in_all : about how many rows there are, where these are some of them.

    Raises
    ------
    InputError, KindError : columns that are not there, or that hold something else than they should.
    """
    columns = select(table, ((feature.name, feature.kind) for feature in decider.model.features))
    if said.decided:
        _refuse_another(table, model)
    outcomes = decider.said(table, said.without) if said.decided else decider(columns, table.n_rows, in_all)
    in_order = sorted(columns.values(), key=lambda column: column.kind != "numeric")  # as files have them
    inputs = {INPUT + column.name: _input(column) for column in in_order}
    of_model = Texts((model,), np.zeros(table.n_rows, dtype=np.int32))
    made = {**_said(table, said), **outcomes, "model": encoded(of_model), **inputs}
    return sealed(made, list(inputs), table.n_rows), list(inputs)


def _refuse_another(table: Table, model: str) -> None:
    """Refuse rows that say that another model decided."""
    if BY_MODEL not in table:
        return
    for row, fingerprint in enumerate(column_texts(table.column(BY_MODEL)), 1):
        if fingerprint != model:
            raise InputError(
                "decided by another model",
                where=f"column {BY_MODEL!r}, row {row:,}",
                got=fingerprint,
                allowed=model,
                fix="record the rows of each model by themselves, with the file of that model",
            )


def amendments(about: list[int], table: Table, said: Said) -> dict[str, Any]:
    """The columns of records that add a notice or a manual decision to earlier ones; errors as of `decisions`."""
    made = {**_said(table, said), "about": numbers_array(np.array(about, dtype=np.int64))}
    return sealed(made, [], table.n_rows)


def event(text: str, time: str) -> dict[str, Any]:
    """The columns of one record that tells what was done to the archive."""
    return sealed({"event": texts_array([text]), "occurred_at": texts_array([time])}, [], 1, seal=False)


def sealed(columns: dict[str, Any], inputs: list[str], n_rows: int, *, seal: bool = True) -> dict[str, Any]:
    """All columns but numbers and chain, what is personal under a digest that random bytes keep from being guessed."""
    import pyarrow as pa

    made = {name: pa.nulls(n_rows, arrow_type(kind)) for name, kind in FACTS.items()}
    made |= {name: pa.nulls(n_rows, pa.string()) for name in PERSONAL}
    made |= columns
    salts = secrets.token_bytes(SALT * n_rows) if seal else b""
    made["salt"] = of_fixed_size([salts[at : at + SALT] or None for at in range(0, SALT * n_rows, SALT)], SALT)
    digests: list[Any] = [None] * n_rows
    made["personal_sha256"] = of_fixed_size(sha256_of(personal(made, inputs)) if seal else digests)
    return made


def _said(table: Table, said: Said) -> dict[str, Any]:
    by_name: dict[str, list[str | None]] = {
        "id": optional_texts(table, said.id),
        "occurred_at": list(times_of(table, said.time, said.now)),
        "notice": optional_texts(table, said.notice),
        "manual_by": optional_texts(table, said.manual_by),
        "manual_reason": optional_texts(table, said.manual_reason),
    }
    made: dict[str, Any] = {name: texts_array(texts) for name, texts in by_name.items()}
    if said.manual_decision is not None:
        made["manual_decision"] = _manual(table.column(said.manual_decision), by_name)
    return made


def _manual(column: Column, by_name: dict[str, list[str | None]]) -> pa.Array:
    """Manual decisions, each with who made it and why."""
    texts = column_texts(column)
    for row, text in enumerate(texts):
        where = f"column {column.name!r}, row {row + 1:,}"
        if text is not None and not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS):
            raise InputError("not a decision", where=where, allowed="1, 0, or the position of a class", fix="mend it")
        if text is not None and not (by_name["manual_by"][row] and by_name["manual_reason"][row]):
            raise InputError("a manual decision without who made it, or why", where=where, fix="say both")
    known = np.array([text is not None for text in texts], dtype=bool)
    return numbers_array(np.array([int(text or 0) for text in texts], dtype=np.int64), known)


def _input(column: Column) -> pa.Array:
    """An input to the bit: doubles, NaN where missing, or texts, null where missing."""
    return numbers_array(column.values) if column.kind == "numeric" else encoded(by_place(column))
