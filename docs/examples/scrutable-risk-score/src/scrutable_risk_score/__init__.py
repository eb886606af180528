"""Risk scores: scorecards with a few characteristics and small integer points."""

from __future__ import annotations

from scrutable.plugins import Command, Component, hookimpl


@hookimpl
def scrutable_learners() -> list[Component]:
    """The learner `risk-score`."""
    return [
        Component(
            name="risk-score",
            kind="learner",
            path="scrutable_risk_score.learner:RiskScoreClassifier",
            summary="A sparse scorecard whose points are integers from -5 to 5, by coordinate descent",
            reference="Liu et al. (2022), FasterRisk, NeurIPS 35; Ustun & Rudin (2019), RiskSLIM, JMLR 20(150)",
            produces=("scorecard",),
            enforces=("trend",),
        )
    ]


@hookimpl
def scrutable_commands() -> list[Command]:
    """The command `scrutable risk-card`."""
    return [
        Command(
            name="risk-card",
            path="scrutable_risk_score.command:risk_card",
            summary="Show a risk score as a card: what counts, and how much.",
        )
    ]
