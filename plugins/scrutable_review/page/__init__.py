"""A review of bins in the browser: one page, served to this machine only, and the file that its edits are saved in."""

from scrutable_review.page.scale import Scale, scales_of
from scrutable_review.page.server import ReviewServer
from scrutable_review.page.session import ReviewSession

__all__ = ["ReviewServer", "ReviewSession", "Scale", "scales_of"]
