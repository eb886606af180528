"""Review of bins: a binning table for each feature, decisions by hand, and what each of them did.

Names are imported when they are asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrutable.review.file import dump_review, read_review, write_review
    from scrutable.review.header import ReviewHeader
    from scrutable.review.review import Review
    from scrutable.review.table import ReviewRow, ReviewTable

__all__ = ["Review", "ReviewHeader", "ReviewRow", "ReviewTable", "dump_review", "read_review", "write_review"]

_HOME = {
    "Review": "review",
    "ReviewHeader": "header",
    **dict.fromkeys(("ReviewRow", "ReviewTable"), "table"),
    **dict.fromkeys(("dump_review", "read_review", "write_review"), "file"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
