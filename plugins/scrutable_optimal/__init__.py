"""Plugin: binner `optimal`, with OptBinning behind it."""

from __future__ import annotations

from scrutable.component import Component
from scrutable.hookspecs import hookimpl


@hookimpl
def scrutable_binners() -> list[Component]:
    """Attributes of highest information value."""
    return [
        Component(
            name="optimal",
            kind="binner",
            path="scrutable_optimal.binner:OptimalBinner",
            summary="Attributes of highest information value, by OptBinning's constraint programming",
            reference="Navas-Palencia (2020), Optimal binning: mathematical programming formulation, arXiv:2001.08025",
            produces=("binning",),
            enforces=("trend", "min-share", "max-bins"),
            extra="optimal",
            requires=("optbinning",),
        )
    ]
