"""Two results, column by column: where they differ, and by how much where a difference is allowed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from scrutable.model.evaluator import OutputFrame, differences
from scrutable.model.evaluator.outputs import ulps

What = Literal[
    "score",
    "probability",
    "decision",
    "knock-out",
    "override",
    "adjustment",
    "grade",
    "points",
    "reasons",
    "rules",
    "segment",
    "types",
    "rows",
    "other",
]

#: Units in the last place by which probabilities may differ, since exp is not the same on every engine.
ULP = 2
#: Differences of a column that are told one by one.
_TOLD = 3
_NOWHERE: NDArray[np.intp] = np.array([], dtype=np.intp)

_KINDS: dict[str, What] = {
    "score": "score",
    "approved": "decision",
    "predicted": "decision",
    "knock_out": "knock-out",
    "override": "override",
    "adjustment": "adjustment",
    "grade": "grade",
    "rules": "rules",
    "segment": "segment",
}
_PREFIXES: dict[str, What] = {
    "score_": "score",
    "probability": "probability",
    "points_": "points",
    "reason_": "reasons",
    "short_": "reasons",
    "declined_": "reasons",
}


@dataclass(frozen=True, slots=True)
class Difference:
    """A row where two results differ, and both values as texts; doubles with every digit."""

    row: int
    expected: str
    got: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnCheck:
    """What became of a column.

    Parameters
    ----------
    name : of the column.
    what : the part of the result it belongs to.
    differing : rows that differ by more than is allowed.
    ulp : the largest distance of two probabilities in units of the last place; 0 elsewhere.
    first : some of the differences.
    note : what is said of them where none is told one by one.
    """

    name: str
    what: What
    differing: int
    ulp: int = 0
    first: tuple[Difference, ...] = ()
    note: str = ""


def compare(ours: OutputFrame, theirs: OutputFrame, rows: NDArray[np.intp] | None = None) -> tuple[ColumnCheck, ...]:
    """Every column of the evaluator beside the engine's.

    Scores, points and decisions must be equal to the last bit and texts character by character; probabilities may be
    two units in the last place apart. A column that the engine did not return differs everywhere, and so does one that
    the evaluator does not know, or one of another length.

    Parameters
    ----------
    rows : (n,) positions that a difference is told with; those of the frames if None.

    Examples
    --------
    >>> ours = OutputFrame({"score": np.array([510.0, 540.0])})
    >>> theirs = OutputFrame({"score": np.array([510.0, 540.0000001])})
    >>> [check] = compare(ours, theirs)
    >>> check.differing, check.first[0].got
    (1, '540.0000001')
    """
    n_rows = len(next(iter(ours.values())))
    positions = np.arange(n_rows) if rows is None else rows
    names = [*ours, *(name for name in theirs if name not in ours)]
    return tuple(_check(name, ours.get(name), theirs.get(name), positions) for name in names)


def _check(name: str, mine: Any, other: Any, rows: NDArray[np.intp]) -> ColumnCheck:
    if mine is None or other is None or len(mine) != len(other):
        return ColumnCheck(name=name, what=what_of(name), differing=len(rows), note="on one side only")
    places = differences(OutputFrame({name: mine}), OutputFrame({name: other}), ulp=ULP).get(name, _NOWHERE)
    ulp = int(ulps(mine, other).max(initial=0)) if what_of(name) == "probability" else 0
    first = tuple(Difference(int(rows[i]), repr(_plain(mine[i])), repr(_plain(other[i]))) for i in places[:_TOLD])
    return ColumnCheck(name=name, what=what_of(name), differing=len(places), ulp=ulp, first=first)


def what_of(name: str) -> What:
    """The part of a result that a column belongs to."""
    if name in _KINDS:
        return _KINDS[name]
    return next((what for prefix, what in _PREFIXES.items() if name.startswith(prefix)), "other")


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
