"""What became of data that was handed over."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from scrutable.testing.contract.data import Sample


def changed(before: Any, after: Any) -> str:
    """The first thing that differs between two frames, series or arrays, in words; empty if nothing does.

    >>> before = pd.DataFrame({"age": [30.0, None]})
    >>> changed(before, before.fillna(0)), changed(before, before.copy())
    ("column 'age', row 1: nan became 0.0", '')
    """
    ours, theirs = _frame(before), _frame(after)
    if list(ours) != list(theirs):
        return f"columns {list(ours)} became {list(theirs)}"
    if not ours.index.equals(theirs.index):
        return f"{len(ours)} rows became {len(theirs)}, or their labels changed"
    for name in ours:
        if ours[name].dtype != theirs[name].dtype:
            return f"column {name!r}: {ours[name].dtype} became {theirs[name].dtype}"
        differing = ~((ours[name] == theirs[name]) | (ours[name].isna() & theirs[name].isna())).to_numpy(dtype=bool)
        if differing.any():
            row = int(np.flatnonzero(differing)[0])
            became = " became ".join(repr(values[name].tolist()[row]) for values in (ours, theirs))
            return f"column {name!r}, row {row}: {became}"
    return ""


def changed_sample(before: Sample, after: Sample) -> str:
    """The first thing that differs between two samples, and in which part."""
    for part in ("X", "y", "sensitive_features"):
        found = changed(getattr(before, part), getattr(after, part))
        if found:
            return f"{part}, {found}"
    return ""


def _frame(values: Any) -> pd.DataFrame:
    return values if isinstance(values, pd.DataFrame) else pd.DataFrame({"values": values})
