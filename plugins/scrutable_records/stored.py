"""The records of an archive, read part by part."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from scrutable.errors import InputError
from scrutable.writing import AnyPath, locked
from scrutable_records.differences import Differences
from scrutable_records.manifest import MANIFEST, Part, read_manifest
from scrutable_records.order import check_order
from scrutable_records.packing import matrix
from scrutable_records.parts import Block, PartFile
from scrutable_records.replaying import BLOCK


class StoredRecords:
    """The records of an archive, in the order of their numbers.

    Parameters
    ----------
    folder : of the archive.

    Raises
    ------
    InputError : it is none.
    """

    def __init__(self, folder: AnyPath) -> None:
        self._folder = Path(folder)
        self._parts = read_manifest(self._folder).parts
        self.n_records = sum(part.rows for part in self._parts)

    def blocks(self, differences: Differences) -> Iterator[Block]:
        """The records, some at a time; what is missing, doubled or out of place is named.

        Parts whose records stand in order are read block by block, others whole. Those that are added meanwhile are
        read in the end: an erasure that changed a part before it was read is told of there.
        """
        following, parts, read = 1, self._parts, set[str]()
        while parts:
            in_order = sorted(parts, key=lambda part: part.first)
            for part, listed_there in zip(in_order, parts, strict=True):
                if part.first != listed_there.first:
                    differences.add_range("out of place", part.first, part.head.record)
                if part.first > following:
                    differences.add_range("missing", following, part.first - 1)
                elif part.first < following:
                    differences.add_range("twice", part.first, min(part.head.record, following - 1))
                following = max(following, part.head.record + 1)
                yield from self._of_part(part, differences)
            read |= {part.file for part in parts}
            parts = tuple(part for part in self._listed() if part.file not in read)
        paths = sorted(self._folder.glob("*.parquet"))
        listed = read | {part.file for part in self._listed()}
        for path in paths:
            if path.name not in listed:
                yield from self._unlisted(path, differences, following)

    def _listed(self) -> tuple[Part, ...]:
        """The parts that the manifest lists by now, when whoever writes to the archive has done so."""
        with locked(self._folder / MANIFEST):
            return read_manifest(self._folder).parts

    def _of_part(self, part: Part, differences: Differences) -> Iterator[Block]:
        try:
            file = PartFile(self._folder / part.file)
            numbers = file.numbers()
            is_in_order = check_order(numbers, part.first, part.head.record, differences)
            heads: list[bytes] = []
            for block in file.blocks(BLOCK) if is_in_order else file.blocks_in_order(numbers, BLOCK):
                heads += _digests_of(block, part.head.record)
                yield block
        except InputError:
            differences.add_range("unreadable", part.first, part.head.record)
            return
        if heads and part.head.digest not in heads:
            differences.add_range("head", part.head.record, part.head.record)

    def _unlisted(self, path: Path, differences: Differences, following: int) -> Iterator[Block]:
        """A file that the manifest does not name: its records are further ones, or stand twice."""
        try:
            numbers = PartFile(path).numbers()
        except InputError:
            return
        differences.add("out of place" if numbers.min(initial=following) >= following else "twice", numbers.tolist())
        yield from ()


def _digests_of(block: Block, number: int) -> list[bytes]:
    """The digests of a record, which a block may have not at all or, of a number that stands twice, more than once."""
    rows = np.flatnonzero(block.columns["record"].to_numpy() == number)
    return [matrix(block.columns["sha256"])[row].tobytes() for row in rows]
