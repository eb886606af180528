"""Texts, numbers and comments in ASCII, written so that R reads back exactly what was meant in any locale."""

from __future__ import annotations

import math
from collections.abc import Iterable

from scrutable.model import Value
from scrutable.plugins import is_short_decimal, one_line

#: R misreads escapes across the end of its buffer of 4,096 characters of a script's line, so long texts take several.
_LONGEST_LINE = 1000
_LONGEST_ESCAPE = len(r"\u{10ffff}")
#: Binary exponents within which R reads mantissa and exponent of a hexadecimal without a detour through subnormals.
_NEAR = 60


def quoted(text: str) -> str:
    """A text.

    >>> print(quoted('caf' + chr(233) + ' "x"'))
    "caf\\u{e9} \\"x\\""
    """
    escaped = "".join(map(_character, text))
    if len(escaped) <= _LONGEST_LINE:
        return f'"{escaped}"'
    step = _LONGEST_LINE // _LONGEST_ESCAPE
    pieces = (text[start : start + step] for start in range(0, len(text), step))
    return f"paste0({_listed(map(quoted, pieces))})"


def number(value: float) -> str:
    """A double.

    Integers stand as they are, and so do short decimals that are exact in binary. Other doubles are hexadecimal: R
    takes one in some ten thousand decimals for the double beside it. Very small and large ones are a product of two.

    Examples
    --------
    >>> [number(25.0), number(-0.5), number(0.1), number(5e-324)]
    ['25', '-0.5', '0x1.999999999999ap-4', '(0x1p-537 * 0x1p-537)']
    """
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    if value == int(value) and abs(value) < 2**31:
        return str(int(value))
    if is_short_decimal(value):
        return repr(value)
    fraction, exponent = math.frexp(value)
    if abs(exponent) <= _NEAR:
        mantissa, _, power = value.hex().partition("p")
        return f"{mantissa.rstrip('0')}p{power}"
    mantissa_bits, exponent = abs(int(fraction * 2**53)), exponent - 53
    while mantissa_bits % 2 == 0:
        mantissa_bits, exponent = mantissa_bits // 2, exponent + 1
    half = exponent // 2
    sign = "-" if value < 0 else ""
    return f"({sign}0x{mantissa_bits:x}p{half:+d} * 0x1p{exponent - half:+d})"


def literal(value: Value) -> str:
    """A text or a double."""
    return quoted(value) if isinstance(value, str) else number(value)


def vector(values: Iterable[Value]) -> str:
    """A vector of at least one text or double."""
    items = list(map(literal, values))
    return items[0] if len(items) == 1 else f"c({_listed(items)})"


def _listed(items: Iterable[str]) -> str:
    """With commas between, on one line unless it would be long."""
    texts = list(items)
    return (", " if sum(map(len, texts)) <= _LONGEST_LINE else ",\n").join(texts)


def valued(words: str, value: float) -> str:
    """A comment on a double, with its decimal where the code has a hexadecimal.

    >>> valued("missing", 0.1), valued("missing", 5.0)
    ('missing; 0.1', 'missing')
    """
    if value == int(value) or is_short_decimal(value):
        return one_line(words)
    decimal = f"{value:.8g}"
    return f"{one_line(words)}; {decimal}" if words else decimal


def _character(c: str) -> str:
    if c in '"\\':
        return f"\\{c}"
    if " " <= c <= "~":
        return c
    return f"\\u{{{ord(c):x}}}" if ord(c) <= 0xFFFF else f"\\U{{{ord(c):x}}}"
