"""Columns in steps, each after those that it reads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from scrutable_sql.query import Column, Expression, Step

#: What a step is called by what it holds, and that in words; the first of several gives the name.
KINDS = {
    "asked": "what is asked of the columns: 1 where it holds, else 0",
    "packed": "what each column adds, and by a bit how far that falls short",
    "points": "what each column adds",
    "parts": "parts of what is added up",
    "sums": "what is added up, and what is chosen",
    "calibrated": "the linear predictor of the probability",
    "shortfalls": "what falls short, and the reason",
    "codes": "the largest of what carries the same code",
    "ranks": "the reason that is next",
    "places": "which codes those are",
    "texts": "texts that are returned",
}


@dataclass(frozen=True, slots=True)
class _Made:
    """A column, the kind of what it holds, the number of its step, and what is read in it."""

    column: Column
    kind: str
    step: int
    reads: frozenset[str]


@dataclass(slots=True)
class Steps:
    """Columns by name, in the order in which they were made.

    Examples
    --------
    >>> steps = Steps()
    >>> one = steps.add("one", lambda: "1", "asked")
    >>> two = steps.add("two", lambda: f"{steps.reading(one)} + 1", "asked")
    >>> [(step.name, [column.name for column in step.columns]) for step in steps.in_order()]
    [('asked_1', ['one']), ('asked_2', ['two'])]
    """

    _made: dict[str, _Made] = field(default_factory=dict)
    #: What is read by the results, and by each column that is being made.
    _reads: list[set[str]] = field(default_factory=lambda: [set()])

    def add(self, name: str, make: Callable[[], Expression], kind: str, cast: str = "", note: str = "") -> str:
        """A column, in the step after all that are read while its expression is made."""
        self._reads.append(set())
        expression = make()
        reads = frozenset(self._reads.pop())
        self._made[name] = _Made(Column(expression, name, cast, note), kind, self._after(reads), reads)
        return name

    def reading(self, name: str) -> str:
        """A column's name, one of a step or of the inputs, for the expression that is being made."""
        self._reads[-1].add(name)
        return name

    def in_order(self) -> tuple[Step, ...]:
        """The steps, when the results are made too."""
        last = max((made.step for made in self._made.values()), default=0)
        parts = [[made for made in self._made.values() if made.step == step] for step in range(1, last + 1)]
        kinds = [[kind for kind in KINDS if any(made.kind == kind for made in part)] for part in parts]
        names = _numbered([told[0] for told in kinds])
        return tuple(
            Step(name, "; ".join(KINDS[kind] for kind in told), tuple(made.column for made in part), self._kept(step))
            for step, (name, told, part) in enumerate(zip(names, kinds, parts, strict=True), 1)
        )

    def _kept(self, step: int) -> tuple[str, ...]:
        """What a step hands on: what was made before it and is read after it."""
        read = self._reads[0].union(*(made.reads for made in self._made.values() if made.step > step))
        inputs = sorted(name for name in read if name not in self._made)
        return (*inputs, *(name for name, made in self._made.items() if made.step < step and name in read))

    def _after(self, reads: Collection[str]) -> int:
        return 1 + max((self._made[name].step for name in reads if name in self._made), default=0)


def _numbered(names: Sequence[str]) -> list[str]:
    """Names, with a number where there are several alike."""
    return [name if names.count(name) == 1 else f"{name}_{names[:i].count(name) + 1}" for i, name in enumerate(names)]
