"""Which of many texts occur more than once, without holding them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np


class Repeats:
    """Texts that occur more than once, told by hashes of 64 bits, which no two of a million texts are likely to share.

    >>> repeats = Repeats()
    >>> repeats.look(["A-17", "A-18"])
    >>> repeats.look(["A-17"])
    >>> "A-17" in repeats, "A-18" in repeats, repeats.any
    (True, False, True)
    """

    def __init__(self) -> None:
        self._hashes: list[np.ndarray[tuple[int], np.dtype[np.int64]]] = []

    def look(self, texts: Iterable[str]) -> None:
        """Look at some of the texts; all of them come before questions."""
        self._hashes.append(np.fromiter(map(hash, texts), dtype=np.int64))

    @property
    def any(self) -> bool:
        """Whether any text occurs more than once."""
        return bool(self._repeated)

    def __contains__(self, text: object) -> bool:
        return hash(text) in self._repeated

    @cached_property
    def _repeated(self) -> frozenset[int]:
        hashes = np.sort(np.concatenate(self._hashes)) if self._hashes else np.empty(0, dtype=np.int64)
        self._hashes.clear()
        return frozenset(hashes[1:][hashes[1:] == hashes[:-1]].tolist())
