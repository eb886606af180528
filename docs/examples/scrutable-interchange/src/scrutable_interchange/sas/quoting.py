"""Numbers, texts and names of SAS, written so that SAS reads back exactly what was meant, or refused.

Only what SAS documents is relied on: HEX16. reads the 16 hexadecimal digits of a double, most significant first, on
any host with IEEE doubles (SAS Formats and Informats: HEXw.); nothing between single quotes is resolved by the macro
processor (SAS Language Reference: Concepts).
"""

from __future__ import annotations

import math
import re
import struct
import sys
from fractions import Fraction

from scrutable.errors import UnsupportedModel

#: SAS 9 takes longer texts, with a warning about quotes left open; the files keep clear of it.
LONGEST_TEXT = 200
LONGEST_NAME = 32
#: With its quotes, and those inside twice: it has to stand in one line, beside little else (see `lines`).
LONGEST_LITERAL = 240

_PLAIN = re.compile(r"[A-Za-z_]\w{0,31}", re.ASCII)
_PRINTABLE = re.compile(r"[ -~]+")
_DIGITS = 15
#: Operators that are words (SAS Language Reference: Concepts, SAS Operators in Expressions), and words of the step's
#: statements and functions: a variable of such a name is written as a name literal, which nothing else can be.
_WORD = re.compile(
    "and|or|not|xor|eqt?|net?|gt|gtt|get?|ltt?|let?|in|notin|min|max|of"
    "|data|set|length|drop|options|run|if|then|else|do|end|input|missing|exp"
)
#: Names that SAS keeps for itself.
_RESERVED = re.compile(r"_(all|char|character|cmd|error|file|i|infile|iorc|last|msg|n|null|num|numeric|temporary)_")


def number(value: float) -> str:
    """A finite double: a decimal where that is exact, else its bits.

    Raises
    ------
    UnsupportedModel : it is infinite, or so close to 0 that it is no normal double.

    Examples
    --------
    >>> [number(25.0), number(-0.5), number(0.1)]
    ['25', '-0.5', "input('3FB999999999999A', hex16.)"]
    """
    if math.isinf(value):
        raise UnsupportedModel("SAS has no infinite numbers", got=value)
    if 0 < abs(value) < sys.float_info.min:
        raise UnsupportedModel(
            "SAS does not say what it makes of numbers this close to 0",
            got=value,
            allowed="0, or a magnitude of at least 2.2250738585072014e-308",
        )
    if value == int(value) and abs(value) < 10**_DIGITS:
        return str(int(value))
    decimal = repr(value)
    digits = decimal.strip("-").replace(".", "")
    if "e" not in decimal and len(digits) <= _DIGITS and Fraction(decimal) == Fraction(value):
        return decimal
    return f"input('{struct.pack('>d', value).hex().upper()}', hex16.)"


def text(value: str, where: str) -> str:
    """A text between single quotes.

    Raises
    ------
    UnsupportedModel : it is blank, ends in a blank, is too long, or is not printable ASCII: SAS takes blank texts for
        missing ones, ignores blanks at the end, and has the rest in the encoding of its session.

    Examples
    --------
    >>> print(text("cook's %mad", "category"))
    'cook''s %mad'
    """
    literal = "'" + value.replace("'", "''") + "'"
    too_long = len(value) > LONGEST_TEXT or len(literal) > LONGEST_LITERAL
    if not _PRINTABLE.fullmatch(value) or value.endswith(" ") or too_long:
        raise UnsupportedModel(
            "a text that SAS cannot hold as it is",
            where=where,
            got=value,
            allowed=f"printable ASCII that does not end in a blank, at most {LONGEST_TEXT} characters, "
            f"or {LONGEST_LITERAL} with its quotes, those inside twice",
        )
    return literal


def name(value: str) -> str:
    """The name of a variable, as a name literal where it has to be one.

    Raises
    ------
    UnsupportedModel : SAS has no such name, or keeps it for itself.

    Examples
    --------
    >>> [name("age"), name("my col"), name("or")]
    ['age', "'my col'n", "'or'n"]
    """
    where = f"feature {value!r}"
    if len(value) > LONGEST_NAME or value.startswith(" ") or _RESERVED.fullmatch(value.lower()):
        raise UnsupportedModel(
            "SAS has no variable of this name",
            where=where,
            got=value,
            allowed=f"at most {LONGEST_NAME} characters that do not begin with a blank; none of SAS's own names",
            fix="rename the column",
        )
    quoted = text(value, where)
    return value if _PLAIN.fullmatch(value) and not _WORD.fullmatch(value.lower()) else f"{quoted}n"


def comment(words: str) -> str:
    """Words in a comment that they cannot end.

    >>> comment("a */ b")
    '/* a * / b */'
    """
    safe = "".join(c if " " <= c <= "~" else "?" for c in words)
    return f"/* {safe.replace('*/', '* /')} */"
