"""Review of bins: a binning table for each feature, decisions by hand, and what each of them did.

Names are imported when they are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.facades import lazily

if TYPE_CHECKING:
    from scrutable.review.file import dump_review, read_review, write_review
    from scrutable.review.header import ReviewHeader
    from scrutable.review.review import Review
    from scrutable.review.table import ReviewRow, ReviewTable

__all__ = ["Review", "ReviewHeader", "ReviewRow", "ReviewTable", "dump_review", "read_review", "write_review"]

__getattr__ = lazily(__name__)
