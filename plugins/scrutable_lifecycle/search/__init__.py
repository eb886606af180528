"""Search for less discriminatory alternatives, see `LDASearch`; champion and challengers, see `compare_models`."""

from __future__ import annotations

from scrutable_lifecycle.search.candidate import Candidate, Repeat
from scrutable_lifecycle.search.comparing import compare_models
from scrutable_lifecycle.search.result import SearchResult
from scrutable_lifecycle.search.search import LDASearch, SearchWarning

__all__ = ["Candidate", "LDASearch", "Repeat", "SearchResult", "SearchWarning", "compare_models"]
