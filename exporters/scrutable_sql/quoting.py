"""Names, texts, numbers and comments, written so that an engine reads back exactly what was meant."""

from __future__ import annotations

import functools
import math
import re

from sqlglot import exp

from scrutable.errors import UnsupportedModel
from scrutable.spelling import is_short_decimal, one_line
from scrutable_sql.dialects import Dialect

#: A table or view: its name, or schema and name. A dot inside a name is part of the name.
Qualified = str | tuple[str, str]

_CHUNK = 52  # largest power of two in one step of a chain, exact as a decimal literal everywhere


@functools.lru_cache(maxsize=4096)
def name(text: str, dialect: Dialect) -> str:
    """A quoted identifier."""
    return exp.Identifier(this=text, quoted=True).sql(dialect.sqlglot)


def parts(table: Qualified) -> tuple[str, ...]:
    """Schema, if there is one, and name."""
    return (table,) if isinstance(table, str) else tuple(table)


def qualified(table: Qualified, dialect: Dialect) -> str:
    """The quoted identifier of a table or view."""
    return ".".join(name(part, dialect) for part in parts(table))


@functools.lru_cache(maxsize=4096)
def literal(text: str, dialect: Dialect) -> str:
    """A text literal.

    Examples
    --------
    >>> from scrutable_sql.dialects import DIALECTS
    >>> print(literal("it's", DIALECTS["postgres"]), literal(chr(92), DIALECTS["postgres"]))
    'it''s' E'\\\\'
    >>> print(literal("it's", DIALECTS["spark"]))
    ('it' || CHAR(39) || 's')
    """
    if dialect.escaped is not None and "\\" in text:
        doubled = text.replace("'", "''").replace("\\", "\\\\")
        return f"{dialect.escaped}'{doubled}'"
    words = dict(dialect.spelled)
    pieces = re.split(f"({'|'.join(map(re.escape, words))})", text) if words else [text]
    written = [words.get(piece) or _quoted(piece, dialect) for piece in pieces if piece] or [_quoted("", dialect)]
    between, around = dialect.concatenated
    return written[0] if len(written) == 1 else around.format(between.join(written))


def number(value: float, dialect: Dialect, *, compared: bool = False) -> str:
    """A double.

    Integers stand as they are; so do short decimals that are exact in binary, where they are `compared` with a double
    or the engine has no decimal type that they could be taken for. Other doubles are cast from their shortest
    decimal or written with an exponent, or are an exact quotient where the engine may misread decimals.

    Raises
    ------
    UnsupportedModel : the engine has no doubles near 0 where this one is.

    Examples
    --------
    >>> from scrutable_sql.dialects import DIALECTS
    >>> [number(25.0, DIALECTS["duckdb"]), number(0.1, DIALECTS["duckdb"]), number(0.1, DIALECTS["sqlite"])]
    ['25', "CAST('0.1' AS DOUBLE)", '(3602879701896397 / 4503599627370496.0 / 8.0)']
    >>> [number(0.1, DIALECTS["mariadb"]), number(0.1, DIALECTS["spark"]), number(0.1, DIALECTS["tsql"])]
    ['0.1e0', '0.1D', '(3602879701896397E0 / 4503599627370496E0 / 8E0)']
    """
    if math.isinf(value):
        assert dialect.infinity is not None, "conditions leave out what no row can hold"
        return dialect.infinity if value > 0 else f"-{dialect.infinity}"
    if value == int(value) and abs(value) < 2**31:
        return str(int(value))
    digits = repr(value)
    if (compared or dialect.decimals_are_doubles) and is_short_decimal(value):
        return digits
    if abs(value) < dialect.smallest:
        raise UnsupportedModel(f"{dialect.title} has no such small numbers", where="a number of the model", got=value)
    if dialect.exact_literal is None:
        return _quotient(value, dialect)
    return dialect.exact_literal.format(
        quoted=f"{dialect.prefix}'{digits}'",
        double=dialect.double,
        digits=digits,
        scientific=digits if "e" in digits else f"{digits}e0",
    )


def comment(text: str) -> str:
    """Words that cannot end the comment they stand in: one line, no control or format characters, not endless.

    Nor can they be what Spark takes for a variable, or end in a backslash, with which Spark's comments go on.

    Examples
    --------
    >>> comment("a" + chr(10) + "DROP TABLE b" + chr(0x2028) + "${c}")
    'a\\\\nDROP TABLE b\\\\u2028$ {c}'
    """
    line = one_line(text, ascii_only=False).replace("${", "$ {")
    return f"{line[:-1]}\\x5c" if line.endswith("\\") else line


def _quoted(text: str, dialect: Dialect) -> str:
    if dialect.spelled:  # what needs an escape is not in the text any more
        doubled = text.replace("'", "''")
        return f"{dialect.prefix}'{doubled}'"
    return dialect.prefix + exp.Literal.string(text).sql(dialect.sqlglot)


def _quotient(value: float, dialect: Dialect) -> str:
    """An odd integer below 2^53 over or times powers of two: every step of the chain is exact."""
    fraction, exponent = math.frexp(value)
    mantissa, exponent = int(fraction * 2**53), exponent - 53
    while mantissa % 2 == 0:
        mantissa, exponent = mantissa // 2, exponent + 1
    operator = " * " if exponent > 0 else " / "
    full, rest = divmod(abs(exponent), _CHUNK)
    powers = [2**_CHUNK] * full + ([2**rest] if rest else [])
    return f"({operator.join([dialect.dividend.format(mantissa), *map(dialect.power.format, powers)])})"
