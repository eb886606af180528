"""The command: hostile files by the thousand, their count, the seed and what was found."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from hostile.corpus import corpus
from hostile.running import Finding, Tally, tried
from scrutable.plugins.workers import spread
from scrutable.writing.files import make_folder, write_whole

#: Files that a process tries before it tells of them.
_STEP = 1000


def main(arguments: Sequence[str] | None = None) -> int:
    """1 if a file ended in anything but an error of ours or what can be used."""
    parser = argparse.ArgumentParser(description="Hostile files of every kind that people hand us.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--inputs", type=int, default=30_000, help="how many files")
    parser.add_argument("--only", type=int, help="the number of the one file to try")
    parser.add_argument("--kind", action="append", choices=list(corpus()), help="repeatable; every kind if none")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument("--keep", type=Path, default=Path("fuzz-findings"), help="folder for files that are findings")
    chosen = parser.parse_args(arguments)
    numbers = range(chosen.inputs) if chosen.only is None else range(chosen.only, chosen.only + 1)
    total, begun = Tally(), time.perf_counter()
    parts = [numbers[start : start + _STEP] for start in range(0, len(numbers), _STEP)]
    for found in spread(partial(tried, chosen.seed, kinds=chosen.kind), parts, workers=chosen.jobs):
        total = total + found
        for finding in found.findings:
            print(_told(finding, chosen.seed, chosen.kind, chosen.keep), flush=True)
    for kind in chosen.kind or corpus():
        print(f"{kind}: {total.refused[kind]:,} refused, {total.read[kind]:,} read")
    rate = len(numbers) / (time.perf_counter() - begun)
    print(f"{len(numbers):,} files of seed {chosen.seed}, {rate:,.0f} a second: {len(total.findings):,} findings")
    return 1 if total.findings else 0


def _told(finding: Finding, seed: int, kinds: Sequence[str] | None, keep: Path) -> str:
    """A finding in a line, with what gives it again; the file is kept."""
    path = make_folder(keep) / f"seed-{seed}-{finding.kind}-{finding.number}{finding.suffix}"
    write_whole(path, finding.content, overwrite=True)
    again = " ".join([f"--seed {seed} --only {finding.number}", *(f"--kind {kind}" for kind in kinds or ())])
    return f"{finding.kind} {finding.number}: {finding.said}; again with {again}; kept as {path}"


if __name__ == "__main__":
    sys.exit(main())
