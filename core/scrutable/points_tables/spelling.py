"""How categories that are codes are spelt, for the report: a column of numbers holds none of their texts."""

from __future__ import annotations

from collections.abc import Iterable

#: So many codes show how all are spelt.
_FEW = 5


def told_spelling(texts: Iterable[str]) -> str | None:
    """What to tell of categories of which some read as numbers; None where none does.

    >>> told_spelling(["1", "2.50", "other"])
    "codes are read as texts, spelt '1', '2.50'; the column has to hold the same texts"
    """
    codes = [repr(text) for text in texts if _is_number(text)]
    few = ", ".join(codes[:_FEW]) + (", …" if len(codes) > _FEW else "")
    return f"codes are read as texts, spelt {few}; the column has to hold the same texts" if codes else None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
