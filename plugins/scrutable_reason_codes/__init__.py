"""Plugin: explainer `reason-codes`."""

from __future__ import annotations

from scrutable.plugins import Command, Component, hookimpl


@hookimpl
def scrutable_explainers() -> list[Component]:
    """Reasons for each decision."""
    return [
        Component(
            name="reason-codes",
            kind="explainer",
            path="scrutable_reason_codes.explainer:ReasonCodes",
            summary="Principal reasons: the characteristics whose points fall furthest below the average applicant's",
            reference="12 CFR part 1002, Supplement I, comment 9(b)(2)-5 (methods of selecting reasons)",
            produces=("reasons",),
            accepts=("scorecard", "rule-set", "tree-ensemble", "segmented-model"),
        )
    ]


@hookimpl
def scrutable_commands() -> list[Command]:
    """What a model's reasons are."""
    return [
        Command(
            name="reasons",
            path="scrutable_reason_codes.commands.reasons:reasons",
            summary="How the reasons of a decline are chosen, and the text of every reason code; of segments, those "
            "of each.",
            order=130,
        ),
    ]
