"""The codes that fall short most, for models of every kind: each shortfall an integer that also tells its code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from scrutable.errors import UnsupportedModel
from scrutable.model import ReasonPolicy
from scrutable_sql.common import Result
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Call, Case, Column, Rung, Step, greatest
from scrutable_sql.quoting import comment, literal, number

#: Keys are integers of 64 bits.
_GREATEST_KEY = 2**63 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The columns that find and tell the first k reasons.

    The key of a shortfall is the shortfall in units of 1 / `scale`, which is an integer, times `factor`, plus the place
    of its code counted from the end of the policy's order; it is 0 where nothing falls short. A greater key is a
    greater shortfall or, where those are equal, the earlier code. Two codes never share a key, and a key tells both its
    shortfall and its code.

    Parameters
    ----------
    texts : of the codes that can fall short, in the policy's order.
    k : how many reasons.
    scale, factor : powers of two.
    cutoff : score from which a knock-out stands alone; None for a model without knock-outs.
    about : what a shortfall is, in words.
    """

    texts: Mapping[str, str]
    k: int
    scale: int
    factor: int
    cutoff: float | None
    about: str
    options: SQLOptions

    @classmethod
    def of(
        cls,
        policy: ReasonPolicy,
        codes: Iterable[str],
        numbers: Iterable[float],
        largest: float,
        *,
        k: int,
        cutoff: float | None,
        about: str,
        options: SQLOptions,
    ) -> Self:
        """A ranking of codes.

        Parameters
        ----------
        codes : those that can fall short, in the policy's order.
        numbers : whose sums and differences all shortfalls are.
        largest : no shortfall is larger.

        Raises
        ------
        UnsupportedModel : there are too many codes for keys of 64 bits.
        """
        texts = {code: policy.texts[code] for code in codes}
        scale = max((value.as_integer_ratio()[1] for value in numbers), default=1)
        factor = 2 ** len(texts).bit_length()
        if (int(largest * scale) + 1) * factor > _GREATEST_KEY:
            raise UnsupportedModel(
                "more reason codes than an integer of 64 bits can tell beside the points short",
                where="reason policy",
                got=len(texts),
                allowed=f"at most {_GREATEST_KEY // (int(largest * scale) + 1)}",
                fix="let features share codes, or round the points",
            )
        return cls(texts=texts, k=k, scale=scale, factor=factor, cutoff=cutoff, about=about, options=options)

    @classmethod
    def none(cls, options: SQLOptions) -> Self:
        """No reasons, no columns."""
        return cls(texts={}, k=0, scale=1, factor=1, cutoff=None, about="", options=options)

    @property
    def words(self) -> str:
        """How to read the keys."""
        if not self.texts:
            return ""
        units = "" if self.scale == 1 else f"{self.scale} times "
        told = f"{self.factor} times {units}the {self.about}, plus the number of the reason; 0 if there are none"
        return f"; key_N: {told}"

    def place(self, code: str) -> int:
        """The number of a code."""
        return len(self.texts) - list(self.texts).index(code)

    def key(self, short: float, code: str) -> int:
        """The key of a shortfall that is known."""
        return int(short * self.scale) * self.factor + self.place(code) if short > 0 else 0

    def key_of(self, short: str, code: str) -> Case:
        """The key of a shortfall that is a column or in brackets."""
        units = short if self.scale == 1 else f"{short} * {self.scale}"
        key = f"CAST({units} AS {self.options.target.integer}) * {self.factor} + {self.place(code)}"
        return Case((Rung(f"{short} > 0", key),), "0")

    def steps(self, first: Step, keys: Mapping[str, str]) -> list[Step]:
        """The greatest key, again and again the greatest of those below it, each after the one before, and their codes.

        Parameters
        ----------
        first : the step that the greatest key of all is added to.
        keys : the column of each code's key.
        """
        best = self._best(list(keys.values()))
        return [
            Step(first.name, first.about, (*first.columns, *best[:1])),
            *(Step(f"reason_{place}", "the next reason", (column,)) for place, column in enumerate(best[1:], 2)),
            Step("places", "which codes those are", tuple(self._places())),
        ]

    def results(self) -> list[Result]:
        """The codes of the greatest keys and by how much each falls short, after the knock-out if there is one.

        They are read after the columns `score` and `knock_out`.
        """
        places = range(1, self.k + 1)
        codes = [
            Result(f"reason_{place}", self._reason(place), f"code of reason {place}, the weightiest being 1")
            for place in places
        ]
        shorts = [
            Result(f"short_{place}", self._short(place), f"{self.about} of reason {place}; NULL for a knock-out")
            for place in places
            if self.options.shortfalls
        ]
        return codes + shorts

    def greatest(self, terms: Sequence[str]) -> str | Call:
        """The greatest of one or more keys or shortfalls."""
        return greatest(terms, self.options.target.greatest)

    def _best(self, columns: list[str]) -> list[Column]:
        terms, best = columns, []
        for place in range(1, self._count + 1):
            note = "what falls short most" + (", of what is left" if place > 1 else "")
            best.append(Column(self.greatest(terms), f"best_{place}", note=note))
            terms = [f"CASE WHEN {column} < best_{place} THEN {column} ELSE 0 END" for column in columns]
        return best

    def _places(self) -> list[Column]:
        """In columns since a remainder is slow to work out at every WHEN."""
        remainder = self.options.target.remainder
        return [
            Column(remainder.format(f"best_{place}", self.factor), f"place_{place}")
            for place in range(1, self._count + 1)
        ]

    def _reason(self, place: int) -> Case:
        ranked = self._ranked(place)
        if self.cutoff is None:
            return ranked
        if place == 1:
            return Case((Rung("knock_out IS NOT NULL", "knock_out"), *ranked.rungs))
        return self._after(ranked, self._ranked(place - 1), self.cutoff)

    def _short(self, place: int) -> Case:
        ranked = self._far(place)
        if self.cutoff is None:
            return ranked
        if place == 1:
            return Case((Rung("knock_out IS NULL", ranked),))
        return self._after(ranked, self._far(place - 1), self.cutoff)

    def _after(self, ranked: Case, before: Case, cutoff: float) -> Case:
        """A knock-out moves the others on by one, or stands alone where the score reaches the cutoff."""
        fails = f"score < {number(cutoff, self.options.target, compared=True)}"
        return Case((Rung("knock_out IS NULL", ranked), Rung(fails, before)))

    def _ranked(self, place: int) -> Case:
        """The code of the greatest key at a place, its number being the key's remainder."""
        if place > self._count:
            return _NO_TEXT
        d = self.options.target
        return Case(
            tuple(
                Rung(f"place_{place} = {self.place(code)}", literal(code, d), comment(text))
                for code, text in self.texts.items()
            )
        )

    def _far(self, place: int) -> Case:
        """The shortfall of the greatest key at a place, in points; the division is by a power of two, so exact."""
        d = self.options.target
        if place > self._count:
            return Case((Rung("1 = 0", f"CAST(0 AS {d.double})"),))
        units = f"CAST(best_{place} - place_{place} AS {d.double})"
        return Case((Rung(f"best_{place} > 0", f"{units} / {number(self.factor * self.scale, d)}"),))

    @property
    def _count(self) -> int:
        """The most reasons that an applicant can have."""
        return min(self.k, len(self.texts))


#: NULL, of the type of a text.
_NO_TEXT = Case((Rung("1 = 0", "''"),))
