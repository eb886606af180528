"""Texts, numbers and comments as pure ASCII that Python reads back as exactly what was meant."""

from __future__ import annotations

import math


def literal(text: str) -> str:
    r"""A text literal: no character in it can end it or is none of ASCII.

    >>> print(literal("it's"), literal("caf\u00e9" + chr(10)))
    "it's" 'caf\xe9\n'
    """
    return ascii(text)


def number(value: float) -> str:
    """A double; the shortest decimal that Python reads back as the same bits.

    >>> number(0.1), number(float("-inf"))
    ('0.1', '-_INFINITY')
    """
    if math.isinf(value):
        return "_INFINITY" if value > 0 else "-_INFINITY"
    return repr(value)


def value(item: float | str) -> str:
    """A double or a text."""
    return literal(item) if isinstance(item, str) else number(item)
