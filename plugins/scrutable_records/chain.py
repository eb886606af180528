"""The chain of digests: each record's is that of the digest before it and of its own facts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from scrutable.errors import InputError
from scrutable_records.fields import BEGINNING
from scrutable_records.packing import each, facts, matrix, of_fixed_size

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

_HEAD = re.compile(r"([0-9]{1,18}):([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Head:
    """The last record of an archive: its number and its digest, which stands for it and all before it.

    >>> print(Head.read("2:" + "0f" * 32))
    2:0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f
    """

    record: int = 0
    digest: bytes = BEGINNING

    def __str__(self) -> str:
        return f"{self.record}:{self.digest.hex()}"

    def reaches(self, number: object) -> bool:
        """Whether a value is the number of this record or of an earlier one.

        >>> [Head(record=3).reaches(number) for number in (1, 3, 4, 10**30, 1.5, True)]
        [True, True, False, False, False, False]
        """
        is_whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
        return is_whole and 1 <= int(number) <= self.record  # type: ignore[call-overload]  # of a whole number

    @classmethod
    def read(cls, text: str) -> Head:
        """A head as it was printed.

        Raises
        ------
        InputError : it is no number of a record, a colon and a digest.
        """
        matched = _HEAD.fullmatch(text.strip())
        if matched is None:
            raise InputError(
                "not the head of an archive",
                where="head",
                got=text,
                allowed="the number of a record, a colon and 64 hexadecimal digits",
                fix="give it as `scrutable archive` printed it",
            )
        return cls(int(matched[1]), bytes.fromhex(matched[2]))


def chained(columns: Mapping[str, Any], head: Head) -> tuple[dict[str, pa.Array], Head]:
    """The columns `previous_sha256` and `sha256` of n records that follow a head, and the head that they make."""
    sha256 = hashlib.sha256
    digests = [head.digest]
    for text in each(facts(columns)):
        digests.append(sha256(digests[-1] + text).digest())
    made = {"previous_sha256": of_fixed_size(digests[:-1]), "sha256": of_fixed_size(digests[1:])}
    return made, Head(head.record + len(digests) - 1, digests[-1])


def altered(columns: Mapping[str, Any]) -> NDArray[np.bool_]:
    """(n,) the records whose digest is not that of what they say."""
    sha256 = hashlib.sha256
    before, stored = matrix(columns["previous_sha256"]).tobytes(), matrix(columns["sha256"]).tobytes()
    size = len(BEGINNING)
    wrong = [
        sha256(before[start : start + size] + text).digest() != stored[start : start + size]
        for start, text in zip(range(0, len(stored), size), each(facts(columns)), strict=True)
    ]
    return np.array(wrong, dtype=bool)
