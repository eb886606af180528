"""What a score is used for: bands, gains, a cutoff, the swap set against the champion, the effect of rounding.

Names are imported on first use, so that `import scrutable.strategy` loads neither numpy nor pandas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.facades import lazily

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

__getattr__ = lazily(__name__)
