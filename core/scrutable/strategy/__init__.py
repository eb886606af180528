"""What a score is used for: bands, gains, a cutoff, the swap set against the champion, the effect of rounding.

Names are imported on first use, so that `import scrutable.strategy` loads neither numpy nor pandas.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrutable.strategy.bands import Band, ScoreBands, score_bands
    from scrutable.strategy.counts import Counts, GroupCounts, Part
    from scrutable.strategy.curve import CutoffCurve, GroupCurve
    from scrutable.strategy.cutoff import CutoffChoice, choose_cutoff
    from scrutable.strategy.decided import Decided, GroupDecided
    from scrutable.strategy.gains import Gain, GainsTable, gains_table
    from scrutable.strategy.profit import Profit
    from scrutable.strategy.recut import cut_at, with_cutoff
    from scrutable.strategy.rounding import Rounded, RoundingEffect, rounding_effect
    from scrutable.strategy.scored import Scored, score_rows
    from scrutable.strategy.swap import GroupChange, SwapSet, swap_set

__all__ = [
    "Band",
    "Counts",
    "CutoffChoice",
    "CutoffCurve",
    "Decided",
    "Gain",
    "GainsTable",
    "GroupChange",
    "GroupCounts",
    "GroupCurve",
    "GroupDecided",
    "Part",
    "Profit",
    "Rounded",
    "RoundingEffect",
    "ScoreBands",
    "Scored",
    "SwapSet",
    "choose_cutoff",
    "cut_at",
    "gains_table",
    "rounding_effect",
    "score_bands",
    "score_rows",
    "swap_set",
    "with_cutoff",
]

_HOME = {
    **dict.fromkeys(("Band", "ScoreBands", "score_bands"), "bands"),
    **dict.fromkeys(("Counts", "GroupCounts", "Part"), "counts"),
    **dict.fromkeys(("CutoffCurve", "GroupCurve"), "curve"),
    **dict.fromkeys(("CutoffChoice", "choose_cutoff"), "cutoff"),
    **dict.fromkeys(("Decided", "GroupDecided"), "decided"),
    **dict.fromkeys(("Gain", "GainsTable", "gains_table"), "gains"),
    "Profit": "profit",
    **dict.fromkeys(("cut_at", "with_cutoff"), "recut"),
    **dict.fromkeys(("Rounded", "RoundingEffect", "rounding_effect"), "rounding"),
    **dict.fromkeys(("Scored", "score_rows"), "scored"),
    **dict.fromkeys(("GroupChange", "SwapSet", "swap_set"), "swap"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
