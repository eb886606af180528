"""A bound on the adverse impact ratio on mid-size data: kept on rows that trees know, and on others."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from report import Row, lines
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split

from boosting.data import Problem
from boosting.targets import TARGETS
from scrutable import create
from scrutable_fairgbm.row_sets import HeldOutShare

#: The smallest ratio of approval rates that the bound asks for.
ASKED: float = TARGETS["mid_size"]["asked"]
#: Other rows that a model is measured on, at most.
_OTHERS = 8000


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Means over splits with standard errors: the ratio on the rows learned from and on others, and the AUC there."""

    learned: tuple[float, float]
    others: tuple[float, float]
    auc: tuple[float, float]
    held_out: float


def compare(whole: Problem, n: int, splits: int) -> dict[str, Kept]:
    """With rows held out by default, and with none, on the same splits."""
    wanted: dict[str, HeldOutShare] = {"default": "auto", "none held out": None}
    return {name: _kept([_fitted(whole, n, seed, held) for seed in range(splits)]) for name, held in wanted.items()}


def lines_of(n: int, found: dict[str, Kept]) -> list[list[str]]:
    """A line for each way of holding out."""
    return [
        [f"{n:,}", name, f"{each.held_out:.0%}", *(f"{mean:.3f} ({error:.3f})" for mean, error in _figures(each))]
        for name, each in found.items()
    ]


def row_of(whole: Problem, n: int, splits: int, found: dict[str, Kept]) -> Row:
    """The ratio on other rows."""
    default, none = found["default"], found["none held out"]
    return Row(
        name=f"{whole.name}, {n:,} rows: ratio of approval rates on others, {ASKED:g} asked",
        value=default.others[0],
        unit="ratio",
        relation=">=",
        bound=TARGETS["mid_size"]["least"],
        peer=none.others[0],
        note=f"means of {splits} splits, standard errors {default.others[1]:.3f} and {none.others[1]:.3f}; "
        f"AUC {default.auc[0]:.4f} and {none.auc[0]:.4f}; peer: no rows held out",
    )


#: Columns of the lines.
COLUMNS = ("rows", "", "held out", "ratio on them", "ratio on others", "AUC on others")


def rows_of_mid_size(whole: Problem, sizes: Sequence[int], splits: int) -> Iterator[Row]:
    """A table of a data set, and its figures."""
    found = {n: compare(whole, n, splits) for n in sizes}
    table = [line for n, each in found.items() for line in lines_of(n, each)]
    lines(f"{whole.name}, ratio of approval rates {ASKED:g} asked: means (standard errors)", COLUMNS, table)
    yield from (row_of(whole, n, splits, each) for n, each in found.items())


def _fitted(whole: Problem, n: int, seed: int, held_out: HeldOutShare) -> tuple[float, float, float, float]:
    """Ratio on the rows learned from and on others, AUC there, and the share that was held out."""
    strata = 2 * whole.y + whole.members
    learn, others = train_test_split(np.arange(len(strata)), train_size=n, random_state=seed, stratify=strata)
    mine, theirs = whole.rows(learn), whole.rows(others[:_OTHERS])
    learner = create(
        "learner",
        "fairgbm",
        constraints=create("constraint", "adverse-impact-ratio", ratio=ASKED),
        operating={"approval": float(whole.y.mean())},
        held_out=held_out,
        random_state=seed,
    )
    learner.fit(mine.frame, mine.y, sensitive_features=mine.groups.to_frame())
    reference = mine.groups.value_counts().index[0]
    there = learner.evaluate(theirs.frame)
    return (
        _ratio(mine.groups, learner.evaluate(mine.frame).approved, reference),
        _ratio(theirs.groups, there.approved, reference),
        float(roc_auc_score(theirs.y, there.score)),
        learner.evidence_.metrics["rows_held_out"] / n,
    )


def _ratio(groups: pd.Series, approved: NDArray[np.bool_], reference: str) -> float:
    """The smallest approval rate of a group by the reference's."""
    rates = pd.Series(approved).groupby(groups.to_numpy()).mean()
    return float(rates.drop(reference).min() / rates[reference])


def _kept(found: Sequence[tuple[float, float, float, float]]) -> Kept:
    learned, others, auc, held_out = zip(*found, strict=True)
    return Kept(learned=_mean(learned), others=_mean(others), auc=_mean(auc), held_out=statistics.mean(held_out))


def _mean(values: Sequence[float]) -> tuple[float, float]:
    return statistics.mean(values), statistics.stdev(values) / len(values) ** 0.5


def _figures(kept: Kept) -> list[tuple[float, float]]:
    return [kept.learned, kept.others, kept.auc]
