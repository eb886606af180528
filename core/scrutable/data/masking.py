"""Values of a user's rows in errors: how they are written, and not what they say of a person."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from numbers import Number

from scrutable.data.disclosure.smallest_count import min_cell

_LONGEST = 24
_CLASSES = ((re.compile(r"\d"), "9"), (re.compile(r"[^\W\d_]"), "a"))
_shown = False


class Masked:
    """A value of a user's row as errors show it: digits as 9, letters as a; whole only under `scrutable --debug`.

    The form is what mends most errors (a date the wrong way round, a comma for a point); the content is a person's.

    Examples
    --------
    >>> Masked("31/02/2020"), Masked(-1.25), Masked("Zoë N."), Masked(None), Masked(float("nan"))
    (a text like '99/99/9999', a number like -9.99, a text like 'aaa a.', None, nan)
    """

    def __init__(self, value: object) -> None:
        self.value = value.item() if hasattr(value, "item") and not getattr(value, "ndim", 0) else value

    def __repr__(self) -> str:
        value = self.value
        if _shown or value is None or (isinstance(value, float) and not math.isfinite(value)):
            return repr(value)
        if isinstance(value, str | Number) and not isinstance(value, bool):
            text = repr(value) if isinstance(value, str) else str(value)
            for pattern, sign in _CLASSES:
                text = pattern.sub(sign, text)
            kind = "text" if isinstance(value, str) else "number"
            return f"a {kind} like {text if len(text) <= _LONGEST else text[:_LONGEST] + '…'}"
        return f"a value of type {type(value).__name__}"


def masked(values: Iterable[object]) -> list[Masked]:
    """Several values, each as errors show it."""
    return [Masked(value) for value in values]


def show_values(shown: bool) -> None:
    """Show values as they are from now on, or no longer."""
    global _shown
    _shown = shown


def shared(value: object, rows: float) -> object:
    """A value that so many rows have: as it is where it is no single person's, masked where it may be.

    >>> shared("unknown", 40), shared("Zoë N.", 1)
    ('unknown', a text like 'aaa a.')
    """
    return value if _shown or rows >= min_cell() else Masked(value)
