"""Columns of categories that a model can do nothing with, since it names none of their values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from scrutable.cli.output import note
from scrutable.data.masking import Masked
from scrutable.model import Categories, Clause, Model, RegressionScorecard, Scorecard, SegmentedModel
from scrutable.model.contents import clauses_of, texts_of

if TYPE_CHECKING:
    import pandas as pd

    from scrutable.data.frames import Table


class Strangers:
    """Columns of categories that hold no value that the model names, so that all rows count as any other value.

    Such a column was most likely written another way than that of the model: codes as 5.0, other upper case.
    """

    def __init__(self, model: Model) -> None:
        self._known = _named(model)
        self._first: dict[str, str | None] = {name: None for name in texts_of(model) if name in self._known}

    def look(self, rows: Table | pd.DataFrame) -> None:
        """Look at some of the rows, in their order."""
        for name, first in [*self._first.items()]:
            values = _values(rows, name) if name in rows else []
            if not self._known[name].isdisjoint(values):
                del self._first[name]
            elif first is None and values:
                self._first[name] = values[0]

    def tell(self) -> None:
        """Say which columns they are, when all rows were looked at."""
        for name, first in self._first.items():
            if first is not None:
                note(
                    f"column {name!r}: none of its values, such as {Masked(first)!r}, is one that the model names, "
                    f"such as {min(self._known[name])!r}; all of them count as any other value."
                )


def _values(rows: Table | pd.DataFrame, name: str) -> list[str]:
    """The different values of a column, as texts, in the order of the first of each."""
    from scrutable.data.frames import Table

    if isinstance(rows, Table):
        return [value for value in rows.column(name).coded.levels.tolist() if value is not None]
    values: list[str] = rows[name].dropna().astype(str).unique().tolist()
    return values


def _named(model: Model) -> dict[str, set[str]]:
    """The categories that any condition of a model lists, by feature."""
    categories: dict[str, set[str]] = {}
    for feature, condition in _conditions(model):
        if isinstance(condition, Categories):
            categories.setdefault(feature, set()).update(map(str, condition.values))
    return categories


def _conditions(model: Model) -> Iterator[tuple[str, object]]:
    clauses: list[Clause] = []
    if isinstance(model, SegmentedModel):
        clauses += [clause for segment in model.segments for clause in segment.when]
    for single in model.parts:
        clauses += clauses_of(single)
        if isinstance(single, Scorecard | RegressionScorecard):
            for cut in single.cuts:
                yield from ((cut.feature, condition) for condition in cut.conditions)
    yield from ((clause.feature, condition) for clause in clauses for condition in clause.any_of)
