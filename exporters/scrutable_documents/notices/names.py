"""Names of files from what applicants are called, however hostile."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
_HASHED = re.compile(r".*-[0-9a-f]{16}")
_LONGEST = 60


def file_stems(ids: Sequence[str]) -> list[str]:
    """A name for each of different ids, all of them different on every file system.

    Letters without accents, digits, hyphens and underscores stay; an id with anything else, one that is long or
    ends like a hash, and those that differ in their case alone get a part of their hash.

    Examples
    --------
    >>> file_stems(["A-17", "../../etc/passwd"])
    ['notice-A-17', 'notice-_etc_passwd-3754d6cb3a38e118']
    """
    plain = [_UNSAFE.sub("_", each)[:_LONGEST] for each in ids]
    count = Counter(each.casefold() for each in plain)
    return [
        f"notice-{stem}"
        if stem == given and count[stem.casefold()] == 1 and not _HASHED.fullmatch(stem)
        else f"notice-{stem}-{_hash(given)}"
        for stem, given in zip(plain, ids, strict=True)
    ]


def _hash(text: str) -> str:
    return sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]
