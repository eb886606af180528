"""Plugin: fairness constraints."""

from __future__ import annotations

from scrutable.component import Component
from scrutable.hookspecs import hookimpl


@hookimpl
def scrutable_constraints() -> list[Component]:
    """Bounds on approval rates, and on what characteristics tell about the group."""
    return [
        Component(
            name="demographic-parity",
            kind="constraint",
            path="scrutable_fairness.constraints:DemographicParity",
            summary="Approval rates that differ from the reference group's by a slack at most",
            reference="Dwork et al. (2012), Fairness through awareness, section 3.1 (statistical parity)",
            produces=("rate",),
        ),
        Component(
            name="adverse-impact-ratio",
            kind="constraint",
            path="scrutable_fairness.constraints:AdverseImpactRatio",
            summary="Approval rates that are at least a ratio of the reference group's",
            reference="29 CFR 1607.4 D (four-fifths rule)",
            produces=("rate",),
        ),
        Component(
            name="fairness-information-value",
            kind="constraint",
            path="scrutable_fairness.constraints:FairnessInformationValue",
            summary="Characteristics whose attributes tell the group with a bounded information value",
            reference="Pangia et al., Less Discriminatory Alternative and Interpretable XGBoost, equation (6)",
            produces=("divergence",),
        ),
    ]
