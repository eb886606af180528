"""What the bounds of a fairness constraint count."""

from __future__ import annotations

from typing import Literal

#: The favourable decision, or a decision that differs from the outcome.
Rate = Literal["approval", "error"]
#: Rows of the favourable outcome, or all of them.
Rows = Literal["events", "all"]
