"""The base class of each kind of component, known by its name, so that discovery imports none of them."""

from __future__ import annotations

from scrutable.plugins.component import Kind

#: Classes in `scrutable.plugins.bases` that components of each kind are derived from.
BASES: dict[Kind, tuple[str, ...]] = {
    "binner": ("Binner",),
    "learner": ("Learner", "RegressionLearner"),
    "constraint": ("FairnessConstraint",),
    "explainer": ("Explainer",),
    "exporter": ("Exporter",),
    "importer": ("Importer",),
    "dialect": ("Dialect",),
    "selector": ("Selector",),
    "source": ("RowSource",),
}


def base_of(cls: type, kind: Kind) -> type | None:
    """The base class of a kind that a class is derived from; None where it is derived from none.

    >>> base_of(dict, "binner")
    """
    known = {f"scrutable.plugins.bases.{kind}.{name}" for name in BASES[kind]}
    return next((each for each in cls.__mro__ if f"{each.__module__}.{each.__qualname__}" in known), None)
