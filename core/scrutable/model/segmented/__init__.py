"""Models of segments: several models put together as one, and the words that say who belongs where."""

from scrutable.model.segmented.coding import agreeing
from scrutable.model.segmented.combined import Combined
from scrutable.model.segmented.combining import When, combine, read_when
from scrutable.model.segmented.routing import in_segment, parts, rows_by_segment
from scrutable.model.segmented.wording import EVERYBODY_ELSE, conditions

__all__ = [
    "EVERYBODY_ELSE",
    "Combined",
    "When",
    "agreeing",
    "combine",
    "conditions",
    "in_segment",
    "parts",
    "read_when",
    "rows_by_segment",
]
