"""Columns of scores, of which nobody says whether they are texts or numbers: the file as a whole tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scrutable.data.frames import are_numbers, unlike_numbers
from scrutable.writing import DoubtfulError
from scrutable_documents.notices.score import ScoreDisclosure


@dataclass(frozen=True, slots=True, kw_only=True)
class Guessed:
    """Columns that a disclosure reads, as numbers and as texts."""

    numbers: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()

    @classmethod
    def of(cls, disclosure: ScoreDisclosure | None) -> Guessed:
        """Those of a disclosure; none where there is none.

        >>> Guessed.of(None)
        Guessed(numbers=(), texts=())
        """
        if disclosure is None:
            return cls()
        numbers = () if disclosure.column is None else (disclosure.column,)
        told = (*disclosure.factor_columns, disclosure.inquiries_column, disclosure.created_column)
        return cls(numbers=numbers, texts=tuple(dict.fromkeys(name for name in told if name is not None)))

    def check(self, block: Mapping[str, Any]) -> None:
        """Look at some rows of a CSV file, as texts.

        Raises
        ------
        DoubtfulError : a value by which the column may be read otherwise, or something be told of it.
        """
        for name in (*self.numbers, *self.texts):
            values = [text for text in block[name].unique().to_pylist() if text is not None]
            plain = are_numbers if name in self.numbers else unlike_numbers
            if not plain(values):
                raise DoubtfulError(f"values of {name} that may be several things")
