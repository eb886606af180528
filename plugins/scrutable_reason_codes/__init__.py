"""Plugin: explainer `reason-codes`."""

from __future__ import annotations

from scrutable.component import Component
from scrutable.hookspecs import hookimpl


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
