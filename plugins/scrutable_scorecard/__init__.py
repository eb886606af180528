"""Plugin: learner `scorecard`."""

from __future__ import annotations

from scrutable.component import Component
from scrutable.hookspecs import hookimpl


@hookimpl
def scrutable_learners() -> list[Component]:
    """The classical scorecard."""
    return [
        Component(
            name="scorecard",
            kind="learner",
            path="scrutable_scorecard.learner:ScorecardClassifier",
            summary="Logistic scorecard on WoE or one attribute each, with monotone trends and PDO scaling",
            reference="Siddiqi (2006), Credit Risk Scorecards, chapter 6",
            produces=("scorecard",),
            enforces=("trend",),
        )
    ]
