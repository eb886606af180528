"""The entries of an index in a file, for as many applicants as there are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, overload


class EntryFile(Sequence[Mapping[str, Any]]):
    """Entries, which a template goes through as often as it likes.

    >>> import tempfile
    >>> entries = EntryFile(Path(tempfile.mkdtemp(), "entries"))
    >>> entries.add([{"row": 1, "files": []}, {"row": 2, "files": ["notice-A.html"]}])
    >>> len(entries), entries[1]["files"], [entry["row"] for entry in entries]
    (2, ['notice-A.html'], [1, 2])
    """

    def __init__(self, path: Path) -> None:
        self._path, self._count = path, 0

    def add(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Add some more."""
        with open(self._path, "a", encoding="utf-8") as handle:
            handle.writelines(f"{json.dumps(entry)}\n" for entry in entries)
        self._count += len(entries)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        with open(self._path, encoding="utf-8") as handle:
            yield from map(json.loads, handle)

    @overload
    def __getitem__(self, place: int) -> Mapping[str, Any]: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Mapping[str, Any]]: ...
    def __getitem__(self, place: int | slice) -> Mapping[str, Any] | Sequence[Mapping[str, Any]]:
        places = range(self._count)[place]
        if isinstance(places, range):
            return list(self)[place]
        return next(islice(self, places, None))
