"""Exactly the part of SAS that the exporter writes, by the rules that SAS documents; anything else is an error.

An operator or a word of statements is never the bare name of a variable, and a line that SAS might cut off is an error.
Missing numbers are None, or a `SpecialMissing` such as .A, and lie below all numbers. Missing texts are blank: texts
are padded with blanks, so that blanks at the end count for nothing. Names ignore case.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_TOKEN = re.compile(
    r"\s+|/\*.*?\*/"
    r"|(?P<string>'(?:[^']|'')*')(?P<literal>n(?![A-Za-z0-9_]))?"
    r"|(?P<number>\d+(?:\.\d+)?)"
    r"|(?P<informat>hex16\.)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<symbol><=|>=|[-+*/=<>();,$.])",
    re.DOTALL,
)
#: No bare names of variables: words of statements, and operators, of which SAS has these whether or not they are used.
_STATEMENTS = {"if", "then", "else", "do", "end", "drop", "run", "length", "data", "set", "options"}
_OPERATORS = {"and", "or", "not", "in", "notin", "eq", "ne", "gt", "lt", "ge", "le", "min", "max", "of", "xor"}
_WORDS = _STATEMENTS | _OPERATORS | {"eqt", "net", "gtt", "ltt", "get", "let"}
#: What SAS reads of a line of a batch file, unless it is told otherwise (LRECL=, SAS Usage Note 15883).
LONGEST_LINE = 256


@dataclass(frozen=True)
class SpecialMissing:
    """.A to .Z and ._"""

    letter: str


@dataclass(frozen=True)
class Token:
    kind: str
    value: str


def run(source: str, rows: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The data set that the step makes of rows, names in lower case."""
    assert max(map(len, source.splitlines())) <= LONGEST_LINE
    program = [*tokens(source), Token("end", "")]
    return [Step(program, row).run() for row in rows]


def tokens(source: str) -> Iterator[Token]:
    """The words of a program, without blanks and comments."""
    at = 0
    while at < len(source):
        found = _TOKEN.match(source, at)
        assert found, f"not in the subset: {source[at : at + 40]!r}"
        at = found.end()
        kind = found.lastgroup
        if kind in ("string", "literal"):
            text = found["string"][1:-1].replace("''", "'")
            assert len(text) <= (32 if found["literal"] else 262)
            yield Token("literal", text.lower()) if found["literal"] else Token("string", text)
        elif kind is not None:
            yield Token(kind, found[kind].lower())


