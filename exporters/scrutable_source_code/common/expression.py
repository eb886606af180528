"""Expressions, and how they are put together: what is no single word or call stands in parentheses within others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Expression(NamedTuple):
    """An expression, and whether it is a single word, literal, entry or call.

    >>> Expression("a && b", False).within, Expression("f(a, b)").within
    ('(a && b)', 'f(a, b)')
    """

    text: str
    single: bool = True

    @property
    def within(self) -> str:
        """The text as part of another expression."""
        return self.text if self.single else f"({self.text})"


def joined(parts: Sequence[Expression], operator: str) -> Expression:
    """Expressions with an operator between them; one stands for itself."""
    if len(parts) == 1:
        return parts[0]
    return Expression(f" {operator} ".join(each.within for each in parts), False)


def chosen(cases: Sequence[tuple[str, str]], otherwise: str) -> Expression:
    """What stands beside the first condition that holds.

    >>> chosen([("x < 1", "0"), ("x < 2", "1")], "2").text
    'x < 1 ? 0 : x < 2 ? 1 : 2'
    """
    return Expression("".join(f"{when} ? {then} : " for when, then in cases) + otherwise, not cases)


def asserted(what: Expression, *, truth: bool) -> Expression:
    """A condition, or its contrary.

    >>> asserted(Expression("a < b", False), truth=False).text
    '!(a < b)'
    """
    return what if truth else Expression(f"!{what.within}", False)
