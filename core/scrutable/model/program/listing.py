"""A program as people read it: a line for each node."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import assert_never

from scrutable.model.program.ladders import Ladder
from scrutable.model.program.nodes import (
    All,
    AtLeast,
    Bucket,
    Choice,
    Clamp,
    Code,
    Column,
    First,
    Largest,
    Linear,
    Logistic,
    Node,
    Pair,
    Points,
    Rank,
    Ref,
    Share,
    Short,
    Sum,
    Test,
    Text,
    Words,
)
from scrutable.model.program.program import Program
from scrutable.writing.decimals import number

#: Values of a table, or nodes that one reads, that are shown.
_SHOWN = 8


def listed(program: Program) -> str:
    """A line for each node, in their order, and one for each output.

    Examples
    --------
    >>> from scrutable.model.program import kept, lowered
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> print(listed(kept(lowered(models_named()["stumps"]), ["approved"])).splitlines()[0])
     0  column      'age', numeric
    """
    width = len(str(len(program.nodes)))
    lines = [f"{ref:>{width}}  {_name(node):<10}  {_parts(node)}" for ref, node in enumerate(program.nodes)]
    return "\n".join([*lines, *(f"{output.name} = {output.of}" for output in program.outputs)])


def _name(node: Node) -> str:
    return type(node).__name__.lower()


def _parts(node: Node) -> str:
    match node:
        case Column(name, kind):
            return f"{name!r}, {kind}"
        case Bucket(of, ladder):
            return f"of {of}: {_rungs(ladder)}"
        case Pair(of) | All(of) | First(of) | Largest(of):
            return f"of {_several(of)}"
        case Points(of, values):
            return f"of {of}: {_several([number(value) for value in values])}"
        case Test(of, among):
            return f"of {of}: among {_several(among)}"
        case Choice(by, of):
            return f"by {by}: {_several(of)}"
        case Sum(start, of):
            return f"{number(start)} + {_several(of)}" if of else number(start)
        case Linear(of, slope, intercept):
            return f"{number(intercept)} + {number(slope)} * {of}"
        case Clamp(of, low, high):
            return f"{of} within {number(low)} and {number(high)}"
        case Logistic(of):
            return f"of {of}"
        case AtLeast(of, limit):
            return f"{of} >= {number(limit)}"
        case Share(of, among):
            return f"{of} of {_several(among)}"
        case Rank(of):
            return _several([_several(refs_of_code) for refs_of_code in of])
        case Code(of, rank) | Short(of, rank):
            return f"of {of}, rank {rank + 1}"
        case Text(of, texts):
            return f"of {of}: {_several([repr(text) for text in texts])}"
        case Words(of, words):
            return f"of {_several(of)}: {_several(words)}"
        case _:
            assert_never(node)


def _several(parts: Sequence[Ref | str | None]) -> str:
    told = [str(part) for part in parts[:_SHOWN]]
    return f"({', '.join(told)}{f', and {len(parts) - _SHOWN} more' if len(parts) > _SHOWN else ''})"


def _rungs(ladder: Ladder) -> str:
    """The bucket of each rung, then of each value with a name, then of missing."""
    starts = (-math.inf, *ladder.cuts)
    rungs = [
        f"{'other' if start == -math.inf else f'>= {number(start)}'}: {rung}"
        for start, rung in zip(starts, ladder.rungs, strict=True)
    ]
    named = [f"{name!r}: {own}" for name, own in ladder.named]
    return _several([*rungs, *named, f"missing: {ladder.missing}"])