class Step:
    """One pass of the DATA step over one row; statements are run as they are read."""

    def __init__(self, program: list[Token], row: Mapping[str, Any]) -> None:
        self._tokens = program
        self._at = 0
        self._row = {name.lower(): value for name, value in row.items()}
        assert len(self._row) == len(row)
        self._lengths: dict[str, int] = {}
        self._dropped: set[str] = set()

    def run(self) -> dict[str, Any]:
        if self._peek() == "options":
            for word in ("options", "validvarname", "=", "any", ";"):
                self._take(word)
        self._table("data")
        self._table("set")
        while self._peek() != "run":
            self._statement(True)
        for word in ("run", ";", ""):
            self._take(word)
        return {name: value for name, value in self._row.items() if name not in self._dropped}

    def _table(self, word: str) -> None:
        self._take(word)
        self._next()
        if self._peek() == ".":
            self._take(".")
            self._next()
        self._take(";")

    def _statement(self, runs: bool) -> None:
        word = self._peek()
        if word == "do":
            self._take("do")
            self._take(";")
            while self._peek() != "end":
                self._statement(runs)
            self._take("end")
            self._take(";")
        elif word == "if":
            self._conditional(runs)
        elif word == "length":
            self._length()
        elif word == "drop":
            self._take("drop")
            while self._peek() != ";":
                self._dropped.add(self._next().value)
            self._take(";")
        else:
            self._assignment(runs)

    def _conditional(self, runs: bool) -> None:
        self._take("if")
        holds = bool(self._any_of())
        self._take("then")
        self._statement(runs and holds)
        if self._peek() == "else":
            self._take("else")
            self._statement(runs and not holds)

    def _length(self) -> None:
        self._take("length")
        names = []
        while self._peek() != "$":
            names.append(self._next().value)
        self._take("$")
        self._lengths |= dict.fromkeys(names, int(self._next().value))
        self._row |= dict.fromkeys(names, "")
        self._take(";")

    def _assignment(self, runs: bool) -> None:
        name = self._next()
        assert name.kind == "literal" or (name.kind == "name" and name.value not in _WORDS), name
        self._take("=")
        value = self._comparison()
        self._take(";")
        if runs:
            if isinstance(value, str):
                value = value.encode()[: self._lengths[name.value]].decode().rstrip(" ")
            self._row[name.value] = value

    def _any_of(self) -> Any:
        found = self._all_of()
        while self._peek() == "or":
            self._take("or")
            found = float(bool(self._all_of()) or bool(found))
        return found

    def _all_of(self) -> Any:
        found = self._negated()
        while self._peek() == "and":
            self._take("and")
            found = float(bool(self._negated()) and bool(found))
        return found

    def _negated(self) -> Any:
        if self._peek() == "not":
            self._take("not")
            return float(not self._negated())
        return self._comparison()

    def _comparison(self) -> Any:
        left = self._sum()
        if self._peek() in ("=", "<", ">", "<=", ">="):
            symbol = self._next().value
            a, b = _ordered(left), _ordered(self._sum())
            assert a[0] == b[0], "texts and numbers do not compare"
            order = {"=": a == b, "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}
            return float(order[symbol])
        return left

    def _sum(self) -> Any:
        found = self._product()
        while self._peek() in ("+", "-"):
            symbol = self._next().value
            other = self._product()
            found = None if _missing(found) or _missing(other) else found + other if symbol == "+" else found - other
        return found

    def _product(self) -> Any:
        found = self._signed()
        while self._peek() in ("*", "/"):
            symbol = self._next().value
            other = self._signed()
            found = None if _missing(found) or _missing(other) else found * other if symbol == "*" else found / other
        return found

    def _signed(self) -> Any:
        if self._peek() == "-":
            self._take("-")
            return -self._signed()
        return self._primary()

    def _primary(self) -> Any:
        token = self._next()
        if token.kind == "number":
            return float(token.value)
        if token.kind == "string":
            return token.value.rstrip(" ")
        if token.value == ".":
            return None
        if token.value == "(":
            found = self._any_of()
            self._take(")")
            return found
        assert token.kind in ("literal", "name"), token
        if token.kind == "name" and self._peek() == "(":
            return self._call(token.value)
        assert token.kind == "literal" or token.value not in _WORDS, token
        # a variable that a skipped statement would read may not be there yet
        return self._row.get(token.value)

    def _call(self, function: str) -> Any:
        self._take("(")
        if function == "input":
            digits = self._next()
            self._take(",")
            assert self._next().kind == "informat"
            self._take(")")
            assert re.fullmatch("[0-9A-F]{16}", digits.value)
            return struct.unpack(">d", bytes.fromhex(digits.value))[0]
        arguments = [self._comparison()]
        while self._peek() == ",":
            self._take(",")
            arguments.append(self._comparison())
        self._take(")")
        if function == "missing":
            return float(_missing(arguments[0]) or arguments[0] == "")
        present = [value for value in arguments if not _missing(value)]
        if function in ("max", "min"):
            return (max if function == "max" else min)(present, default=None)
        assert function == "exp", function
        return math.exp(present[0]) if present else None

    def _peek(self) -> str:
        token = self._tokens[self._at]
        return "" if token.kind in ("literal", "string") else token.value

    def _next(self) -> Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def _take(self, word: str) -> None:
        token = self._next()
        assert token.value == word, f"{token} instead of {word!r}"


def _missing(value: Any) -> bool:
    return value is None or isinstance(value, SpecialMissing)


def _ordered(value: Any) -> tuple[str, Any]:
    if isinstance(value, str):
        return "text", value.rstrip(" ")
    if _missing(value):
        letter = value.letter if isinstance(value, SpecialMissing) else ""
        return "number", (0, ["_", "", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ"].index(letter))
    return "number", (1, value)
