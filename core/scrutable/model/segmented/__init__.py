"""Models of segments: several models put together as one, and the words that say who belongs where."""

from scrutable.model.segmented.combined import Combined
from scrutable.model.segmented.combining import When, combine, read_when
from scrutable.model.segmented.wording import EVERYBODY_ELSE, conditions

__all__ = ["EVERYBODY_ELSE", "Combined", "When", "combine", "conditions", "read_when"]
