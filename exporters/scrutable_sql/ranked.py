"""Which code has a rank, as SQL: by keys that are compared, or by the lowest bit of those that are left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrutable_sql import query
from scrutable_sql.dialects import Dialect
from scrutable_sql.ladders import distinct, searched
from scrutable_sql.packing import Packed
from scrutable_sql.query import Branch, Case
from scrutable_sql.quoting import number
from scrutable_sql.ranking import Keys


@dataclass(frozen=True, slots=True)
class ByKey:
    """The columns of the greatest key, and of its code's place counted from the end."""

    best: str
    place: str
    keys: Keys
    d: Dialect

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns that tell it."""
        return self.best, self.place

    def chosen(self, branches: Sequence[Branch]) -> str | Case:
        """The branch of the code; the last one is that of none."""
        last = len(branches) - 1
        rungs = [branch.under(f"{self.place} = {last - code}") for code, branch in enumerate(branches[:-1])]
        return query.case(rungs, branches[-1]).then

    def short(self) -> str | Case:
        """How far it falls short."""
        return self.keys.short(self.best, self.place, self.d)


@dataclass(frozen=True, slots=True)
class ByBit:
    """The column of the bits that are left and, where the dialect has no lists, the one of the lowest of them."""

    rest: str
    lowest: str
    packed: Packed
    d: Dialect

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns that tell it."""
        return (self.lowest or self.rest,)

    def chosen(self, branches: Sequence[Branch]) -> str | Case:
        """The branch of the code; the last one is that of none."""
        return self._of_bits([branches[bit.code] for bit in self.packed.bits], branches[-1])

    def short(self) -> str | Case:
        """How far it falls short."""
        written = [f"CAST({number(bit.by, self.d)} AS {self.d.double})" for bit in self.packed.bits]
        return self._of_bits([Branch(text) for text in written], Branch("NULL"))

    def _of_bits(self, branches: Sequence[Branch], none: Branch) -> str | Case:
        texts = [branch.then for branch in branches if isinstance(branch.then, str)]
        if self.lowest or len(texts) < len(branches):
            place = self.lowest or self.rest
            rungs = distinct([branch.under(f"{place} < {2 << bit}") for bit, branch in enumerate(branches)])
            of_bit = searched(rungs) if len(rungs) > 1 else rungs[0].then
            return Case((none.under(f"{place} = 0"),), of_bit, rungs[0].note if len(rungs) == 1 else "")
        assert self.d.bits is not None
        item = self.d.bits.item.format(items=", ".join(texts), bits=self.rest)
        return item if none.then == "NULL" else Case((none.under(f"{self.rest} = 0"),), item)
