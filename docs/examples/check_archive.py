"""Check the chain of a decision archive by the standard library and PyArrow alone: python check_archive.py FOLDER

It recomputes every digest, names what does not fit, and prints the head. Compare the head, or the digest of any earlier
record (python check_archive.py FOLDER NUMBER), with the one that you kept elsewhere. Nothing is scored here.
"""

import hashlib
import json
import struct
import sys
from pathlib import Path

import pyarrow.parquet as pq

FACTS = "record occurred_at about model score decision knock_out override grade reasons manual_decision manual_by event"
PERSONAL = "id notice manual_reason"


def packed(value):
    """A value as bytes that no other value has."""
    if value is None:
        return b"-"
    if isinstance(value, float):
        return b"d" + struct.pack("<d", value)
    if isinstance(value, int):
        return b"i" + struct.pack("<q", value)
    return b"t" + struct.pack("<q", len(value.encode())) + value.encode()


def check(folder, asked):
    """Print what does not fit, and give how many records do not."""
    last, digest, wrong = 0, bytes(32), 0
    for part in json.loads((folder / "manifest.json").read_text())["parts"]:
        with pq.ParquetFile(folder / part["file"]) as file:
            inputs = [name for name in file.schema_arrow.names if name.startswith("input_")]
            rows = (row for batch in file.iter_batches(65_536) for row in batch.to_pylist())
            for row in rows:
                facts = b"".join(packed(row[name]) for name in FACTS.split()) + (row["personal_sha256"] or b"-")
                fits = hashlib.sha256(row["previous_sha256"] + facts).digest() == row["sha256"]
                fits &= row["record"] == last + 1 and row["previous_sha256"] == digest
                if row["salt"] is not None:  # else it was erased
                    values = [row[name] for name in PERSONAL.split()] + [len(inputs)]
                    values += [name.removeprefix("input_") for name in inputs] + [row[name] for name in inputs]
                    personal = hashlib.sha256(row["salt"] + b"".join(map(packed, values))).digest()
                    fits &= personal == row["personal_sha256"]
                last, digest, wrong = row["record"], row["sha256"], wrong + (not fits)
                if not fits:
                    print(f"record {last} does not fit, or does not follow the one before")
                if last == asked:
                    print(f"record {last}:{digest.hex()}")
        wrong += (last, digest.hex()) != (part["last"], part["sha256"])
    print(f"head {last}:{digest.hex()}")
    return wrong


if __name__ == "__main__":
    sys.exit(bool(check(Path(sys.argv[1]), int((*sys.argv[2:], 0)[0]))))
