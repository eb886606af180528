"""The codes that fall short most: each shortfall is an integer that also tells its code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from scrutable.errors import UnsupportedModel
from scrutable.model import LIMIT
from scrutable.model.program import Choice, Points, Program, Ref, Sum
from scrutable_sql.dialects import Dialect
from scrutable_sql.query import Branch, Case, Rung
from scrutable_sql.quoting import comment, number

#: Keys are integers of 64 bits.
_GREATEST_KEY = 2**63 - 1
#: The places after the point that all numbers of a model have.
_PLACES = 2**30


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """Integers that stand for shortfalls.

    The key of a shortfall is the shortfall in units of 1 / `scale`, which is an integer, times `factor`, plus the place
    of its code counted from the end of the order; it is 0 where nothing falls short. A greater key is a greater
    shortfall or, where those are equal, the earlier code. Two codes never share a key, and a key tells both its
    shortfall and its code.

    Parameters
    ----------
    scale, factor : powers of two.
    """

    scale: int
    factor: int

    @classmethod
    def of(cls, n_codes: int, scale: int, largest: float) -> Self:
        """Keys of so many codes.

        Parameters
        ----------
        scale : shortfalls are multiples of 1 / `scale`.
        largest : no shortfall is larger.

        Raises
        ------
        UnsupportedModel : there are too many codes for keys of 64 bits.
        """
        factor = 2 ** n_codes.bit_length()
        if (int(largest * scale) + 1) * factor > _GREATEST_KEY:
            raise UnsupportedModel(
                "more reason codes than an integer of 64 bits can tell beside the points short",
                where="reason policy",
                got=n_codes,
                allowed=f"at most {_GREATEST_KEY // (int(largest * scale) + 1)}",
                fix="let features share codes, or round the points",
            )
        return cls(scale=scale, factor=factor)

    @classmethod
    def ranking(cls, program: Program, codes: Sequence[Sequence[Ref]]) -> Self:
        """Keys of codes, from the nodes of their numbers."""
        bounds = [_bounds(program, ref) for refs_of_code in codes for ref in refs_of_code]
        scale, largest = max((scale for scale, _ in bounds), default=1), max((most for _, most in bounds), default=0.0)
        return cls.of(len(codes), scale, largest)

    @property
    def words(self) -> str:
        """How to read the keys."""
        units = "" if self.scale == 1 else f"{self.scale} times "
        return f"{self.factor} times {units}what falls short, plus the number of the reason; 0 if nothing does"

    def key(self, short: float, place: int) -> int:
        """The key of a shortfall that is known."""
        return int(short * self.scale) * self.factor + place if short > 0 else 0

    def branches(self, values: Sequence[float], place: int) -> list[Branch]:
        """The keys of a table of shortfalls."""
        notes = [comment(f"{value!r} short") if value > 0 else "" for value in values]
        return [Branch(str(self.key(value, place)), note) for value, note in zip(values, notes, strict=True)]

    def key_of(self, short: str, place: int, d: Dialect) -> Case:
        """The key of a shortfall that is a column."""
        return Case((Rung(f"{short} > 0", self._key(short, place, d)),), "0")

    def key_below(self, start: float, points: str, place: int, d: Dialect) -> Case:
        """The key of what a column of points is below a number."""
        short = f"({number(start, d)} - {points})"
        return Case((Rung(f"{points} < {number(start, d, compared=True)}", self._key(short, place, d)),), "0")

    def _key(self, short: str, place: int, d: Dialect) -> str:
        units = short if self.scale == 1 else f"{short} * {self.scale}"
        return f"CAST({units} AS {d.integer}) * {self.factor} + {place}"

    def short(self, best: str, place: str, d: Dialect) -> Case:
        """The shortfall of a key, whose code's place is a column; the division is by a power of two, so exact."""
        units = f"CAST({best} - {place} AS {d.double})"
        return Case((Rung(f"{best} > 0", f"{units} / {number(self.factor * self.scale, d)}"),))


def _bounds(program: Program, ref: Ref) -> tuple[int, float]:
    """The denominator of a number's values, a power of two, and what none is larger than."""
    match program[ref]:
        case Points(_, values):
            return max(_denominator(value) for value in values), max(values)
        case Sum(start, of):
            bounds = [_bounds(program, each) for each in of]
            return max([_denominator(start), *(scale for scale, _ in bounds)]), start + sum(most for _, most in bounds)
        case Choice(_, of):
            bounds = [_bounds(program, each) for each in of if each is not None]
            return max(scale for scale, _ in bounds), max(most for _, most in bounds)
        case _:
            return _PLACES, LIMIT


def _denominator(value: float) -> int:
    return value.as_integer_ratio()[1]
