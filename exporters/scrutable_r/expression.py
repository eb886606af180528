"""Expressions of R, and how closely they hold together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

#: How closely the parts of an expression hold together.
OR, AND, NOT, COMPARISON, ADDITION, PRODUCT, IN, ATOM = range(8)

#: The longest that arguments become on one line.
_LONGEST_LINE = 1000


class Expression(NamedTuple):
    """An expression.

    Parameters
    ----------
    level : how closely it holds together.
    unsure : whether it is NA for some rows, which is as good as FALSE.

    Examples
    --------
    >>> Expression("a | b", OR).within(AND), Expression("a | b", OR).within(OR)
    ('(a | b)', 'a | b')
    """

    text: str
    level: int = ATOM
    unsure: bool = False

    def within(self, level: int) -> str:
        """The text as part of one that holds together so closely."""
        return self.text if self.level >= level else f"({self.text})"

    def sure(self) -> Expression:
        """The truth without NA."""
        return Expression(f"certain({self.text})") if self.unsure else self


def joined(parts: Sequence[Expression], operator: str, level: int) -> Expression:
    """Expressions with an operator between them; one stands for itself."""
    if len(parts) == 1:
        return parts[0]
    text = f" {operator} ".join(part.within(level) for part in parts)
    return Expression(text, level, any(part.unsure for part in parts))


def call(function: str, arguments: Sequence[str], titles: Sequence[str] = ()) -> Expression:
    """A call, with a line for each argument where there are titles or an argument has lines."""
    if not any(titles) and not any("\n" in each for each in arguments):
        between = ", " if sum(map(len, arguments)) <= _LONGEST_LINE else ",\n  "
        return Expression(f"{function}({between.join(arguments)})")
    lines = []
    for i, argument in enumerate(arguments):
        comma = "," if i < len(arguments) - 1 else ""
        title = f"  # {titles[i]}" if i < len(titles) and titles[i] else ""
        lines.append(argument.replace("\n", "\n  ") + comma + title)
    return Expression("\n  ".join([f"{function}(", *lines]) + "\n)")
