"""Names of files from what applicants are called, however hostile."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from hashlib import sha256

from scrutable_documents.notices.repeats import Repeats

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
_HASHED = re.compile(r".*-[0-9a-f]{16}")
_LONGEST = 60


class Stems:
    """A name for each of different ids, all of them different on every file system.

    Letters without accents, digits, hyphens and underscores stay; an id with anything else, one that is long or
    ends like a hash, and those that differ in their case alone get a part of their hash.

    Examples
    --------
    >>> stems = Stems()
    >>> stems.look(["A-17", "../../etc/passwd"])
    >>> stems.of("A-17"), stems.of("../../etc/passwd")
    ('notice-A-17', 'notice-_etc_passwd-3754d6cb3a38e118')
    """

    def __init__(self) -> None:
        self._repeats = Repeats()

    def look(self, ids: Iterable[str]) -> None:
        """Look at some of the ids; a name can be asked for when all were looked at."""
        self._repeats.look(_plain(each).casefold() for each in ids)

    def of(self, given: str) -> str:
        """The name of an id."""
        stem = _plain(given)
        if stem == given and stem.casefold() not in self._repeats and not _HASHED.fullmatch(stem):
            return f"notice-{stem}"
        return f"notice-{stem}-{_hash(given)}"


def file_stems(ids: Sequence[str]) -> list[str]:
    """The names of all ids.

    >>> file_stems(["a", "b", "B"])
    ['notice-a', 'notice-b-3e23e8160039594a', 'notice-B-df7e70e5021544f4']
    """
    stems = Stems()
    stems.look(ids)
    return list(map(stems.of, ids))


def _plain(text: str) -> str:
    return _UNSAFE.sub("_", text)[:_LONGEST]


def _hash(text: str) -> str:
    return sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]
