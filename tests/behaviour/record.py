"""What commands write and say, as hashes, for changes that must change nothing; `lines.py` has the commands.

`python tests/behaviour/record.py before.json`, then, after the change, `... after.json --against before.json`. Times,
durations, paths and import paths are masked. With `--keep FOLDER` the masked texts are kept for `diff -r`.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import numpy as np
from lines import lines

from scrutable.data.datasets import load_german_credit

#: What is no behaviour, and what stands for it.
MASKS = (
    (rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?", b"<time>"),
    (rb"(?i)\"[a-z_ ]*(seconds|duration|elapsed|microseconds)[a-z_ ]*\": *[\d.eE+-]+", b"<duration>"),
    (rb"\b\d+(\.\d+)? (ms|s|seconds)\b", b"<duration>"),
    (rb"[\d.,]+ ?M? rows (a|per) second|[\d,.]+ a second", b"<rate>"),
    (rb"/(CreationDate|ModDate|ID) *(\([^)]*\)|\[[^\]]*\])", b"<pdf>"),
    (rb"\bscrutable(_\w+)?(\.\w+)*[.:]\w+", b"<import>"),
)
#: Figures that may differ in the last digits of a sum.
FIGURE = re.compile(rb"-?\d+\.\d{9,}(e[+-]?\d+)?")
#: Commands that run at once.
AT_ONCE = 2
#: Those that read what others than the fits have written.
LATER = ("import", "notices")


def main() -> int:
    """0 where nothing differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("record", type=Path)
    parser.add_argument("--against", type=Path, help="an earlier record")
    parser.add_argument("--keep", type=Path, help="a folder for the masked texts")
    parser.add_argument("--only", help="a part of the names of the commands that are run, besides the fits")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="behaviour-") as folder:
        record = dict(_recorded(Path(folder), asked.only, asked.keep))
    asked.record.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")
    codes = {name.removesuffix("/exit"): exact for name, (exact, _) in record.items() if name.endswith("/exit")}
    for code in sorted({*codes.values()} - {"0"}):
        print(f"exit code {code}: {', '.join(name for name, its in codes.items() if its == code)}")
    print(f"{len(record):,} files and outputs of {len(codes)} commands")
    return 0 if asked.against is None else _compare(json.loads(asked.against.read_text()), record)


def _compare(before: dict[str, list[str]], after: dict[str, list[str]]) -> int:
    gone, new = sorted(before.keys() - after.keys()), sorted(after.keys() - before.keys())
    changed = [name for name in sorted(before.keys() & after.keys()) if list(before[name]) != list(after[name])]
    rounded = [name for name in changed if before[name][1] == after[name][1]]
    differing = [name for name in changed if name not in rounded]
    for said, names in (("gone", gone), ("new", new), ("differs", differing), ("differs in last digits", rounded)):
        for name in names:
            print(f"{said}: {name}")
    print(f"{len(differing)} differ, {len(rounded)} in last digits alone, {len(gone)} gone, {len(new)} new")
    return 1 if gone or new or differing else 0


def _recorded(folder: Path, only: str | None, keep: Path | None) -> Iterator[tuple[str, tuple[str, str]]]:
    _write_data(folder)
    chosen = {name: line for name, line in lines().items() if not only or only in name or name.startswith("fit ")}
    fits = {name: line for name, line in chosen.items() if name.startswith("fit ")}
    rest = {name: line for name, line in chosen.items() if name not in fits}
    for group in (fits, rest):
        alone = {name: line for name, line in group.items() if not name.startswith(LATER)}
        for part in (alone, {name: line for name, line in group.items() if name not in alone}):
            with ThreadPoolExecutor(AT_ONCE) as pool:
                for texts in pool.map(lambda asked: _run(folder, *asked), part.items()):
                    yield from _hashed(texts, keep)
    files = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    yield from _hashed({f"file {name}": _masked(content, folder) for name, content in _unpacked(files)}, keep)


def _run(folder: Path, name: str, line: str) -> dict[str, bytes]:
    command = [sys.executable, "-m", "scrutable.cli", *line.split()]
    environment = os.environ | {"COLUMNS": "120", "OMP_NUM_THREADS": "1", "TERM": "dumb", "SOURCE_DATE_EPOCH": "0"}
    done = subprocess.run(
        command, cwd=folder, capture_output=True, env=environment, stdin=subprocess.DEVNULL, check=False
    )
    if name == "lender":
        (folder / "lender.toml").write_bytes(done.stdout)
    said = {"exit": str(done.returncode).encode(), "stdout": done.stdout, "stderr": done.stderr}
    return {f"{name}/{what}": _masked(content, folder) for what, content in said.items()}


def _write_data(folder: Path) -> None:
    draw = np.random.default_rng(7)
    frame = load_german_credit().frame
    rows = len(frame)
    frame.insert(0, "loan", [f"L{row:04d}" for row in range(rows)])
    days = np.datetime64("2024-01-01") + np.sort(draw.integers(0, 300, rows)).astype("timedelta64[D]")
    more = {
        "applied": days.astype(str),
        "weight": draw.integers(1, 4, rows),
        "accepted": draw.choice(["yes", "no"], rows),
    }
    frame.assign(**more).to_csv(folder / "loans.csv", index=False)
    known = {name: frame[name] for name in ("loan", "credit_risk", "sex")}
    gaps = frame.mask(draw.random(frame.shape) < 0.1).assign(**known)
    gaps.to_csv(folder / "gaps.csv", index=False)
    edits = '[[edit]]\nfeature = "duration_months"\naction = "cuts"\ncuts = [12.0, 24.0]\n'
    (folder / "edits.toml").write_text(f'{edits}who = "ana"\nwhy = "policy"\n')


def _unpacked(files: dict[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Files, and in place of archives what is in them."""
    for name, content in files.items():
        if zipfile.is_zipfile(io.BytesIO(content)):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                yield from ((f"{name}!{each}", archive.read(each)) for each in sorted(archive.namelist()))
        else:
            yield name, content


def _masked(content: bytes, folder: Path) -> bytes:
    for path, said in ((folder, b"<folder>"), (Path(sys.prefix), b"<python>"), (Path(__file__).parents[2], b"<code>")):
        content = content.replace(str(path).encode(), said)
    content = content.replace(date.today().isoformat().encode(), b"<today>")
    for pattern, said in MASKS:
        content = re.sub(pattern, said, content)
    return content


def _hashed(texts: dict[str, bytes], keep: Path | None) -> Iterator[tuple[str, tuple[str, str]]]:
    for name, text in texts.items():
        rounded = FIGURE.sub(lambda figure: b"%.11g" % float(figure[0]), text)
        exact = text.decode() if name.endswith("/exit") else hashlib.sha256(text).hexdigest()[:20]
        yield name, (exact, hashlib.sha256(rounded).hexdigest()[:20])
        if keep is not None:
            path = keep / re.sub(r"[^\w.!-]+", "_", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)


if __name__ == "__main__":
    sys.exit(main())
