"""What is personal taken out of records: inputs, ids, notices and reasons of manual decisions; their digests stay."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from scrutable.data.frames import rows_like
from scrutable.errors import InputError
from scrutable.writing import check_target, numbers_array, written_together
from scrutable_records.archive import ROWS, Archive
from scrutable_records.chain import Head
from scrutable_records.erasures import Erasure, Ranges
from scrutable_records.fields import PERSONAL
from scrutable_records.manifest import held_manifest
from scrutable_records.parts import Block, PartFile, add_parts, part_writer, write_rows
from scrutable_records.said import event
from scrutable_records.texts import time_text

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """What was erased.

    Parameters
    ----------
    records : their numbers, as ranges.
    head : of the archive from now on.
    unknown_ids : how many of the ids that were given no record has, or none any more: they may be mistaken.
    """

    records: tuple[tuple[int, int], ...]
    head: Head
    unknown_ids: int = 0

    @property
    def count(self) -> int:
        """How many records."""
        return Ranges(list(self.records)).count

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        records = [list(each) for each in self.records]
        return {"erased": self.count, "records": records, "unknown_ids": self.unknown_ids, "head": str(self.head)}

    def frame(self) -> Any:
        """A row for each range of records."""
        return rows_like({"first": first, "last": last} for first, last in self.records)


@dataclass(frozen=True, slots=True, kw_only=True)
class Which:
    """Which records: those of some numbers or of some ids, or those from before a time; and all that are about them.

    Parameters
    ----------
    records : numbers.
    ids : the caller's own names of decisions.
    before : a date or a time of ISO 8601; records of that time stay.

    Raises
    ------
    InputError : none of the three is given.
    """

    records: tuple[int, ...] = ()
    ids: tuple[str, ...] = ()
    before: str | datetime | None = None

    def __post_init__(self) -> None:
        if not self.records and not self.ids and self.before is None:
            fix = "give numbers of records, ids, or a date"
            raise InputError("nothing says which records", where="erasure", fix=fix)

    def rows(self, file: PartFile, chosen: NDArray[np.int64]) -> NDArray[np.bool_]:
        """(n,) the rows of a part that are chosen, and not erased yet.

        Parameters
        ----------
        chosen : the numbers of records that were chosen before, which further ones may be about.
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        wanted = np.isin(file.numbers(), self.records)
        about = file.column("about")
        if about.null_count < len(about):
            of_any = np.isin(pc.fill_null(about, 0).to_numpy(), np.concatenate([chosen, self.records]))
            wanted |= of_any
        if self.ids:
            wanted |= _truths(pc.is_in(file.column("id"), value_set=pa.array(self.ids)))
        if self.before is not None:
            limit = time_text(self.before, "before")
            wanted |= _truths(pc.less(file.column("occurred_at"), limit)) & _truths(pc.is_null(file.column("event")))
        return wanted & _truths(pc.is_valid(file.column("salt")))


def erase(archive: Archive, which: Which, *, by: str, why: str) -> Erased:
    """Take out what is personal in some records, and add a record that tells which, who asked for it and why.

    The digests stay, so that the chain can be checked as before. They tell nothing of what was taken out, since the
    random bytes that went into them are taken out, too. Scores, decisions and reasons stay, of nobody.

    Parameters
    ----------
    by : who erases.
    why : on what ground; it stays in the archive, so name no person.

    Raises
    ------
    InputError : a number that no record has, ids of which none is there, no ground, or a part that cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> archive = Archive(Path(tempfile.mkdtemp(), "decisions"))
    >>> _ = archive.append(models_named()["stumps"], {"age": [19.0, 40.0], "income": [1000.0, None]})
    >>> erase(archive, Which(records=(2,)), by="records office", why="request 17").records
    ((2, 2),)
    """
    for name, text in (("by", by), ("why", why)):
        _check_said(name, text)
    with held_manifest(archive.folder) as manifest, written_together(overwrite=True) as files:
        _check_numbers(which.records, manifest.head)
        ranges, chosen, unknown = Ranges(), np.array([], dtype=np.int64), set(which.ids)
        for part in manifest.parts:
            file = PartFile(archive.folder / part.file)
            unknown = _without_those_of(file, unknown)
            rows = which.rows(file, chosen)
            if rows.any():
                numbers = file.numbers()[rows]
                chosen = np.concatenate([chosen, numbers])
                ranges.add(sorted(numbers.tolist()))
                with files.new(check_target(file.path, overwrite=True)) as handle:
                    _copy(file, rows, handle)
        _check_present(which, len(chosen))
        if not len(chosen):
            return Erased(records=(), head=manifest.head)
        told = Erasure(tuple(ranges.ranges), by, why)
        further = Block(event(told.text(), time_text(datetime.now(UTC), "time")), [])
        head = add_parts(files, archive.folder, manifest, iter([further]))
        return Erased(records=told.records, head=head, unknown_ids=len(unknown))


def _check_said(name: str, text: str) -> None:
    if not text.strip() or not text.isprintable():
        raise InputError("an erasure needs who and why", where=name, got=text, allowed="a line of text", fix="say it")


def _check_numbers(records: tuple[int, ...], head: Head) -> None:
    """Refuse numbers that no record has, also beside others: whoever gave them meant somebody."""
    for number in records:
        if not head.reaches(number):
            fix = "give the numbers that `append` gave"
            raise InputError(
                "not the number of a record", where="erasure", got=number, allowed=f"1 to {head.record:,}", fix=fix
            )


def _without_those_of(file: PartFile, ids: set[str]) -> set[str]:
    """Those of some ids that no record of a part has."""
    if not ids:
        return ids
    import pyarrow as pa
    import pyarrow.compute as pc

    there = file.column("id")
    return ids - set(there.filter(pc.is_in(there, value_set=pa.array(list(ids), pa.string()))).to_pylist())


def _check_present(which: Which, chosen: int) -> None:
    """Refuse ids and numbers of which nothing is erased: they may be mistaken."""
    if chosen or not (which.records or which.ids):
        return
    if which.ids:
        raise InputError(
            "no record has one of these ids, or it is erased already",
            where="erasure",
            got=f"{len(which.ids)} ids",
            fix="look them up in the archive; ids are compared character by character, numbers of records go into "
            "--record (in Python records=)",
        )
    raise InputError(
        "what is personal in these records is erased already",
        where="erasure",
        got=f"{len(which.records)} numbers",
        fix="leave them out",
    )


def _copy(file: PartFile, rows: NDArray[np.bool_], handle: Any) -> None:
    """A part without what is personal in some of its rows."""
    place = 0
    blocks = file.blocks(ROWS)
    first = next(blocks)
    with part_writer(handle, first.columns, first.inputs) as writer:
        for block in chain([first], blocks):
            gone = rows[place : place + block.n_rows]
            place += block.n_rows
            write_rows(writer, block.columns | _without(block, gone))


def _without(block: Block, gone: NDArray[np.bool_]) -> dict[str, Any]:
    import pyarrow as pa

    names = [*PERSONAL, *block.inputs, "salt"]
    kept = numbers_array(np.arange(block.n_rows), ~gone)
    return {name: block.columns[name].take(kept.cast(pa.int64())) for name in names}


def _truths(array: Any) -> NDArray[np.bool_]:
    """An array of truth values that may be missing, which are none."""
    import pyarrow.compute as pc

    return np.asarray(pc.fill_null(array, False).to_numpy(), dtype=bool)
