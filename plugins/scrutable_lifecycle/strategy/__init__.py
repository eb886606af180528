"""What a score is used for: bands, gains, a cutoff, the swap set against the champion, the effect of rounding.

Names are imported on first use, so that `import scrutable_lifecycle.strategy` loads neither numpy nor pandas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing import lazily

if TYPE_CHECKING:
    from scrutable.measures import Scored, score_rows
    from scrutable_lifecycle.strategy.bands import Band, ScoreBands, score_bands
    from scrutable_lifecycle.strategy.counts import CountedPart, Counts, GroupCounts
    from scrutable_lifecycle.strategy.curve import CutoffCurve, GroupCurve
    from scrutable_lifecycle.strategy.cutoff import CutoffChoice, choose_cutoff
    from scrutable_lifecycle.strategy.decided import Decided, GroupChange, GroupDecided
    from scrutable_lifecycle.strategy.gains import Gain, GainsTable, gains_table
    from scrutable_lifecycle.strategy.model_bands import ModelBands, bands_of
    from scrutable_lifecycle.strategy.model_cutoff import ModelCutoff, cutoff_of
    from scrutable_lifecycle.strategy.moved_cutoff import cut_at, with_cutoff
    from scrutable_lifecycle.strategy.profit import Profit
    from scrutable_lifecycle.strategy.rounding import Rounded, RoundingEffect, rounding_effect
    from scrutable_lifecycle.strategy.swap import SwapSet, swap_set

__all__ = [
    "Band",
    "CountedPart",
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
    "ModelBands",
    "ModelCutoff",
    "Profit",
    "Rounded",
    "RoundingEffect",
    "ScoreBands",
    "Scored",
    "SwapSet",
    "bands_of",
    "choose_cutoff",
    "cut_at",
    "cutoff_of",
    "gains_table",
    "rounding_effect",
    "score_bands",
    "score_rows",
    "swap_set",
    "with_cutoff",
]

__getattr__ = lazily(__name__)
