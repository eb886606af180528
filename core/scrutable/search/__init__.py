"""Search for less discriminatory alternatives, see `LDASearch`; champion and challengers, see `compare_models`."""

from __future__ import annotations

from scrutable.search.candidate import Candidate, Repeat
from scrutable.search.comparing import compare_models
from scrutable.search.result import SearchResult
from scrutable.search.search import LDASearch, SearchWarning

__all__ = ["Candidate", "LDASearch", "Repeat", "SearchResult", "SearchWarning", "compare_models"]
