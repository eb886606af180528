"""Names, texts, numbers and comments, written so that an engine reads back exactly what was meant."""

from __future__ import annotations

import functools
import math
import re

from sqlglot import exp

from scrutable.errors import UnsupportedModel
from scrutable.plugins import is_short_decimal, one_line
from scrutable_sql.dialects import Dialect

#: A table or view: its name, or schema and name. A dot inside a name is part of the name.
Qualified = str | tuple[str, str]

_OTHER = re.compile("[^ -~]")
#: What Spark and SQL Server's clients replace, inside of comments too.
_VARIABLE = re.compile(r"\$(?=[{(])")
_CHUNK = 52  # largest power of two in one step of a chain, exact as a decimal literal everywhere


@functools.lru_cache(maxsize=4096)
def name(text: str, dialect: Dialect) -> str:
    """A quoted identifier, in ASCII where the dialect has a way to write its letters so.

    Examples
    --------
    >>> from scrutable_sql.dialects import DIALECTS
    >>> print(name("a b", DIALECTS["postgres"]), name("b" + chr(252), DIALECTS["postgres"]))
    "a b" U&"b\\+0000fc"
    """
    if dialect.letter is None or is_plain(text):
        return exp.Identifier(this=text, quoted=True).sql(dialect.sqlglot)
    opening, letter = dialect.letter
    quoted = exp.Identifier(this=text.replace("\\", "\\\\") if opening else text, quoted=True).sql(dialect.sqlglot)
    return opening + _OTHER.sub(lambda other: _lettered(other[0], letter), quoted)


def inner(text: str, dialect: Dialect) -> str:
    """A quoted identifier that the statement alone sees: in ASCII, whatever the dialect."""
    return name(inner_text(text, dialect), dialect)


def inner_text(text: str, dialect: Dialect) -> str:
    """Its text: other letters are escaped where the dialect has no way to write them in ASCII."""
    return text if dialect.letter is not None or is_plain(text) else text.encode("unicode_escape").decode()


def is_plain(text: str) -> bool:
    """Whether all characters are printable ASCII, which every client reads alike."""
    return _OTHER.search(text) is None


def parts(table: Qualified) -> tuple[str, ...]:
    """Schema, if there is one, and name."""
    return (table,) if isinstance(table, str) else tuple(table)


def qualified(table: Qualified, dialect: Dialect) -> str:
    """The quoted identifier of a table or view."""
    return ".".join(name(part, dialect) for part in parts(table))


@functools.lru_cache(maxsize=4096)
def literal(text: str, dialect: Dialect) -> str:
    """A text literal on one line of printable ASCII, which no character set of a client can misread.

    Other characters, and those with a meaning to a client or under a setting, are called by their codes.

    Examples
    --------
    >>> from scrutable_sql.dialects import DIALECTS
    >>> print(literal("it's", DIALECTS["postgres"]), literal("f" + chr(252) + "r", DIALECTS["postgres"]))
    'it''s' ('f' || E'\\u00fc' || 'r')
    >>> print(literal(chr(252), DIALECTS["mariadb"]), literal("it's", DIALECTS["spark"]))
    CONVERT(X'c3bc' USING utf8mb4) ('it' || CAST(X'27' AS STRING) || 's')
    """
    pieces = [piece for piece in _spelled_in(dialect).split(text) if piece] or [""]
    written = [part for piece in pieces for part in _written(piece, dialect)]
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
    """Words that cannot end the comment they stand in: one line of printable ASCII, not endless.

    Nor can they be what a client acts on inside of comments: ${v}, $(v) and &v, and a backslash, hyphen or semicolon
    at the end.

    Examples
    --------
    >>> comment("a" + chr(10) + "DROP TABLE b" + chr(0x2028) + "${c};")
    'a\\\\nDROP TABLE b\\\\u2028$ {c}\\\\x3b'
    """
    line = _VARIABLE.sub("$ ", one_line(text)).replace("&", _code("&"))
    return f"{line[:-1]}{_code(line[-1])}" if line.endswith(("\\", "-", ";")) else line


def _code(character: str) -> str:
    return f"\\x{ord(character):02x}"


@functools.cache
def _spelled_in(dialect: Dialect) -> re.Pattern[str]:
    """Runs of characters that do not stand between quotes."""
    unquoted = f"|[{re.escape(dialect.unquoted)}]" if dialect.unquoted else ""
    return re.compile(f"((?:[^ -~]{unquoted})+)")


def _written(piece: str, dialect: Dialect) -> list[str]:
    """A run of characters between quotes, or called by their codes, all at once or one by one."""
    if not _spelled_in(dialect).fullmatch(piece):
        doubled = piece.replace("'", "''")
        return [f"{dialect.prefix}'{doubled}'"]
    units = _utf16(piece)
    if "{unit}" in dialect.spelled:
        return [dialect.spelled.format(unit=unit) for unit in units]
    if "{code}" in dialect.spelled:
        return [dialect.spelled.format(code=ord(character)) for character in piece]
    return [
        dialect.spelled.format(
            codes=", ".join(str(ord(character)) for character in piece),
            utf8=piece.encode().hex(),
            utf16="".join(f"\\{unit:04x}" for unit in units),
            escapes="".join(map(_escape, piece)),
        )
    ]


def _lettered(character: str, letter: str) -> str:
    if "{byte" in letter:
        return "".join(letter.format(byte=byte) for byte in character.encode())
    return letter.format(code=ord(character))


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _utf16(text: str) -> list[int]:
    data = text.encode("utf-16-be")
    return [int.from_bytes(data[i : i + 2]) for i in range(0, len(data), 2)]


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
