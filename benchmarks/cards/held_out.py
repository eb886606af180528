"""Random splits: AUC, log-loss, steps and CPU time of the learner beside EBM's main effects and OptBinning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from report import Row

from cards import ebm, models
from cards.data import Ints, Split, split, whole
from cards.figures import Difference, auc, loss

#: Fits of this project and of OptBinning, by the name that tables have.
FITS: Mapping[str, Callable[[Split], models.Fitted]] = {
    "additive": models.additive,
    "40 steps": lambda parts: models.additive(parts, max_steps=40),
    "nearest": lambda parts: models.additive(parts, keep=1.0, shape="free", min_count=0),
    "20 points": lambda parts: models.additive(parts, max_points=20),
    "5 points": lambda parts: models.additive(parts, max_points=5),
    "OptBinning": models.optbinning,
    "scorecard": models.scorecard,
}
#: Rows of a set from which on its own mean has a bound beside EBM's.
_MANY = 1_000
_KKT = 1e-8


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What one fit came to on one split: figures of rows held out, CPU seconds, and steps and KKT residual if told."""

    auc: float
    loss: float
    seconds: float
    steps: int = 0
    residual: float = 0.0


#: By name of the fit, set, and seed.
Figures = Mapping[str, Mapping[str, Sequence[Figure]]]


def measured(names: tuple[str, ...], seeds: int, python: str | None, kept: Path) -> Figures:
    """All fits, one split after another; EBM's, too, where its interpreter is given."""
    models.additive(split(names[0], 0))  # what the first call imports is no part of a fit
    every = [*(["EBM"] if python else []), *FITS]
    figures: dict[str, dict[str, list[Figure]]] = {fit: {name: [] for name in names} for fit in every}
    for name, seed in product(names, range(seeds)):
        parts = split(name, seed)
        good = parts.held.y
        if python:
            theirs = ebm.fit(python, parts, kept / f"{name}-{seed}")
            p = theirs.probability
            figures["EBM"][name].append(
                Figure(auc=auc(good, p), loss=loss(good, p), seconds=theirs.seconds, steps=theirs.steps)
            )
        for fit, work in FITS.items():
            figures[fit][name].append(_figure(work(parts), good))
    return figures


def cells(figures: Figures) -> Iterator[list[str]]:
    """For each set the mean AUC of every fit, and how far it is above that of EBM, or else of OptBinning."""
    beside = "EBM" if "EBM" in figures else "OptBinning"
    for name in figures["additive"]:
        means = [f"{np.mean([each.auc for each in figures[fit][name]]):.4f}" for fit in figures]
        away = [_differences(figures, fit, beside, "auc", [name]) for fit in figures]
        told = [mean if fit == beside else f"{each}" for fit, mean, each in zip(figures, means, away, strict=True)]
        yield [name, *told]


def rows(figures: Figures) -> Iterator[Row]:
    """Every figure that has a bound."""
    yield from _rows_beside_optbinning(figures)
    for fit, bound in (("20 points", -0.001), ("5 points", -0.006)):
        lost = _differences(figures, fit, "additive", "auc")
        yield _row(f"all sets: AUC with {fit} an attribute at most less that of the card", lost, ">=", bound)
    residuals = [each.residual for name in figures["additive"] for each in figures["additive"][name]]
    yield Row(name="largest KKT residual of the dense fits", value=max(residuals), unit="", relation="<=", bound=_KKT)
    if "EBM" in figures:
        yield from _rows_of_auc(figures)
        yield from _rows_of_steps(figures)
        yield from _rows_of_seconds(figures)


def _rows_beside_optbinning(figures: Figures) -> Iterator[Row]:
    mean = _differences(figures, "additive", "OptBinning", "auc")
    yield _row("all sets: AUC less OptBinning's", mean, ">=", 0.005)
    for name in figures["additive"]:
        own = _differences(figures, "additive", "OptBinning", "auc", [name])
        yield Row(
            name=f"{name}: AUC less OptBinning's",
            value=own.in_errors,
            unit="s.e.",
            relation=">=",
            bound=-1.5,
            note=str(own),
        )


def _rows_of_auc(figures: Figures) -> Iterator[Row]:
    for fit, words, bound in (
        ("additive", "AUC less EBM's", -0.0015),
        ("nearest", "AUC of the nearest card to the dense fit less EBM's", 0.0),
        ("40 steps", "AUC with 40 steps at most less EBM's", -0.004),
        ("scorecard", "AUC of scorecard less EBM's", -0.007),
    ):
        yield _row(f"all sets: {words}", _differences(figures, fit, "EBM", "auc"), ">=", bound)
    for name in figures["additive"]:
        if len(whole(name).y) > _MANY:
            yield _row(f"{name}: AUC less EBM's", _differences(figures, "additive", "EBM", "auc", [name]), ">=", -0.003)
    yield _row("all sets: log-loss less EBM's", _differences(figures, "additive", "EBM", "loss"), "<=", 0.0)


def _rows_of_steps(figures: Figures) -> Iterator[Row]:
    ours, theirs = (
        float(np.median([each.steps for of_set in figures[fit].values() for each in of_set]))
        for fit in ("additive", "EBM")
    )
    yield Row(
        name="median steps",
        value=ours / theirs,
        unit="of EBM's",
        relation="<=",
        bound=0.1,
        note=f"{ours:g} and {theirs:g}",
    )


def _rows_of_seconds(figures: Figures) -> Iterator[Row]:
    for name in figures["additive"]:
        ours, theirs = (np.array([each.seconds for each in figures[fit][name]]) for fit in ("additive", "EBM"))
        yield Row(
            name=f"{name}: CPU of a fit",
            value=float(np.median(ours / theirs)),
            unit="of EBM's",
            relation="<=",
            bound=0.1,
            note=f"{np.median(ours):.2f} s and {np.median(theirs):.2f} s",
        )


def _row(name: str, difference: Difference, relation: str, bound: float) -> Row:
    note = f"standard error {difference.error:.4f}"
    return Row(name=name, value=difference.mean, unit="", relation=relation, bound=bound, note=note)


def _differences(figures: Figures, one: str, other: str, figure: str, names: Sequence[str] | None = None) -> Difference:
    """One fit's figure less another's on the same split, over some of the sets or all."""
    return Difference.of(
        {
            name: [
                getattr(ours, figure) - getattr(theirs, figure)
                for ours, theirs in zip(figures[one][name], figures[other][name], strict=True)
            ]
            for name in names or figures[one]
        }
    )


def _figure(fitted: models.Fitted, good: Ints) -> Figure:
    p, card = fitted.probability, fitted.card
    told = {"steps": card["chosen"]["steps"], "residual": card["dense"]["kkt_residual"]} if card else {}
    return Figure(auc=auc(good, p), loss=loss(good, p), seconds=fitted.seconds, **told)
