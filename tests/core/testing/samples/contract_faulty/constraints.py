"""Constraints with a fault."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from contract_samples.healthy import TinyConstraint

from scrutable.plugins.bases import FairnessConstraint


class Mutable(TinyConstraint):
    """Can be changed after it is made."""

    __setattr__ = object.__setattr__


class Wishful(TinyConstraint):
    """Gives wishes for bounds."""

    def bounds_for(self, attribute: Any, group: str, y: Any) -> Iterator[Any]:
        yield f"{group} like everybody else"


class Partial(TinyConstraint):
    """Bounds the first group alone."""

    def bounds_for(self, attribute: Any, group: str, y: Any) -> Iterator[Any]:
        if group == "south":
            yield from super().bounds_for(attribute, group, y)


class Forgivable(Partial):
    """Bounds the first group alone, and says so."""


class Tampering(TinyConstraint):
    """Turns every outcome into a good one."""

    def bind(self, y: Any, groups: Any) -> Any:
        y[:] = True
        return super().bind(y, groups)


@dataclass(frozen=True)
class Lenient(FairnessConstraint):
    """Takes any slack.

    Parameters
    ----------
    slack : the largest difference, whatever it is.
    attributes, min_group_size : as in `FairnessConstraint`.
    """

    slack: Any = 0.1

    def bounds_for(self, attribute: Any, group: str, y: Any) -> Iterator[Any]:
        return TinyConstraint(0.1).bounds_for(attribute, group, y)


class Remembering(TinyConstraint):
    """Is stricter every time it is bound."""

    def bind(self, y: Any, groups: Any) -> Any:
        object.__setattr__(self, "slack", self.slack / 2)
        return super().bind(y, groups)


class Greedy(TinyConstraint):
    """Bounds every attribute, whichever it is restricted to."""

    def bind(self, y: Any, groups: Any) -> Any:
        return tuple(each for name in groups.names for each in TinyConstraint(attributes=[name]).bind(y, groups))


class LabelShy(TinyConstraint):
    """Fails on class labels."""

    def bind(self, y: Any, groups: Any) -> Any:
        return super().bind([{True: True, False: False}[value] for value in y], groups)


class Unequalled(TinyConstraint):
    """Is equal to itself alone."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__


class Lonely(TinyConstraint):
    """Compares a single group with nobody."""

    def bind(self, y: Any, groups: Any) -> Any:
        return super().bind(y, groups) if len(groups.attributes[0].known) > 1 else ()


class Noting(TinyConstraint):
    """Counts how often it is bound where its repr does not show it."""

    def bind(self, y: Any, groups: Any) -> Any:
        object.__setattr__(self, "_bound", getattr(self, "_bound", 0) + 1)
        return super().bind(y, groups)


class Deaf(TinyConstraint):
    """Has a slack of its own, whatever it is told."""

    def bounds_for(self, attribute: Any, group: str, y: Any) -> Iterator[Any]:
        return TinyConstraint(0.5).bounds_for(attribute, group, y)
