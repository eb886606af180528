"""What the core asks of an explanation, and of what sums up or compares many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


@runtime_checkable
class Explanation(Protocol):
    """What commands show of an explanation."""

    @property
    def approved(self) -> bool | None:
        """The decision; None where there is none."""

    def describe(self) -> str:
        """Lines of text; the first begins with what was decided."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""


@runtime_checkable
class Drawn(Protocol):
    """An explanation that has a picture."""

    def plot(self) -> Figure:
        """The picture."""


class Summary(Protocol):
    """What commands show of many explanations summed up."""

    def describe(self) -> str:
        """Lines of text."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""

    def tables(self) -> Mapping[str, pd.DataFrame]:
        """Frames of texts and numbers, by title."""


class Agreement(Protocol):
    """How often a method of choosing reasons gives declined applicants what another one gives them.

    Attributes
    ----------
    method : the one that is compared.
    declined : how many were declined.
    first : share of the declined with the same first reason.
    same : share with the same reasons, in whatever order.
    shared : reasons of the other method that this one gives too, as a share of all of them.
    without : declined applicants to whom this method gives no reason.
    note : why the method cannot be taken, in which case there are no figures.
    segment : whose applicants these are; None where the model has no segments.
    """

    @property
    def method(self) -> str: ...
    @property
    def declined(self) -> int: ...
    @property
    def first(self) -> float | None: ...
    @property
    def same(self) -> float | None: ...
    @property
    def shared(self) -> float | None: ...
    @property
    def without(self) -> int | None: ...
    @property
    def note(self) -> str: ...
    @property
    def segment(self) -> str | None: ...

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
