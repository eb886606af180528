"""One applicant asked about in many ways, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
from clock import timed

from scrutable import create
from scrutable.model import Scorecard
from scrutable_counterfactual.answers import Answer
from scrutable_counterfactual.explanation import Counterfactuals


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """K answers of up to S changes each."""

    name: str
    number: int
    changes: int
    found: Counterfactuals
    seconds: float

    @classmethod
    def ask(
        cls,
        name: str,
        number: int,
        changes: int,
        card: Scorecard,
        applicant: pd.DataFrame,
        reference: pd.DataFrame,
        **options: Any,
    ) -> Scenario:
        """CPU time of the whole call, the reference read too."""
        explainer = create("explainer", "counterfactual", number=number, max_changes=changes, needed=False, **options)
        seconds, (found,) = timed(lambda: explainer.explain(card, applicant, reference=reference))
        return cls(name=name, number=number, changes=changes, found=found, seconds=seconds)

    @property
    def heading(self) -> str:
        """Title of a table of its changes."""
        return f"{self.name}, K = {self.number}, S = {self.changes}: {self.found.status}"

    def lines(self) -> list[Sequence[str]]:
        """A line a change, a number an answer."""
        return [
            (str(k), change.title, _shown(change.value), change.required, f"{change.points_gained:.3f}")
            for k, answer in enumerate(self.found.answers, 1)
            for change in answer.changes
        ]

    def mean(self, objective: str) -> float:
        """Mean of an objective; NaN without an answer."""
        costs = [answer.costs[objective] for answer in self.found.answers]
        return float(np.mean(costs)) if costs else float("nan")

    def differences(self) -> tuple[int, int]:
        """Changed features, and values, in which pairs of answers differ: the paper's two diversities."""
        changed = [{change.feature for change in answer.changes} for answer in self.found.answers]
        taken = [{(change.feature, change.required) for change in answer.changes} for answer in self.found.answers]
        features = sum(len(one ^ other) for one, other in combinations(changed, 2))
        return features, sum(len(one ^ other) for one, other in combinations(taken, 2))

    def chances(self) -> str:
        """Lowest and highest probability of the favourable outcome."""
        found = [answer.probability for answer in self.found.answers if answer.probability is not None]
        return f"{min(found):.3f} to {max(found):.3f}" if found else "-"

    def differ(self, *, features: bool, values: bool) -> bool:
        """Whether every pair of answers keeps to equations (11) and (12)."""
        return all(
            not (features and _features(one) == _features(other))
            and not (values and any(a == b for a, b in product(_values(one), _values(other))))
            for one, other in combinations(self.found.answers, 2)
        )


CHANGES = ("answer", "feature", "current value", "required value", "gained")


def _features(answer: Answer) -> set[str]:
    return {change.feature for change in answer.changes}


def _values(answer: Answer) -> set[tuple[str, str]]:
    return {(change.feature, change.required) for change in answer.changes}


def _shown(value: float | str | None) -> str:
    return value if isinstance(value, str) else "missing" if value is None else f"{value:g}"
