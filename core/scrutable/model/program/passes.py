"""Passes: functions from program to program that change no bit of any output that stays."""

from __future__ import annotations

from collections.abc import Collection

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
    needed = _needed(program, [output.of for output in outputs])
    builder, new = Builder(), dict[Ref, Ref]()
    for ref in sorted(needed):
        new[ref] = builder.add(rewired(program[ref], new.__getitem__))
    return builder.program(program.features, [Output(output.name, new[output.of], output.about) for output in outputs])


def _needed(program: Program, waiting: list[Ref]) -> set[Ref]:
    needed: set[Ref] = set()
    while waiting:
        ref = waiting.pop()
        if ref not in needed:
            needed.add(ref)
            waiting += refs(program[ref])
    return needed
