"""What a replay finds wrong: the numbers of records, by what differs in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

#: What can differ, with what it says of records, in the order in which it is told.
MEANINGS = {
    "missing": "the archive lacks them",
    "twice": "the number stands more than once",
    "out of place": "they do not stand where their number belongs; the rows of a table are exported ORDER BY record",
    "unreadable": "their file is missing or cannot be read",
    "altered": "they do not fit their digest",
    "chain": "they do not follow each other: one of them was written anew",
    "head": "no record of that number has the digest that was kept of it",
    "personal": "id, inputs, notice or reason of a manual decision do not fit their digest",
    "taken out": "what is personal is gone, and no record tells of an erasure",
    "incomplete": "an input that the model reads is not there",
    "model": "no model of their fingerprint is among those given",
    "score": "the model gives another score",
    "decision": "the model decides otherwise",
    "knock_out": "the model gives another knock-out",
    "override": "the model gives another override",
    "grade": "the model gives another grade",
    "reasons": "the model gives other reasons",
}


@dataclass(frozen=True, slots=True, order=True)
class Difference:
    """Records that stand side by side and differ alike.

    >>> print(Difference(3, 5, "score"))
    records 3 to 5: the model gives another score
    """

    first: int
    last: int
    what: str

    def __str__(self) -> str:
        numbers = f"record {self.first:,}" if self.first == self.last else f"records {self.first:,} to {self.last:,}"
        return f"{numbers}: {MEANINGS[self.what]}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"first": self.first, "last": self.last, "what": self.what, "meaning": MEANINGS[self.what]}


@dataclass(slots=True)
class Differences:
    """Differences as they are found, in memory that grows by how many stand apart.

    >>> some = Differences()
    >>> some.add("score", [7, 8, 11])
    >>> [(each.first, each.last) for each in some]
    [(7, 8), (11, 11)]
    """

    _ranges: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    def add(self, what: str, numbers: Iterable[int]) -> None:
        """Name single records."""
        for number in numbers:
            self.add_range(what, number, number)

    def add_range(self, what: str, first: int, last: int) -> None:
        """Name records that stand side by side."""
        of_kind = self._ranges.setdefault(what, [])
        if of_kind and of_kind[-1][0] <= first <= of_kind[-1][1] + 1 and what != "chain":
            of_kind[-1] = (of_kind[-1][0], max(last, of_kind[-1][1]))
        else:
            of_kind.append((first, last))

    def __iter__(self) -> Iterator[Difference]:
        return iter(
            sorted(Difference(first, last, what) for what, ranges in self._ranges.items() for first, last in ranges)
        )

    def __bool__(self) -> bool:
        return bool(self._ranges)

    def counts(self) -> dict[str, int]:
        """How many records differ, by what does."""
        return {
            what: sum(last - first + 1 for first, last in self._ranges[what])
            for what in MEANINGS
            if what in self._ranges
        }
