"""Plugin: binner `optimal`."""

from __future__ import annotations

from scrutable.plugins import Component, hookimpl


@hookimpl
def scrutable_binners() -> list[Component]:
    """Attributes of highest information value."""
    return [
        Component(
            name="optimal",
            kind="binner",
            path="scrutable_optimal.binner:OptimalBinner",
            summary="Attributes of highest information value, exact by dynamic programming over counts",
            reference="Fisher (1958), On grouping for maximum homogeneity, J. Am. Stat. Assoc. 53(284)",
            produces=("binning",),
            enforces=("trend", "min-share", "max-bins"),
        )
    ]
