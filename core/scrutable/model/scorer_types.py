"""What a function that scores one applicant takes and says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scrutable.data.outcome import ClassLabel

#: What is said of an applicant: the score, the decision, and the codes of the reasons that there are.
Scored = tuple[float | None, ClassLabel | None, list[str]]
Scorer = Callable[[Any], Scored]
