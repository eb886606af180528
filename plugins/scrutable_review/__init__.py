"""Plugin: review of bins: a binning table for each feature, decisions by hand, and what each of them did.

Names are imported when they are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.plugins import Command, hookimpl
from scrutable.writing import lazily

if TYPE_CHECKING:
    from scrutable.plugins import ReviewHeader, dump_review, read_review, write_review
    from scrutable_review.refit_change import RefitChange
    from scrutable_review.refits import Refits, Refitted
    from scrutable_review.review import Review
    from scrutable_review.reviewed import ReviewedBins, review_bins
    from scrutable_review.table import ReviewRow, ReviewTable

__all__ = [
    "RefitChange",
    "Refits",
    "Refitted",
    "Review",
    "ReviewHeader",
    "ReviewRow",
    "ReviewTable",
    "ReviewedBins",
    "dump_review",
    "read_review",
    "review_bins",
    "write_review",
]

__getattr__ = lazily(__name__)


@hookimpl
def scrutable_commands() -> list[Command]:
    """Tables of bins, and the page on which they are edited."""
    return [
        Command(
            name="bins",
            path="scrutable_review.commands.bins:bins",
            summary="Show a line for each feature, by falling information value; tables of its attributes with "
            "--feature or --all.",
            order=40,
        ),
        Command(
            name="review",
            path="scrutable_review.commands.review:review",
            summary="Review bins in the browser: see what each tells, move and merge them, and say why.",
            order=50,
        ),
    ]
