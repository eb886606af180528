"""What a node of a program gives: of which sort, and how many places there are."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Literal, assert_never

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

Sort = Literal["value", "place", "truth", "number", "text", "ranking"]


def sort_of(program: Program, ref: Ref) -> Sort:
    """What the node at a place gives; a place of size 2 that is asked or decided is a truth.

    >>> from scrutable.model.program import lowered
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> program = lowered(models_named()["scorecard"])
    >>> [sort_of(program, output.of) for output in program.outputs[:4]]
    ['number', 'number', 'truth', 'text']
    """
    match program[ref]:
        case Column():
            return "value"
        case Bucket() | Pair() | First() | Largest() | Code():
            return "place"
        case Test() | All() | AtLeast():
            return "truth"
        case Points() | Sum() | Linear() | Clamp() | Logistic() | Share() | Short():
            return "number"
        case Text() | Words():
            return "text"
        case Rank():
            return "ranking"
        case Choice(_, of):
            return next(sort_of(program, each) for each in of if each is not None)
        case other:
            assert_never(other)


def texts_of(program: Program, ref: Ref) -> tuple[str | None, ...] | None:
    """The texts that a node can give, each once; None where words are put together.

    >>> from scrutable.model.program import lowered
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> program = lowered(models_named()["stumps"])
    >>> texts_of(program, program.output("knock_out").of)
    ('K1', None)
    """
    match program[ref]:
        case Text(_, texts):
            return tuple(dict.fromkeys(texts))
        case Choice(_, of):
            parts = [(None,) if each is None else texts_of(program, each) for each in of]
            known = [part for part in parts if part is not None]
            return tuple(dict.fromkeys(text for part in known for text in part)) if len(known) == len(parts) else None
        case _:
            return None


def is_truth(program: Program, ref: Ref) -> bool:
    """Whether a node is a truth, or one of two places of which the first has no title, which is written as one.

    >>> from scrutable.model.program import lowered
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> program = lowered(models_named()["stumps"])
    >>> [is_truth(program, ref) for ref in range(3)]
    [False, True, False]
    """
    node = program[ref]
    if isinstance(node, Bucket):
        return node.ladder.size == 2 and not any(node.titles[:1])
    return sort_of(program, ref) == "truth"


def size_of(program: Program, ref: Ref) -> int:
    """How many places a node can give.

    Raises
    ------
    TypeError : the node gives no place.
    """
    match program[ref]:
        case Bucket(_, ladder):
            return ladder.size
        case Pair(_, sizes):
            return math.prod(sizes)
        case Test() | All() | AtLeast():
            return 2
        case First(of):
            return len(of) + 1
        case Largest(of):
            return len(of)
        case Code(of, _):
            ranking = program[of]
            assert isinstance(ranking, Rank)
            return len(ranking.of) + 1
        case Choice(_, of):
            return max(size_of(program, each) for each in of if each is not None)
        case other:
            raise TypeError(f"{other} gives no place")


def ranks_read(program: Program, ranking: Ref, needed: Collection[Ref] | None = None) -> int:
    """How many of the ranks of a ranking are read, from the first.

    Parameters
    ----------
    needed : the nodes that read; all of the program, if not said.

    >>> from scrutable.model.program import lowered
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> program = lowered(models_named()["scorecard"])
    >>> [ranks_read(program, ref) for ref, node in enumerate(program.nodes) if isinstance(node, Rank)]
    [3]
    """
    reading = program.nodes if needed is None else map(program.__getitem__, needed)
    return max(node.rank + 1 for node in reading if isinstance(node, Code | Short) and node.of == ranking)
