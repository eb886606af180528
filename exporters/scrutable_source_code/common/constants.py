"""The tables that expressions read, each written once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scrutable.model.program import Names as Given
from scrutable_source_code.common.language import Kind, Language, Table


@dataclass(slots=True)
class Constants:
    """Tables in the order in which they were asked for."""

    language: Language
    given: Given
    tables: list[Table] = field(default_factory=list)
    _known: dict[tuple[Kind, tuple[str, ...]], str] = field(default_factory=dict)

    @classmethod
    def of(cls, language: Language) -> Constants:
        """None yet, in a language whose words are no names."""
        return cls(language, Given(set(language.taken)))

    def table(self, wanted: str, kind: Kind, entries: Sequence[str], titles: Sequence[str] = ()) -> str:
        """What reads a table of these literals."""
        key = (kind, tuple(entries))
        if key not in self._known:
            table = Table(self.given.new(wanted), kind, key[1], tuple(titles))
            self.tables.append(table)
            self._known[key] = self.language.table(table)
        return self._known[key]

    def numbers(self, wanted: str, values: Sequence[float], titles: Sequence[str] = ()) -> str:
        """A table of doubles."""
        return self.table(wanted, "number", list(map(self.language.number, values)), titles)

    def places(self, wanted: str, values: Sequence[int]) -> str:
        """A table of places."""
        return self.table(wanted, "place", list(map(str, values)))

    def texts(self, wanted: str, texts: Sequence[str | None], titles: Sequence[str] = ()) -> str:
        """A table of texts."""
        return self.table(wanted, "text", list(map(self.language.text, texts)), titles)
