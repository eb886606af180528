"""Plugin: binner `quantile`."""

from __future__ import annotations

from scrutable.plugins import Component, hookimpl


@hookimpl
def scrutable_binners() -> list[Component]:
    """Cuts at quantiles."""
    return [
        Component(
            name="quantile",
            kind="binner",
            path="scrutable_quantile.binner:QuantileBinner",
            summary="Attributes with about the same share of applicants each; rare categories pooled",
            reference="Dougherty, Kohavi, Sahami (1995), Supervised and Unsupervised Discretization (equal frequency)",
            produces=("binning",),
            enforces=("trend",),
        )
    ]
