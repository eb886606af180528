"""Models of segments: several models put together as one, and the words that say who belongs where."""

from scrutable.model.segmented.coding import agreeing
from scrutable.model.segmented.routing import in_segment, parts, rows_by_segment
from scrutable.model.segmented.succession import refuse_reused_codes, succeeding
from scrutable.model.segmented.used_codes import UsedCodes

__all__ = [
    "UsedCodes",
    "agreeing",
    "in_segment",
    "parts",
    "refuse_reused_codes",
    "rows_by_segment",
    "succeeding",
]
