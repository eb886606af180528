"""The programs of models that are evaluated, each lowered once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from scrutable.model.program import Program, added_up, kept, lowered
from scrutable.model.segments import Model


def program_of(model: Model) -> Program:
    """All that a model says of a row; lowered once, with what sums add by one column in one table."""
    return _lowered(_Same(model))


def program_for(model: Model, names: Iterable[str]) -> Program:
    """What gives some outputs of a model's program."""
    return _narrowed(program_of(model), frozenset(names))


class _Same:
    """A model that is equal to itself alone, since comparing what it is made of takes as long as lowering it."""

    __slots__ = ("model",)

    def __init__(self, model: Model) -> None:
        self.model = model

    def __hash__(self) -> int:
        return id(self.model)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.model is self.model


@lru_cache(maxsize=16)
def _lowered(same: _Same) -> Program:
    return added_up(lowered(same.model, words=False))


@lru_cache(maxsize=32)
def _narrowed(program: Program, names: frozenset[str]) -> Program:
    return kept(program, names)
