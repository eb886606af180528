"""How categories are spelt that a column may hold otherwise, for the report: codes, and texts with blanks around."""

from __future__ import annotations

from collections.abc import Iterable

#: So many categories show how all are spelt.
_FEW = 5


def told_spelling(texts: Iterable[str]) -> list[str]:
    """What to tell of categories of which some read as numbers, or begin or end with blanks; nothing where none does.

    >>> told_spelling(["1", "2.50", "other"])
    ["codes are read as texts, spelt '1', '2.50'; the column has to hold the same texts"]
    >>> told_spelling(["own ", "rent"])
    ["blanks at the ends of categories count: 'own '; the column has to hold the same texts"]
    """
    categories = list(texts)
    codes, blanks = (
        [text for text in categories if _is_number(text)],
        [text for text in categories if text != text.strip()],
    )
    told = [f"codes are read as texts, spelt {_listed(codes)}"] if codes else []
    told += [f"blanks at the ends of categories count: {_listed(blanks)}"] if blanks else []
    return [f"{each}; the column has to hold the same texts" for each in told]


def _listed(texts: list[str]) -> str:
    return ", ".join(map(repr, texts[:_FEW])) + (", …" if len(texts) > _FEW else "")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
