"""Search for less discriminatory alternatives; see `LDASearch`."""

from __future__ import annotations

from scrutable.search.candidate import Candidate, Repeat
from scrutable.search.result import SearchResult
from scrutable.search.search import LDASearch, SearchWarning

__all__ = ["Candidate", "LDASearch", "Repeat", "SearchResult", "SearchWarning"]
