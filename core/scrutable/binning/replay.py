"""Edits of bins, one after the other, and the audit trail that they leave."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Generic

from scrutable.binning.bins import Bins, edited
from scrutable.binning.counting import Counter, D, E, T
from scrutable.binning.edits import BinEdit, numbered
from scrutable.errors import InputError, did_you_mean


class Replay(Generic[D, T, E]):
    """Bins and tables of all features, as edits change them.

    Parameters
    ----------
    counters : what counts each feature.
    bins : what the edits start from.
    pool : whether a trend merges neighbours that go against it.

    Attributes
    ----------
    audit : an entry for each edit.
    """

    def __init__(
        self, counters: Mapping[str, Counter[D, T, E]], bins: Mapping[str, Bins], *, pool: bool = True
    ) -> None:
        self.counters: dict[str, Counter[D, T, E]] = dict(counters)
        self.bins, self.pool = dict(bins), pool
        self.audit: list[E] = []
        self._tables: dict[str, T] = {}

    def table(self, feature: str) -> T:
        """The present table of a feature."""
        if feature not in self._tables:
            self._tables[feature] = self.counters[feature].table(self.bins[feature])
        return self._tables[feature]

    def after(self, edit: BinEdit) -> tuple[Bins, T]:
        """What an edit would make of its feature.

        Raises
        ------
        InputError : an unknown column, or an edit that does not fit its present bins.
        """
        if edit.feature not in self.counters:
            fix = did_you_mean(edit.feature, self.counters)
            raise InputError("unknown column", where=edit.action, got=edit.feature, fix=fix)
        counter = self.counters[edit.feature]
        bins = edited(self.bins[edit.feature], edit, counter.sample, pool=self.pool)
        return bins, counter.table(bins)

    def copy(self) -> Replay[D, T, E]:
        """Another one at the same place."""
        made: Replay[D, T, E] = Replay(self.counters, self.bins, pool=self.pool)
        made.audit, made._tables = list(self.audit), dict(self._tables)
        return made

    def apply(self, edit: BinEdit) -> tuple[Bins, T]:
        """Edit the bins of a feature, and set it down; an edit that is refused changes nothing.

        Returns
        -------
        bins and table of the feature before, for `put_back`.
        """
        bins, table = self.after(edit)
        before = self.bins[edit.feature], self.table(edit.feature)
        self.audit.append(self.counters[edit.feature].record(edit, before[1], table))
        self.bins[edit.feature], self._tables[edit.feature] = bins, table
        return before

    def apply_all(self, edits: Iterable[BinEdit], *, but: Collection[str] = ()) -> None:
        """Several edits, but not those of some features; an error says which one is at fault, counted from 1."""
        for position, edit in enumerate(edits, 1):
            if edit.feature in but:
                continue
            try:
                self.apply(edit)
            except InputError as error:
                raise numbered(error, position) from None

    def put_back(self, feature: str, bins: Bins, table: T) -> None:
        """Take back the last edit, which was of this feature: what there was before it."""
        self.bins[feature], self._tables[feature] = bins, table
        self.audit.pop()
