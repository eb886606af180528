"""Replay: an archive read again, its chain and digests checked, and its decisions made anew by archived models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from scrutable.data.frames import rows_like
from scrutable_records.chain import Head, altered
from scrutable_records.decided import OUTCOMES, Decider
from scrutable_records.differences import Difference, Differences
from scrutable_records.erasures import Erasure, Ranges
from scrutable_records.fields import INPUT, PERSONAL
from scrutable_records.outcomes import left_out, read_columns, unequal
from scrutable_records.packing import matrix, personal, sha256_of
from scrutable_records.parts import Block

Progress = Callable[[Iterable[Any], int], Iterable[Any]]
#: Records that are looked at together.
BLOCK = 65_536


class Rows(Protocol):
    """Records to replay, in the order of their numbers."""

    n_records: int

    def blocks(self, differences: Differences) -> Iterator[Block]:
        """The records, some at a time; what is wrong with their order or files is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """What a replay found.

    Parameters
    ----------
    head : of the archive, to be kept elsewhere.
    records : how many there are.
    decisions : how many of them are decisions.
    verified : how many decisions a model made anew, to the bit.
    erased : how many records had what is personal in them taken out, as other records tell.
    models : decisions by the fingerprint of their model.
    unknown : those that cannot be made anew, since their models are not there.
    differences : what differs, by the numbers of records.
    """

    head: Head
    records: int
    decisions: int
    verified: int
    erased: int
    models: Mapping[str, int]
    unknown: Mapping[str, int]
    differences: tuple[Difference, ...]
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """Whether nothing differs."""
        return not self.differences

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "passed": self.passed,
            "records": self.records,
            "decisions": self.decisions,
            "verified": self.verified,
            "erased": self.erased,
            "head": str(self.head),
            "models": dict(self.models),
            "unknown_models": dict(self.unknown),
            "counts": dict(self.counts),
            "differences": [each.to_dict() for each in self.differences],
        }

    def frame(self) -> Any:
        """A row for each difference."""
        return rows_like(each.to_dict() for each in self.differences)


