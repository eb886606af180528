"""How a data file is to be read where its looks do not tell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from scrutable.data.frames.encodings import check_encoding
from scrutable.errors import InputError

Decimal = Literal[".", ","]
DateOrder = Literal["d/m/Y", "m/d/Y"]
Totals = Literal["drop", "keep"]
#: Texts that stand where nothing is known in any CSV file.
MISSING = ("", "NA", "NaN", "nan", "NULL", "null", "N/A", "n/a", "#N/A")
_DECIMALS: tuple[Decimal, ...] = (".", ",")
_ORDERS: tuple[DateOrder, ...] = ("d/m/Y", "m/d/Y")
_TOTALS: tuple[Totals, ...] = ("drop", "keep")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What `scrutable.data.frames.read_file` is told, checked; its docstring says what each means.

    >>> Reading.of(decimal=",", text=["zip"]).decimal
    ','
    """

    text: frozenset[str] = frozenset()
    silent: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    missing: frozenset[str] = frozenset()
    encoding: str | None = None
    decimal: Decimal | None = None
    dates: DateOrder | None = None
    separator: str | None = None
    header: int | None = None
    totals: Totals | None = None
    sheet: str | None = None
    database: str | None = None

    def __post_init__(self) -> None:
        if self.encoding is not None:
            check_encoding(self.encoding)
        if self.separator is not None and (len(self.separator) != 1 or self.separator in '"\r\n'):
            raise InputError(
                "a separator is one character",
                where="separator",
                got=self.separator,
                allowed="any character but a quote or a line end, such as ',' or ';'",
                fix="give the one character between two values, or leave it out to have it guessed",
            )
        if self.header is not None and self.header < 1:
            raise InputError("lines are counted from 1", where="header", got=self.header, fix="give 1 or more")
        if self.database is not None and not (_password(self.database) or "$").startswith("$"):
            raise InputError(
                "a password would be kept in configs and in the history of the shell",
                where="database",
                allowed="$NAME in its place, a variable of the environment",
                fix="write the password into the environment",
            )
        for name, allowed in (("decimal", _DECIMALS), ("dates", _ORDERS), ("totals", _TOTALS)):
            given = getattr(self, name)
            if given is not None and given not in allowed:
                told = " or ".join(map(repr, allowed))
                raise InputError(f"unknown {name}", where=name, got=given, allowed=told, fix="give one of these")
        if both := sorted(self.text & self.numbers):
            fix = "name it once"
            raise InputError("read as text and as numbers", where=f"column {both[0]!r}", fix=fix)

    @classmethod
    def of(
        cls,
        *,
        text: Iterable[str] = (),
        silent: Iterable[str] = (),
        numbers: Iterable[str] = (),
        missing: Iterable[str] = (),
        **further: Any,
    ) -> Reading:
        """A reading made from any lists of names; `further` are the other parameters as they are."""
        return cls(
            text=frozenset(text),
            silent=frozenset(silent),
            numbers=frozenset(numbers),
            missing=frozenset(missing),
            **further,
        )


def _password(url: str) -> str | None:
    try:
        return urlsplit(url).password
    except ValueError:  # what is no URL is told where it is used
        return None
