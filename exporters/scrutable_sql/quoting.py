"""Names, texts, numbers and comments, written so that an engine reads back exactly what was meant."""

from __future__ import annotations

import functools
import math
from fractions import Fraction

from sqlglot import exp

from scrutable_sql.dialects import Dialect

#: A table or view: its name, or schema and name. A dot inside a name is part of the name.
Qualified = str | tuple[str, str]

_CHUNK = 52  # largest power of two in one step of a chain, exact as a decimal literal everywhere
_LONGEST_COMMENT = 120


@functools.lru_cache(maxsize=4096)
def name(text: str, dialect: Dialect) -> str:
    """A quoted identifier."""
    return exp.Identifier(this=text, quoted=True).sql(dialect.name)


def parts(table: Qualified) -> tuple[str, ...]:
    """Schema, if there is one, and name."""
    return (table,) if isinstance(table, str) else tuple(table)


def qualified(table: Qualified, dialect: Dialect) -> str:
    """The quoted identifier of a table or view."""
    return ".".join(name(part, dialect) for part in parts(table))


@functools.lru_cache(maxsize=4096)
def literal(text: str, dialect: Dialect) -> str:
    """A text literal.

    >>> from scrutable_sql.dialects import DIALECTS
    >>> print(literal("it's", DIALECTS["postgres"]), literal(chr(92), DIALECTS["postgres"]))
    'it''s' E'\\\\'
    """
    quoted = text.replace("'", "''")
    if dialect.escaped is None or "\\" not in text:
        return f"'{quoted}'"
    doubled = quoted.replace("\\", "\\\\")
    return f"{dialect.escaped}'{doubled}'"


def number(value: float, dialect: Dialect, *, compared: bool = False) -> str:
    """A double.

    Integers stand as they are; so do short decimals that are exact in binary, where they are `compared` with a double
    or the engine has no decimal type that they could be taken for. Other doubles are cast from their shortest
    decimal, or are an exact quotient where the engine misreads decimals.

    Examples
    --------
    >>> from scrutable_sql.dialects import DIALECTS
    >>> [number(25.0, DIALECTS["duckdb"]), number(0.1, DIALECTS["duckdb"]), number(0.1, DIALECTS["sqlite"])]
    ['25', "CAST('0.1' AS DOUBLE)", '(3602879701896397 / 4503599627370496.0 / 8.0)']
    """
    if math.isinf(value):
        return dialect.infinity if value > 0 else f"-{dialect.infinity}"
    if value == int(value) and abs(value) < 2**31:
        return str(int(value))
    if (compared or not dialect.reads_decimals) and _is_short(value):
        return repr(value)
    if dialect.reads_decimals:
        return f"CAST({literal(repr(value), dialect)} AS {dialect.double})"
    return _quotient(value)


def comment(text: str) -> str:
    """Words that cannot end the comment they stand in: one line, no control or format characters, not endless.

    >>> comment("a" + chr(10) + "DROP TABLE b" + chr(0x2028))
    'a\\\\nDROP TABLE b\\\\u2028'
    """
    short = text if len(text) <= _LONGEST_COMMENT else text[: _LONGEST_COMMENT - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in short)


def _is_short(value: float) -> bool:
    digits = repr(value)
    return "e" not in digits and len(digits.strip("-").replace(".", "")) <= 15 and Fraction(digits) == Fraction(value)


def _quotient(value: float) -> str:
    """An odd integer below 2^53 over or times powers of two: every step of the chain is exact."""
    fraction, exponent = math.frexp(value)
    mantissa, exponent = int(fraction * 2**53), exponent - 53
    while mantissa % 2 == 0:
        mantissa, exponent = mantissa // 2, exponent + 1
    operator = " * " if exponent > 0 else " / "
    full, rest = divmod(abs(exponent), _CHUNK)
    powers = [2**_CHUNK] * full + ([2**rest] if rest else [])
    return f"({operator.join([str(mantissa), *(f'{power}.0' for power in powers)])})"
