"""What exporters write alike in every language: comments, and which doubles stand as short decimals."""

from __future__ import annotations

from fractions import Fraction

from scrutable.writing.visible_text import visible

_LONGEST_COMMENT = 120


def is_short_decimal(value: float) -> bool:
    """Whether a finite double equals its shortest decimal, which has no exponent and at most 15 digits.

    Any engine reads such a decimal as this very double.

    >>> [is_short_decimal(value) for value in (0.5, -20.25, 0.1, 1e300)]
    [True, True, False, False]
    """
    digits = repr(value)
    return "e" not in digits and len(digits.strip("-").replace(".", "")) <= 15 and Fraction(digits) == Fraction(value)


def one_line(text: str, *, ascii_only: bool = True) -> str:
    """Words that cannot end the comment they stand in: one line, no control or format characters, not endless.

    >>> print(one_line("caf" + chr(233) + chr(10) + "quit()"))
    caf\\xe9\\nquit()
    >>> print(one_line("caf" + chr(233) + chr(0x2028), ascii_only=False))
    caf\u00e9\\u2028
    """
    dots = "..." if ascii_only else "\N{HORIZONTAL ELLIPSIS}"
    short = text if len(text) <= _LONGEST_COMMENT else text[: _LONGEST_COMMENT - len(dots)] + dots
    shown = visible(short)
    return shown.encode("ascii", "backslashreplace").decode() if ascii_only else shown
