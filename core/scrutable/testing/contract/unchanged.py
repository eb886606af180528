"""What became of data that was handed over, and of the state of what it was handed to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from scrutable.testing.contract.examples.data import TrainingSample


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


def changed_sample(before: TrainingSample, after: TrainingSample) -> str:
    """The first thing that differs between two samples, and in which part."""
    for part in ("X", "y", "sensitive_features"):
        change = changed(getattr(before, part), getattr(after, part))
        if change:
            return f"{part}, {change}"
    return ""


def state_of(made: Any) -> dict[str, str]:
    """The attributes of an object, private ones too, and what they are as texts.

    >>> state_of(slice(1)), state_of(Exception())
    ({}, {})
    """
    slots = [name for each in type(made).__mro__ for name in vars(each).get("__slots__", ())]
    slotted = {name: getattr(made, name) for name in slots if hasattr(made, name) and name != "__dict__"}
    return {name: repr(value) for name, value in {**slotted, **getattr(made, "__dict__", {})}.items()}


def changed_state(before: dict[str, str], after: dict[str, str]) -> str:
    """The first attribute that differs, in words; empty if none does.

    >>> changed_state({"n": "0"}, {"n": "1", "_seen": "[]"})
    'its _seen became []'
    """
    for name in sorted({*before, *after}):
        if before.get(name) != after.get(name):
            was = f" from {before[name]}" if name in before else ""
            return f"its {name} became {after[name]}{was}" if name in after else f"its {name} is gone"
    return ""


def _frame(values: Any) -> pd.DataFrame:
    return values if isinstance(values, pd.DataFrame) else pd.DataFrame({"values": values})
