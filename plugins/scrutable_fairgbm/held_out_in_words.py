"""Which rows were held out from the trees, and why, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from scrutable.model import Evidence, FrozenMapping

#: Why rows were held out, or were not.
HeldOutBy = Literal["validation", "dates", "option", "size", "stopping", "too few rows", "no bounds"]


def about_held_out(evidence: Evidence) -> Iterator[str]:
    """A sentence on it where there are bounds; nothing if not recorded."""
    entry = evidence.metrics.get("held_out_rows")
    if not isinstance(entry, FrozenMapping) or not isinstance(smallest := entry["smallest_side"], float):
        return
    rows, held = entry["rows_of_trees"], entry["rows"]
    assert isinstance(rows, int)
    assert isinstance(held, int)
    why = f"{_WHY[str(entry['by'])]}; the smallest side of a bound has {smallest:,.0f} rows"
    if held:
        yield (
            f"Held out from the trees: {held:,} of {rows + held:,} rows ({why}). Bounds, cutoff and "
            "calibration look at them, because bounds kept on the trees' own rows are often not kept on others."
        )
    else:
        yield (
            f"No rows were held out from the trees ({why}): bounds that are kept on rows which trees know "
            "are often not kept on others. Look at the held-out figures."
        )


_WHY = {
    "validation": "rows given for validation",
    "dates": "the latest",
    "option": "as held_out says",
    "size": "by the size of the groups",
    "stopping": "for early stopping",
    "too few rows": "too few to tell of a rate",
}
