"""Passes: functions from program to program that change no bit of any output that stays."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from scrutable.model.program.nodes import Ref, refs, rewired
from scrutable.model.program.program import Builder, Output, Program


def kept(program: Program, names: Collection[str]) -> Program:
    """The program of some outputs, without the nodes that only others need.

    >>> from scrutable.model.program import lowered
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> program = lowered(models_named()["scorecard"])
    >>> len(kept(program, ["score"]).nodes) < len(program.nodes)
    True
    """
    outputs = [output for output in program.outputs if output.name in names]
    builder, new = Builder(), dict[Ref, Ref]()
    for ref in sorted(needed(program, (output.of for output in outputs))):
        new[ref] = builder.add(rewired(program[ref], new.__getitem__))
    return builder.program(program.features, [Output(output.name, new[output.of], output.about) for output in outputs])


def needed(program: Program, wanted: Iterable[Ref]) -> set[Ref]:
    """Some nodes and all that they read, through however many others.

    >>> from scrutable.model.program import lowered
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> sorted(needed(lowered(models_named()["stumps"]), [2]))
    [0, 1, 2]
    """
    every: set[Ref] = set()
    waiting = list(wanted)
    while waiting:
        ref = waiting.pop()
        if ref not in every:
            every.add(ref)
            waiting += refs(program[ref])
    return every
