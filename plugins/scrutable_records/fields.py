"""What a record holds, by columns: facts that stay, what is a person's and can be erased, and digests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

#: Facts in the order in which they are packed and digested, by kind: "whole", "double" or "text".
FACTS = {
    "record": "whole",
    "occurred_at": "text",
    "about": "whole",
    "model": "text",
    "score": "double",
    "decision": "whole",
    "knock_out": "text",
    "override": "text",
    "grade": "text",
    "reasons": "text",
    "manual_decision": "whole",
    "manual_by": "text",
    "event": "text",
}
#: What is a person's beside the inputs, in the order in which it is packed; erased together with these.
PERSONAL = ("id", "notice", "manual_reason")
#: How the columns of inputs begin.
INPUT = "input_"
#: Bytes of a salt and of a digest.
SALT, DIGEST = 16, 32
#: Columns of bytes, by how many bytes each value has.
BYTES = {"salt": SALT, "personal_sha256": DIGEST, "previous_sha256": DIGEST, "sha256": DIGEST}
#: What the first record has for the digest of the one before.
BEGINNING = bytes(DIGEST)


def arrow_type(kind: str) -> pa.DataType:
    """How Arrow holds a kind: "whole", "double" or "text"."""
    import pyarrow as pa

    return {"whole": pa.int64(), "double": pa.float64(), "text": pa.string()}[kind]


def schema(numeric: Iterable[str], categorical: Iterable[str]) -> pa.Schema:
    """The columns of a part whose decisions read these inputs.

    >>> schema(["age"], ["job"]).names[13:18]
    ['id', 'notice', 'manual_reason', 'input_age', 'input_job']
    """
    import pyarrow as pa

    fields = [pa.field(name, arrow_type(kind), nullable=name != "record") for name, kind in FACTS.items()]
    fields += [pa.field(name, pa.string()) for name in PERSONAL]
    fields += [pa.field(INPUT + name, pa.float64()) for name in numeric]
    fields += [pa.field(INPUT + name, pa.string()) for name in categorical]
    return pa.schema([*fields, *(pa.field(name, pa.binary(size)) for name, size in BYTES.items())])


def inputs_of(names: Iterable[str]) -> list[str]:
    """The columns of inputs among the columns of a part."""
    return [name for name in names if name.startswith(INPUT)]
