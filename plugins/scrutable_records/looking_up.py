"""What is looked up in the parts of an archive before or after something is added to it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from scrutable.errors import InputError
from scrutable_records.manifest import Part
from scrutable_records.parts import PartFile


def ids_there(folder: Path, parts: Sequence[Part], ids: Sequence[Any]) -> int | None:
    """How many different ids some parts hold of those in Arrow's arrays; None where there are no ids.

    A part that cannot be read is passed over: a replay tells of it, and what is added is there.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = pa.chunked_array(ids, pa.string()).drop_null()
    if not len(wanted):
        return None
    known: set[str] = set()
    for part in parts:
        with suppress(InputError):
            there = PartFile(folder / part.file).column("id")
            known.update(there.filter(pc.is_in(there, value_set=wanted)).to_pylist())
    return len(known)


def erased_among(folder: Path, parts: Sequence[Part], records: Sequence[int]) -> int | None:
    """The first of some records of which nothing personal is left, or never was; None where there is none.

    Raises
    ------
    InputError : a part that holds one of them cannot be read.
    """
    import pyarrow.compute as pc

    asked = np.asarray(records, dtype=np.int64)
    for part in parts:
        if not ((asked >= part.first) & (asked <= part.head.record)).any():
            continue
        file = PartFile(folder / part.file)
        gone = file.numbers()[np.asarray(pc.is_null(file.column("salt")).to_numpy(), dtype=bool)]
        erased = asked[np.isin(asked, gone)]
        if len(erased):
            return int(erased[0])
    return None
