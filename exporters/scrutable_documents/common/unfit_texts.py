"""Texts of reasons that are not fit to be sent, in words."""

from __future__ import annotations

from collections.abc import Sequence

from scrutable.errors import ScrutableWarning
from scrutable.model import TextFault

#: Texts that are named, and letters of each; how many more there are is said too.
_SHOWN, _LETTERS = 5, 40


class UnfitTextWarning(ScrutableWarning):
    """A reason is told by a text that is not fit to be sent to an applicant."""


def in_words(faults: Sequence[TextFault]) -> str:
    """The first texts, and what is wrong with each.

    >>> in_words([TextFault("R1", "", "amt", "is the name of a column"), TextFault("R2", "de", "x", "is R1's, too")])
    "R1 'amt' is the name of a column; R2 'x' (de) is R1's, too"
    """
    named = "; ".join(
        f"{each.code} {each.text[:_LETTERS]!r}{f' ({each.language})' if each.language else ''} {each.fault}"
        for each in faults[:_SHOWN]
    )
    return f"{named}; and {len(faults) - _SHOWN:,} more" if len(faults) > _SHOWN else named
