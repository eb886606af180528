"""Many hostile files, one after another, each by its number and the seed."""

from __future__ import annotations

import os
import signal
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from hostile.corpus import corpus
from hostile.mutations import changed
from hostile.reading import refused

#: Where files need no disk, if the system has it.
_MEMORY = "/dev/shm"
#: Seconds of CPU that a file may take; all of them are small.
SECONDS = 5.0


class TooLongError(BaseException):
    """Reading goes on and on; no handler of errors may take it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A file that ends in something else than an error of ours or in what can be used."""

    number: int
    kind: str
    content: bytes
    suffix: str
    said: str


@dataclass(slots=True)
class Tally:
    """How many files of each kind were refused and how many were read, and what was found."""

    refused: Counter[str] = field(default_factory=Counter)
    read: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.refused + other.refused, self.read + other.read, self.findings + other.findings)


def tried(seed: int, numbers: Iterable[int], kinds: Iterable[str] | None = None) -> Tally:
    """What becomes of the files of these numbers; the same seed and number give the same file.

    >>> tally = tried(0, range(20))
    >>> sum(tally.refused.values()) + sum(tally.read.values()), tally.findings
    (20, [])
    """
    tally = Tally()
    with (
        tempfile.TemporaryDirectory(dir=_MEMORY if os.path.isdir(_MEMORY) else None) as folder,
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        for number in numbers:
            _try(seed, number, Path(folder), list(kinds or corpus()), tally)
    return tally


def _try(seed: int, number: int, folder: Path, kinds: list[str], tally: Tally) -> None:
    chance = Random(f"{seed} {number}")
    kind = chance.choices(kinds, [corpus()[each].share for each in kinds])[0]
    right, suffix = corpus()[kind].right, corpus()[kind].suffix
    content = changed(chance.choice(right), suffix.removeprefix("."), chance, right)
    path = folder / f"hostile{suffix}"
    path.write_bytes(content)
    try:
        with _within(SECONDS):
            (tally.refused if refused(kind, path) else tally.read)[kind] += 1
    except (Exception, TooLongError) as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        said = f"{type(error).__name__}: {str(error)[:300]} ({Path(where.filename).name}, line {where.lineno})"
        tally.findings.append(Finding(number=number, kind=kind, content=content, suffix=suffix, said=said))


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """What takes more CPU time than so many seconds is interrupted, where the system can do that."""

    def stop(*_: object) -> None:
        raise TooLongError(f"no end after {seconds:g} s of CPU time")

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
