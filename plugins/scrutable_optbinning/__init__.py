"""Plugin: binner `optbinning`, with the library of that name behind it."""

from __future__ import annotations

from scrutable.plugins import Component, hookimpl


@hookimpl
def scrutable_binners() -> list[Component]:
    """Attributes of highest information value, by a library."""
    return [
        Component(
            name="optbinning",
            kind="binner",
            path="scrutable_optbinning.binner:OptBinningBinner",
            summary="Attributes of highest information value, by OptBinning's constraint programming",
            reference="Navas-Palencia (2020), Optimal binning: mathematical programming formulation, arXiv:2001.08025",
            produces=("binning",),
            enforces=("trend", "min-share", "max-bins"),
            extra="optbinning",
            requires=("optbinning",),
            known_failures={
                "the-scale-of-weights-means-nothing": "limits and the library's counts are whole numbers of weight",
                "whole-weights-are-repeated-rows-under-every-option": "the library finds its pre-bins by counting rows",
            },
        )
    ]
