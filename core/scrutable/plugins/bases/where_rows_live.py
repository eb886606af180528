"""Whether a component can learn from rows where they live."""

from __future__ import annotations

from typing import Any, Literal, Protocol

from scrutable.errors import InputError
from scrutable.plugins.sources import source_of

#: What a component asks of rows: counts of them by value, or by the bins that they have, or the rows themselves.
Needs = Literal["values", "codes", "rows"]


class HasNeeds(Protocol):
    """A component that says what it asks of rows."""

    @property
    def needs(self) -> Needs: ...


def read_where_it_lives(component: HasNeeds, X: Any) -> Any:
    """What `fit` was given, as a source where it is one.

    Raises
    ------
    InputError : rows that live elsewhere, and a component that needs them in memory.
    """
    source = source_of(X)
    if source is None:
        return X
    if component.needs == "rows":
        raise InputError(
            f"{type(component).__name__} needs the rows themselves, and not only counts of them",
            where="X",
            got="rows that are not in memory",
            fix="give a frame, such as a sample of the rows; or choose a component that does with counts",
        )
    return source
