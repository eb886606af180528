"""Plugin: fairness constraints."""

from __future__ import annotations

from scrutable.plugins import Component, hookimpl


@hookimpl
def scrutable_constraints() -> list[Component]:
    """Bounds on approval and error rates, and on what characteristics tell about the group."""
    return [
        Component(
            name="demographic-parity",
            kind="constraint",
            path="scrutable_fairness.constraints:DemographicParity",
            summary="Approval rates that differ between groups by a slack at most",
            reference="Dwork et al. (2012), Fairness through awareness, section 3.1 (statistical parity)",
            produces=("rate",),
            enforces=("approval",),
        ),
        Component(
            name="adverse-impact-ratio",
            kind="constraint",
            path="scrutable_fairness.constraints:AdverseImpactRatio",
            summary="Approval rates of at least a ratio of the reference group's (one-sided), or in pairs both ways",
            reference="A ratio of approval rates to the reference group's; not the four-fifths rule of employment law",
            produces=("rate",),
            enforces=("approval",),
        ),
        Component(
            name="opportunity",
            kind="constraint",
            path="scrutable_fairness.error_rates:Opportunity",
            summary="Approval rates among good payers that differ between groups by a slack at most",
            reference="Hardt et al. (2016), Equality of Opportunity in Supervised Learning, definition 2.2",
            produces=("rate",),
            enforces=("approval-of-good",),
        ),
        Component(
            name="error-rate-balance",
            kind="constraint",
            path="scrutable_fairness.error_rates:ErrorRateBalance",
            summary="Approval rates among good and among bad payers that differ by a slack at most (equalized odds)",
            reference="Chouldechova (2017), Fair prediction with disparate impact; Hardt et al. (2016), definition 2.1",
            produces=("rate",),
            enforces=("approval-of-good", "approval-of-bad"),
        ),
        Component(
            name="disparate-mistreatment",
            kind="constraint",
            path="scrutable_fairness.error_rates:DisparateMistreatment",
            summary="Misclassification rates of every class that differ between groups by a slack at most (DMC)",
            reference="Rule Generation for Classification (RUG), equations (8) to (11)",
            produces=("rate",),
            enforces=("error-of-good", "error-of-bad"),
        ),
        Component(
            name="overall-mistreatment",
            kind="constraint",
            path="scrutable_fairness.error_rates:OverallMistreatment",
            summary="Overall misclassification rates that differ between groups by a slack at most (ODM)",
            reference="Rule Generation for Classification (RUG), equations (12) to (15)",
            produces=("rate",),
            enforces=("error",),
        ),
        Component(
            name="false-positive-rate",
            kind="constraint",
            path="scrutable_fairness.aliases:FalsePositiveRate",
            summary="Alias: opportunity if the unfavourable class is called positive, else approvals of bad payers",
            reference="Cruz et al. (2023), FairGBM, table 1 (predictive equality)",
            produces=("rate",),
            enforces=("approval-of-good",),
            options={"positive": "unfavourable"},
        ),
        Component(
            name="false-negative-rate",
            kind="constraint",
            path="scrutable_fairness.aliases:FalseNegativeRate",
            summary="Alias: opportunity if the favourable class is called positive, else approvals of bad payers",
            reference="Cruz et al. (2023), FairGBM, table 1",
            produces=("rate",),
            enforces=("approval-of-bad",),
            options={"positive": "unfavourable"},
        ),
        Component(
            name="equal-opportunity",
            kind="constraint",
            path="scrutable_fairness.aliases:EqualOpportunity",
            summary="Alias: opportunity if the favourable class is called positive, else approvals of bad payers",
            reference="Rule Generation for Classification (RUG), equation (21)",
            produces=("rate",),
            enforces=("approval-of-good",),
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