def replay(
    rows: Rows,
    models: Mapping[str, Decider],
    *,
    heads: Sequence[Head] = (),
    progress: Progress = lambda blocks, _: blocks,
) -> Replayed:
    """Check records against their digests, and decisions against the models that made them.

    Parameters
    ----------
    rows : the records of an archive, or of a table that has them.
    models : by fingerprint.
    heads : of the archive as they were kept elsewhere: each record of such a number must have that digest.
    progress : gives the blocks as they come, of about how many there are.

    Returns
    -------
    what was seen; memory grows by the differences alone.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> from scrutable_records import Archive, StoredRecords, decider_of
    >>> model, archive = models_named()["stumps"], Archive(Path(tempfile.mkdtemp(), "decisions"))
    >>> _ = archive.append(model, {"age": [19.0, 40.0], "income": [1000.0, None]})
    >>> done = replay(StoredRecords(archive.folder), decider_of(model))
    >>> done.passed, done.verified
    (True, 2)
    """
    replaying = _Replaying(models, heads, rows.n_records)
    for block in progress(rows.blocks(replaying.differences), -(-rows.n_records // BLOCK)):
        replaying.look(block)
    return replaying.end()


class _Replaying:
    """What has been seen of an archive so far."""

    def __init__(self, models: Mapping[str, Decider], heads: Sequence[Head], n_records: int) -> None:
        self.differences = Differences()
        self._models, self._n_records = models, n_records
        self._heads = set(heads) - {Head()}  # which every archive begins with
        self._last = Head()
        self._last_is_named = False
        self._records = self._decisions = self._verified = 0
        self._erased, self._erasures = Ranges(), list[Erasure]()
        self._by_model, self._unknown = Counter[str](), Counter[str]()

    def look(self, block: Block) -> None:
        """Check some records."""
        columns = block.columns
        numbers = columns["record"].to_numpy()
        wrong = altered(columns)
        self.differences.add("altered", numbers[wrong].tolist())
        self._check_links(columns, numbers, wrong)
        self._check_heads(columns, numbers)
        self._read_events(columns)
        whole = np.asarray(columns["salt"].is_valid())
        gone = ~whole & np.asarray(columns["personal_sha256"].is_valid())
        self._erased.add(numbers[gone].tolist())
        self._check_personal(block, numbers, whole)
        self._check_gone(block, numbers, gone)
        self._records += len(numbers)
        self._decide(block, numbers, whole)

    def end(self) -> Replayed:
        """What was seen in all."""
        told = [each for erasure in self._erasures for each in erasure.records]
        untold = Ranges(list(self._erased.without(told)))
        for first, last in untold.ranges:
            self.differences.add_range("taken out", first, last)
        self.differences.add("head", sorted({head.record for head in self._heads}))
        return Replayed(
            head=self._last,
            records=self._records,
            decisions=self._decisions,
            verified=self._verified,
            erased=self._erased.count - untold.count,
            models=dict(self._by_model),
            unknown={name: count for name, count in self._unknown.items() if count},
            differences=tuple(self.differences),
            counts=self.differences.counts(),
        )

    def _check_links(self, columns: Mapping[str, Any], numbers: Any, wrong: Any) -> None:
        """Name pairs of records that do not follow each other, though each of them is what its digest says."""
        before, own = matrix(columns["previous_sha256"]), matrix(columns["sha256"])
        follows = np.append(numbers[:1] == self._last.record + 1, np.diff(numbers) == 1)
        last = np.frombuffer(self._last.digest, dtype=np.uint8)
        links = (before == np.vstack([last[None, :], own[:-1]])).all(axis=1)
        named = wrong | np.append(self._last_is_named, wrong[:-1])
        named[1:] |= np.append(False, np.diff(numbers) == 0)[:-1]  # the one before stands twice, which is told
        if self._records == 0 and numbers[0] != 1:
            follows[0] = False  # rows that begin later, of which nobody has the one before
        for place in np.flatnonzero(follows & ~links & ~named).tolist():
            self.differences.add_range("chain", max(int(numbers[place]) - 1, 1), int(numbers[place]))
        self._last = Head(int(numbers[-1]), own[-1].tobytes())
        self._last_is_named = bool(wrong[-1])

    def _check_heads(self, columns: Mapping[str, Any], numbers: Any) -> None:
        """Compare what was kept elsewhere; what remains in the end has no record."""
        if not self._heads:
            return
        own = matrix(columns["sha256"])
        for head in [each for each in self._heads if numbers[0] <= each.record <= numbers[-1]]:
            if any(own[place].tobytes() == head.digest for place in np.flatnonzero(numbers == head.record)):
                self._heads.remove(head)

    def _read_events(self, columns: Mapping[str, Any]) -> None:
        if columns["event"].null_count < len(columns["event"]):
            read = (Erasure.read(text) for text in columns["event"].to_pylist() if text is not None)
            self._erasures += [each for each in read if each is not None]

    def _check_personal(self, block: Block, numbers: Any, whole: Any) -> None:
        for inputs, rows in block.groups(whole):
            columns = block.taken(rows, inputs)
            of_rows = numbers[rows]
            stored = columns["personal_sha256"].to_pylist()
            differing = [own != kept for own, kept in zip(sha256_of(personal(columns, inputs)), stored, strict=True)]
            self.differences.add("personal", of_rows[np.array(differing, dtype=bool)].tolist())

    def _check_gone(self, block: Block, numbers: Any, gone: Any) -> None:
        """Name records in which something personal stands, though they have lost what it would be checked by."""
        for inputs, rows in block.groups(gone):
            columns = block.taken(rows, inputs)
            there = np.any([columns[name].is_valid() for name in (*PERSONAL, *inputs)], axis=0)
            self.differences.add("personal", numbers[rows[there]].tolist())

    def _decide(self, block: Block, numbers: Any, whole: Any) -> None:
        """Make the decisions of some records anew."""
        by_model = block.by_model()
        for model, rows in by_model.items():
            self._by_model[model] += len(rows)
            self._decisions += len(rows)
            decider = self._models.get(model)
            if decider is None:
                lost = rows[whole[rows]]  # what was erased is not made anew in any case
                self._unknown[model] += len(lost)
                self.differences.add("model", numbers[lost].tolist())
                continue
            with_inputs = np.zeros(len(numbers), dtype=bool)
            with_inputs[rows] = True
            for inputs, some in block.groups(whole & with_inputs):
                self._compare(decider, block, inputs, some, numbers[some])

    def _compare(self, decider: Decider, block: Block, inputs: list[str], rows: Any, numbers: Any) -> None:
        columns = block.taken(rows, inputs)
        read = read_columns(columns, [(feature.name, feature.kind) for feature in decider.model.features], INPUT)
        if read is None:
            self.differences.add("incomplete", numbers.tolist())
            return
        anew = decider(read, len(numbers), self._n_records)
        differs = np.zeros(len(numbers), dtype=bool)
        for name in OUTCOMES:
            unlike = unequal(columns[name], anew[name])
            if name == "reasons" and unlike is not None and "approved" in decider.results:
                unlike &= ~left_out(columns)
            if unlike is not None:
                differs |= unlike
                self.differences.add(name, numbers[unlike].tolist())
        self._verified += int(len(numbers) - differs.sum())
