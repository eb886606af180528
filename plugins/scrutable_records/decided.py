"""What a model decides of rows, and what an engine said that it did, as columns of records."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from scrutable.data.frames import Column, Table, as_table
from scrutable.errors import InputError
from scrutable.model.program import Text, Texts, added_up, kept, lowered, run
from scrutable.writing import numbers_array
from scrutable_records.fields import FACTS, arrow_type
from scrutable_records.texts import by_place, column_texts, encoded

if TYPE_CHECKING:
    import pyarrow as pa

    from scrutable.model import Model

#: Results that a record has as they are called.
_SAME = ("score", "knock_out", "override", "grade")
#: What decisions are called in words, in the column `decision` of a deployed view or in `approved`.
DECISION = "decision"
_DECISIONS = {"approved": 1.0, "true": 1.0, "declined": 0.0, "false": 0.0}
#: Results without which nothing was decided.
_NEEDED = ("score", "approved", "predicted")
#: Columns of records that hold what was decided.
OUTCOMES = ("score", "decision", "knock_out", "override", "grade", "reasons")


class Decider:
    """What a model decides, by the columns of records; its program is written down once.

    Examples
    --------
    >>> from scrutable.model.evaluator import read_inputs
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> decider = Decider(models_named()["stumps"])
    >>> columns, n_rows = read_inputs(decider.model, {"age": [19.0, 40.0], "income": [1000.0, None]})
    >>> decider(columns, n_rows)["decision"].to_pylist()
    [1, 0]
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        program = added_up(lowered(model, words=False))
        self.results = tuple(name for name in program.results if _is_kept(name))
        self._never = {name for name in self.results if _is_never(program[program.output(name).of])}
        self._program = kept(program, self.results)

    def __call__(self, columns: Mapping[str, Column], n_rows: int, in_all: int | None = None) -> dict[str, pa.Array]:
        """The outcomes of n rows.

        Parameters
        ----------
        columns : what the model reads, by name.
        in_all : about how many rows there are, where these are some of them.
        """
        values = run(self._program, columns, n_rows, coded=True, in_all=in_all)
        return _outcomes({name: _as_given(values[name]) for name in self.results}, n_rows)

    def said(self, table: Table, without: Collection[str] = ()) -> dict[str, pa.Array]:
        """The outcomes that columns of a table say, which are called as engines return them.

        In place of `approved` there may be `decision`, "approved" or "declined", as in a view that is deployed. A
        result that the model never gives, such as a knock-out of a model without any, need not be there.

        Parameters
        ----------
        without : results that are not there, and are recorded as none.

        Raises
        ------
        InputError, KindError : a result of the model is not there, or holds something else.
        """
        unknown = [name for name in without if name not in self.results or name in _NEEDED]
        if unknown:
            raise InputError(
                "no result that can be left out",
                where="without",
                got=unknown[0],
                allowed=", ".join(name for name in self.results if name not in _NEEDED) or "nothing",
            )
        here = [name for name in self.results if name in table or name not in {*without, *self._never}]
        return _outcomes({name: _read(table, name) for name in here}, table.n_rows)


def _is_never(node: Any) -> bool:
    """Whether a result is none in each row, whatever the inputs are."""
    return isinstance(node, Text) and not any(node.texts)


def _is_kept(name: str) -> bool:
    return name in (*_SAME, "approved", "predicted") or name.startswith("reason_")


def _outcomes(results: Mapping[str, Any], n_rows: int) -> dict[str, pa.Array]:
    import pyarrow as pa

    made = {name: pa.nulls(n_rows, arrow_type(FACTS[name])) for name in OUTCOMES}
    for name in _SAME:
        if name in results:
            made[name] = encoded(results[name]) if isinstance(results[name], Texts) else _numbers(results[name])
    for name in ("approved", "predicted"):
        if name in results:
            made["decision"] = numbers_array(results[name].astype(np.int64))
    reasons = [texts for name, texts in results.items() if name.startswith("reason_")]
    if reasons:
        made["reasons"] = encoded(_lists(reasons))
    return made


def _lists(reasons: Sequence[Texts]) -> Texts:
    """The codes of each row as a list in JSON, without those that are none."""
    together = np.zeros(len(reasons[0].places), dtype=np.int64)
    for one in reasons:
        together = np.unique(together * len(one.table) + one.places, return_inverse=True)[1]
    first = np.zeros(together.max(initial=-1) + 1, dtype=np.intp)
    first[together[::-1]] = np.arange(len(together) - 1, -1, -1)
    rows = zip(*([one.table[place] for place in one.places[first]] for one in reasons), strict=True)
    lists = tuple(json.dumps([code for code in row if code is not None], ensure_ascii=False) for row in rows)
    return Texts(lists, together)


def _as_given(values: Any) -> Any:
    return values if isinstance(values, Texts) else np.asarray(values)


def _numbers(values: Any) -> pa.Array:
    unknown = np.isnan(values)
    return numbers_array(values, ~unknown if unknown.any() else None)


def _read(table: Table, name: str) -> Any:
    if name not in table and name not in _NEEDED:
        raise InputError(
            "a result that the model gives is not there",
            where=f"column {name!r}",
            fix=f"add it, or say that it is not there: --without {name} (in Python without=[{name!r}])",
        )
    column = table.column(DECISION if name == "approved" and name not in table and DECISION in table else name)
    if name == "score":
        return _known_numbers(column, "a number")
    if name in ("approved", "predicted"):
        words = "'approved', 'declined', 1 or 0" if name == "approved" else "a whole number"
        values = _known_numbers(_decisions(column, words) if name == "approved" else column, words)
        if (values != np.floor(values)).any() or (np.abs(values) > 2**31).any():
            raise _not(column.name, words)
        return values
    if column.kind == "numeric":
        column = as_table({name: column_texts(column)}).column(name)
    return by_place(column)


def _decisions(column: Column, allowed: str) -> Column:
    """Decisions in words or in figures as numbers."""
    if column.kind == "numeric":
        return column
    known: dict[str | None, float] = {}
    for text in set(column_texts(column)) - {None}:
        try:
            known[text] = _DECISIONS[str(text).lower()] if str(text).lower() in _DECISIONS else float(str(text))
        except ValueError:
            raise _not(column.name, allowed) from None
    values = np.array([known.get(text, np.nan) for text in column.values], dtype=float)
    return as_table({column.name: values}).column(column.name)


def _known_numbers(column: Column, allowed: str) -> Any:
    if column.kind != "numeric" or column.missing.any():
        raise _not(column.name, allowed)
    return column.values


def _not(name: str, allowed: str) -> InputError:
    return InputError(
        "not what an engine returns there",
        where=f"column {name!r}",
        allowed=f"{allowed} in each row",
        fix="give the results as they came, or leave out that they are given",
    )
