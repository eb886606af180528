"""Search for less discriminatory alternatives, and champion and challengers.

`LDASearch` searches among given rows, `search_alternatives` holds rows out first, `compare_models` compares models that
are there. Names are imported on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing import lazily

if TYPE_CHECKING:
    from scrutable_lifecycle.config import SearchRun
    from scrutable_lifecycle.search.alternatives import search_alternatives
    from scrutable_lifecycle.search.candidate import Candidate, Repeat
    from scrutable_lifecycle.search.comparing import compare_models
    from scrutable_lifecycle.search.ratio_asked import RatioAsked
    from scrutable_lifecycle.search.result import SearchResult
    from scrutable_lifecycle.search.search import LDASearch, SearchWarning
    from scrutable_lifecycle.search.searched import Searched

__all__ = [
    "Candidate",
    "LDASearch",
    "RatioAsked",
    "Repeat",
    "SearchResult",
    "SearchRun",
    "SearchWarning",
    "Searched",
    "compare_models",
    "search_alternatives",
]

__getattr__ = lazily(__name__)
