"""Texts, numbers, comments and expressions as pure ASCII that Python reads back as exactly what was meant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

#: How closely the parts of an expression hold together.
CONDITIONAL, OR, AND, NOT, COMPARISON, ADDITION, PRODUCT, ATOM = range(8)


class Expression(NamedTuple):
    """An expression, and how closely it holds together.

    >>> Expression("a or b", OR).within(AND), Expression("a or b", OR).within(OR)
    ('(a or b)', 'a or b')
    """

    text: str
    level: int = ATOM

    def within(self, level: int) -> str:
        """The text as part of one that holds together so closely."""
        return self.text if self.level >= level else f"({self.text})"


def joined(parts: Sequence[Expression], operator: str, level: int) -> Expression:
    """Expressions with an operator between them; one stands for itself."""
    if len(parts) == 1:
        return parts[0]
    return Expression(f" {operator} ".join(part.within(level) for part in parts), level)


def listed(items: Sequence[str]) -> str:
    """A tuple.

    >>> listed(["1", "2"]), listed(["1"])
    ('(1, 2)', '(1,)')
    """
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def literal(text: str | None) -> str:
    r"""A text literal, or None: no character in it can end it or is none of ASCII.

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
