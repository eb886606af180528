"""How the search for rules ended, in words."""

from __future__ import annotations

from collections.abc import Iterator

from scrutable.model import Evidence

#: A larger gap is that of the weak bound, which says nothing of the optimum.
_WIDE = 0.5

_ENDINGS = {
    "optimal": "the optimum was reached, proven",
    "no rule found": "no further rule was found that pays",
    "iterations": "the iterations were used up; --option iterations=… allows more",
    "time": "the time limit was reached; --option time_limit=… allows more",
}


def about_ending(evidence: Evidence) -> Iterator[str]:
    """Why no more rules were added, how many were weighed, and what further ones could do; nothing if not recorded."""
    ending, gap, weighed = (evidence.metrics.get(key) for key in ("ending", "gap", "rules_weighed"))
    if isinstance(ending, str) and isinstance(gap, float) and isinstance(weighed, int):
        yield f"Ending: {_ENDINGS.get(ending, ending)}. {weighed} rules were weighed{_beyond(ending, gap)}"


def _beyond(ending: str, gap: float) -> str:
    """What further rules could do, as far as that is known."""
    if ending == "optimal":
        return ""
    if gap > _WIDE:
        return "; how far from the optimum is not known, --option exact=true looks (small data only)"
    return f"; further ones could lower the objective by {gap:.1%} at most"
