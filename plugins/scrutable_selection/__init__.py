"""Plugin: selectors: which characteristics a model may use, with the reason of each that leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.plugins import Command, Component, hookimpl
from scrutable.writing import lazily

if TYPE_CHECKING:
    from scrutable_selection.selecting import Selected, select

__all__ = ["Selected", "select"]

__getattr__ = lazily(__name__)


@hookimpl
def scrutable_selectors() -> list[Component]:
    """What chooses characteristics."""
    return [
        Component(
            name="standard",
            kind="selector",
            path="scrutable_selection.standard:StandardSelector",
            summary="Drops what chance may have told, copies, and what adds too little beside the others",
            reference="Benjamini, Hochberg (1995), Controlling the false discovery rate, JRSS B 57(1)",
        ),
        Component(
            name="iv",
            kind="selector",
            path="scrutable_selection.iv:IVSelector",
            summary="Drops what has an information value below a floor, as practice has it",
            reference="Siddiqi (2006), Credit Risk Scorecards, chapter 6",
        ),
        Component(
            name="stepwise",
            kind="selector",
            path="scrutable_selection.searches:StepwiseSelector",
            summary="One enters or leaves at a time, by likelihood ratios, AIC or BIC",
            reference="Efroymson (1960), Multiple regression analysis, in Ralston and Wilf",
        ),
        Component(
            name="best-subset",
            kind="selector",
            path="scrutable_selection.searches:BestSubsetSelector",
            summary="At most so many, proven the best for the quadratic at the full fit",
            reference="Furnival, Wilson (1974), Regressions by leaps and bounds, Technometrics 16(4)",
        ),
        Component(
            name="group-penalty",
            kind="selector",
            path="scrutable_selection.searches:GroupPenaltySelector",
            summary="The set on the path of a penalty on characteristics that BIC chooses",
            reference="Yuan, Lin (2006), Model selection with grouped variables, JRSS B 68(1)",
        ),
    ]


@hookimpl
def scrutable_commands() -> list[Command]:
    """Selection of a file's characteristics by itself."""
    return [
        Command(
            name="select",
            path="scrutable_selection.commands.select:select",
            summary="Select characteristics: what stays, what leaves, and why.",
            order=45,
        )
    ]
