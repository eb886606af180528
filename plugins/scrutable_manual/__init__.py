"""Plugin: binner `manual`."""

from __future__ import annotations

from scrutable.plugins import Component, hookimpl


@hookimpl
def scrutable_binners() -> list[Component]:
    """Attributes exactly as the user lists them."""
    return [
        Component(
            name="manual",
            kind="binner",
            path="scrutable_manual.binner:ManualBinner",
            summary="Fixed cuts, merges and trends, exactly as given",
            reference="Siddiqi (2006), Credit Risk Scorecards, chapter 6 (grouping by hand)",
            produces=("binning",),
            enforces=("cuts", "merges"),
        )
    ]
