"""What records tell of erasures: which records, who asked for it, and why."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Erasure:
    """What was personal in some records, taken out.

    >>> Erasure.read(Erasure(((3, 5),), "J. Doe", "asked for").text())
    Erasure(records=((3, 5),), by='J. Doe', why='asked for')
    """

    records: tuple[Range, ...]
    by: str
    why: str

    def text(self) -> str:
        """What its record says."""
        return json.dumps({"erased": self.records, "by": self.by, "why": self.why}, ensure_ascii=False)

    @classmethod
    def read(cls, text: str) -> Erasure | None:
        """An erasure from what a record says; None where it says something else."""
        try:
            said = json.loads(text)
            ranges = tuple((int(first), int(last)) for first, last in said["erased"])
            return cls(ranges, str(said["by"]), str(said["why"]))
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            return None


@dataclass(slots=True)
class Ranges:
    """Numbers, as ranges that stand apart.

    >>> some = Ranges()
    >>> some.add([1, 2, 3, 7])
    >>> some.ranges, list(some.without([(2, 3)]))
    ([(1, 3), (7, 7)], [(1, 1), (7, 7)])
    """

    ranges: list[Range] = field(default_factory=list)

    def add(self, numbers: Iterable[int]) -> None:
        """Add rising numbers above those that are there."""
        for number in numbers:
            if self.ranges and self.ranges[-1][1] == number - 1:
                self.ranges[-1] = (self.ranges[-1][0], number)
            else:
                self.ranges.append((number, number))

    @property
    def count(self) -> int:
        """How many numbers there are."""
        return sum(last - first + 1 for first, last in self.ranges)

    def without(self, others: Sequence[Range]) -> Iterator[Range]:
        """The numbers that are in none of other ranges."""
        covering, place = _merged(others), 0
        for first, last in self.ranges:
            start = first
            while place < len(covering) and covering[place][0] <= last:
                low, high = covering[place]
                if start < low:
                    yield start, low - 1
                start = max(start, high + 1)
                if high > last:  # it may reach into the next range
                    break
                place += 1
            if start <= last:
                yield start, last


def _merged(ranges: Sequence[Range]) -> list[Range]:
    """Ranges that stand apart, of the same numbers, the lowest first."""
    merged: list[Range] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        elif first <= last:
            merged.append((first, last))
    return merged
