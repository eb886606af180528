"""How a CSV file is to be read where its looks do not tell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from scrutable.data.frames.encodings import check_encoding
from scrutable.errors import InputError

Decimal = Literal[".", ","]
DateOrder = Literal["d/m/Y", "m/d/Y"]
#: Texts that stand where nothing is known in any CSV file.
MISSING = ("", "NA", "NaN", "nan", "NULL", "null", "N/A", "n/a", "#N/A")
_DECIMALS: tuple[Decimal, ...] = (".", ",")
_ORDERS: tuple[DateOrder, ...] = ("d/m/Y", "m/d/Y")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What `scrutable.data.frames.read_file` is told, checked; its docstring says what each means.

    >>> Reading.of(decimal=",", text=["zip"])
    Reading(text=frozenset({'zip'}), numbers=frozenset(), missing=frozenset(), encoding=None, decimal=',', dates=None)
    """

    text: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    missing: frozenset[str] = frozenset()
    encoding: str | None = None
    decimal: Decimal | None = None
    dates: DateOrder | None = None

    def __post_init__(self) -> None:
        if self.encoding is not None:
            check_encoding(self.encoding)
        for name, allowed in (("decimal", _DECIMALS), ("dates", _ORDERS)):
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
        numbers: Iterable[str] = (),
        missing: Iterable[str] = (),
        encoding: str | None = None,
        decimal: Decimal | None = None,
        dates: DateOrder | None = None,
    ) -> Reading:
        """A reading made from any lists of names."""
        lists = {"text": frozenset(text), "numbers": frozenset(numbers), "missing": frozenset(missing)}
        return cls(**lists, encoding=encoding, decimal=decimal, dates=dates)
