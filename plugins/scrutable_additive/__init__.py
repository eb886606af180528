"""Plugin: learners `additive` and `additive-regressor`, binner `fine`, and what shows the path of their cards."""

from __future__ import annotations

from scrutable.plugins import Command, Component, hookimpl


@hookimpl
def scrutable_binners() -> list[Component]:
    """Many small attributes."""
    return [
        Component(
            name="fine",
            kind="binner",
            path="scrutable_additive.fine:FineBinner",
            summary="Many small attributes of about equal weight, for learners that merge them",
            reference="Dougherty, Kohavi, Sahami (1995), Supervised and Unsupervised Discretization (equal frequency)",
            produces=("binning",),
            enforces=("trend",),
        )
    ]


@hookimpl
def scrutable_learners() -> list[Component]:
    """Additive scorecards fitted as one problem."""
    return [
        Component(
            name="additive",
            kind="learner",
            path="scrutable_additive.learner:AdditiveClassifier",
            summary="Scorecard fitted as one problem on fine bins, then merged to few steps",
            reference="Wood, Fasiolo (2017), A generalized Fellner-Schall method, equation (4)",
            produces=("scorecard", "alternatives"),
            enforces=("trend",),
            known_failures={"every-option-does-something: pairs": "no pair pays there; on rows with one it is tested"},
        ),
        Component(
            name="additive-regressor",
            kind="learner",
            path="scrutable_additive.regressor:AdditiveRegressor",
            summary="Scorecard for a quantity, fitted as one problem on fine bins, then merged to few steps",
            reference="Wood, Fasiolo (2017), A generalized Fellner-Schall method, equation (4)",
            produces=("regression-scorecard",),
            enforces=("trend",),
            known_failures={
                "every-option-does-something: shape": "every number of these rows moves the quantity in one direction"
            },
        ),
    ]


@hookimpl
def scrutable_commands() -> list[Command]:
    """The cards between which the learner chose."""
    return [
        Command(
            name="path",
            path="scrutable_additive.commands.path:path",
            summary="Show the cards along the path of a model of an additive learner, from many steps to none.",
            order=65,
        )
    ]
