"""The first pass over rows that come in batches: which values each column has, as far as they can be kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.features import Value
from scrutable.data.frames import Column
from scrutable.data.frames.column import Coded
from scrutable.data.frames.levels import ALL_BITS
from scrutable.data.inputs import refuse_identifier
from scrutable.data.source import Source
from scrutable.data.streamed.spreads import Spread, Tally, ordered
from scrutable.errors import KindError

Ints = NDArray[np.int64]

#: Different texts of a column beyond which no more are kept.
MOST_TEXTS = 2**20


class ColumnSurvey(ABC):
    """What is known of the values of one column.

    Attributes
    ----------
    n_missing : rows without a value.
    """

    def __init__(self, name: str) -> None:
        self.name, self.n_missing = name, 0

    @abstractmethod
    def add(self, column: Column) -> None:
        """Add the values of a batch."""

    @abstractmethod
    def values(self) -> tuple[Column, Ints]:
        """(k,) values or buckets, each by its least value, the missing one the last; and how many rows have each."""


class NumberSurvey(ColumnSurvey):
    """A column of numbers.

    Parameters
    ----------
    apart : numbers that are always by themselves, where there are any.
    complete : whether each value is kept, however many there are.
    nominal : whether the numbers are codes of categories, as a `Column` says; then each is kept, too.
    """

    def __init__(self, name: str, apart: Sequence[float], *, complete: bool = False, nominal: bool = False) -> None:
        super().__init__(name)
        self._nominal = nominal
        self._apart = dict.fromkeys(apart, 0)
        self.tally = Tally(ALL_BITS, complete=complete or nominal)

    def add(self, column: Column) -> None:
        missing = column.missing
        self.n_missing += int(missing.sum())
        values = column.values[~missing] if missing.any() else column.values
        for number in self._apart:
            own = values == number
            self._apart[number] += int(own.sum())
            values = values[~own]
        self.tally.add(values)

    @property
    def complete(self) -> bool:
        """Whether each value was kept."""
        return self.tally.bits == ALL_BITS

    def holds(self, number: float) -> bool:
        """Whether a number that is apart occurs."""
        return self._apart.get(number, 0) > 0

    def beside(self, spread: Spread) -> Spread:
        """A spread of the other numbers, with those that are apart."""
        special = [(number, rows) for number, rows in self._apart.items() if rows]
        low = np.array([number for number, _ in special], dtype=np.float64)
        rows = np.array([rows for _, rows in special], dtype=np.int64)
        return ordered([spread, Spread(low, low, rows)]) if special else spread

    def values(self) -> tuple[Column, Ints]:
        spread = self.beside(self.tally.spread())
        low, rows = spread.low, spread.rows
        if self.n_missing:
            low, rows = np.append(low, np.nan), np.append(rows, self.n_missing)
        return Column(self.name, "numeric", low, self._nominal), rows


class TextSurvey(ColumnSurvey):
    """A column of texts."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._rows: dict[str, int] = {}

    def add(self, column: Column) -> None:
        coding = column.coding
        last = len(coding.levels) - 1
        counts = np.bincount(np.where(coding.codes < 0, last, coding.codes), minlength=last + 1).tolist()
        self.n_missing += counts.pop()
        for text, rows in zip(coding.levels[:-1].tolist(), counts, strict=True):
            if rows:
                self._rows[text] = self._rows.get(text, 0) + rows
        if len(self._rows) > MOST_TEXTS:
            refuse_identifier(self.name, len(self._rows), sum(self._rows.values()), next(iter(self._rows)))

    def values(self) -> tuple[Column, Ints]:
        texts = sorted(self._rows)
        levels = np.array([*texts, None], dtype=object)
        rows = np.array([*(self._rows[text] for text in texts), self.n_missing], dtype=np.int64)
        size = len(texts) + bool(self.n_missing)
        return Column(self.name, "categorical", Coded(levels, np.arange(size))), rows[:size]


class Survey:
    """All columns of a source.

    Parameters
    ----------
    names : of the columns that are looked at.
    codes : by column, numbers that are always by themselves.
    complete : names of columns of which each value is kept.

    Attributes
    ----------
    n_rows : how many rows there are.
    columns : what is known of each column.
    """

    def __init__(
        self,
        source: Source,
        names: Sequence[str],
        codes: Mapping[str, Iterable[Value]],
        complete: Collection[str] = (),
    ) -> None:
        self._complete = complete
        self.n_rows, self.columns = 0, dict[str, ColumnSurvey]()
        for table in source.batches(names):
            self.n_rows += table.n_rows
            for name in names:
                column = table.column(name)
                if column.kind != "empty":
                    self._of(column, codes.get(name, ())).add(column)
        for name in names:
            self.columns.setdefault(name, TextSurvey(name))
            self.columns[name].n_missing = self.n_rows - int(_present(self.columns[name]))

    def _of(self, column: Column, codes: Iterable[Value]) -> ColumnSurvey:
        known, numeric = self.columns.get(column.name), column.kind == "numeric"
        if known is None:
            numbers = [float(code) for code in codes if not isinstance(code, str)]
            complete = column.name in self._complete
            known = TextSurvey(column.name)
            if numeric:
                known = NumberSurvey(column.name, numbers, complete=complete, nominal=column.nominal)
            self.columns[column.name] = known
        if isinstance(known, NumberSurvey) != numeric:
            raise KindError(
                "text and numbers in one column",
                where=f"column {column.name!r}",
                allowed="numbers or text, any of them missing",
                fix="make every value a number, or make every value text",
            )
        return known


def _present(survey: ColumnSurvey) -> Any:
    column, rows = survey.values()
    return rows[~column.missing].sum()
