"""What it takes to be in some buckets of a ladder, for those who write that down as a condition."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from scrutable.data.features import Value
from scrutable.model.program.ladders import Ladder


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A value is on one of the runs of rungs and not among those without, or among those added, or missing.

    Parameters
    ----------
    runs : first and last rung of each of the longest runs.
    whole : whether they are all rungs there are.
    added, without : values with a name of which the bucket is another than their rung's.
    missing : whether a missing value will do.

    Examples
    --------
    >>> ladder = Ladder(kind="numeric", size=2, rungs=(1, 0), missing=1, cuts=(21.0,), named=((-9.0, 0),))
    >>> Asked.of(ladder, {1})
    Asked(runs=((0, 0),), whole=False, added=(), without=(-9.0,), missing=True)
    """

    runs: tuple[tuple[int, int], ...]
    whole: bool
    added: tuple[Value, ...]
    without: tuple[Value, ...]
    missing: bool

    @classmethod
    def of(cls, ladder: Ladder, among: Collection[int]) -> Asked:
        """What is asked of a value whose bucket is among some."""
        runs = tuple(_runs([bucket in among for bucket in ladder.rungs]))
        named = [(name, own in among, ladder.rung(name) in among) for name, own in ladder.named]
        return cls(
            runs=runs,
            whole=runs == ((0, len(ladder.rungs) - 1),),
            added=tuple(name for name, wanted, by_rung in named if wanted and not by_rung),
            without=tuple(name for name, wanted, by_rung in named if by_rung and not wanted),
            missing=ladder.missing in among,
        )


def _runs(held: list[bool]) -> Iterator[tuple[int, int]]:
    first: int | None = None
    for rung, holds in enumerate([*held, False]):
        if holds and first is None:
            first = rung
        elif not holds and first is not None:
            yield first, rung - 1
            first = None
