"""Accuracy and equal opportunity: random configurations of every method, chosen on rows and measured on others."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from report import Row

from boosting import fork, methods
from boosting.data import REAL, Parts, Problem
from boosting.draws import Draw
from boosting.measures import Reading, volume
from boosting.methods import Found, Method
from boosting.ours import Ours
from boosting.targets import TARGETS

#: Share of the rows that no tree is grown on where multipliers are held out.
HELD_OUT = 0.2
#: The methods that the rows with bounds are about.
BOUNDED = ("plain", "signed", "signed, held out", "fork")


@dataclass(frozen=True, kw_only=True)
class Compared:
    """Every method on the same splits with the same draws."""

    problem: Problem
    draws: Sequence[Draw]
    found: dict[str, list[Found]]

    def volumes(self, name: str, reading: Reading = "ratio") -> NDArray[np.float64]:
        """(splits,) hypervolumes; from the accuracy of the constant decision, and a ratio of zero."""
        floor = (max(self.problem.y.mean(), 1 - self.problem.y.mean()), 0.0)
        return np.array([volume(each.tried, floor, reading) for each in self.found[name]])

    def of(self, name: str, what: str) -> NDArray[np.float64]:
        """(splits, draws) of what is measured on test rows."""
        return np.array([[getattr(each.test, what) for each in found.tried] for found in self.found[name]])

    def lost(self, name: str) -> NDArray[np.float64]:
        """(splits, draws) points of accuracy below plain LightGBM with the same trees."""
        return 100 * (self.of("plain", "accuracy") - self.of(name, "accuracy"))

    def largest(self, name: str) -> float | None:
        """The largest absolute score; None where there is none."""
        sizes = [each.largest for found in self.found[name] for each in found.tried]
        return None if None in sizes else max(size for size in sizes if size is not None)

    def seconds(self, name: str) -> float:
        """CPU seconds of training by configuration, or by run of a method that makes fewer."""
        return sum(each.seconds for each in self.found[name]) / sum(len(each.tried) for each in self.found[name])


def compare(name: str, draws: Sequence[Draw], splits: int, among: Collection[str] | None = None) -> Compared:
    """Run every method, or some, on one data set."""
    problem = REAL[name]()
    parts = [Parts.of(problem, seed) for seed in range(splits)]
    methods = {each: method for each, method in compared_methods().items() if among is None or each in among}
    found = {each: [method(part, draws) for part in parts] for each, method in methods.items()}
    return Compared(problem=problem, draws=draws, found=found)


@cache
def compared_methods() -> dict[str, Method]:
    """The methods by name; the fork where it is present."""
    return {
        "plain": methods.plain,
        "signed": Ours(),
        "signed, held out": Ours(options={"held_out": HELD_OUT}),
        "proxy-lagrangian": Ours(options={"method": "proxy-lagrangian", "held_out": None}),
        **({"fork": methods.of_fork} if fork.present() else {}),
        "ExponentiatedGradient": methods.exponentiated,
        "GridSearch": methods.searched,
        "ThresholdOptimizer": methods.thresholds,
    }


COLUMNS = (
    "method",
    "runs",
    "accuracy",
    "lost at worst",
    "ratio, median",
    "of declined",
    "hypervolume",
    "of declined",
    "largest score",
    "CPU s a run",
)


def lines_of(compared: Compared) -> list[list[str]]:
    """One line a method; without bounds."""
    rows = []
    for name, found in compared.found.items():
        accuracy, largest = compared.of(name, "accuracy"), compared.largest(name)
        same = accuracy.shape[1] == len(compared.draws)
        rows.append(
            [
                name,
                f"{len(found)} x {accuracy.shape[1]}",
                f"{100 * accuracy.mean():.2f}",
                f"{compared.lost(name).mean(axis=0).max():.2f}" if same else "",
                *(f"{np.median(compared.of(name, reading)):.3f}" for reading in ("ratio", "declined")),
                f"{compared.volumes(name).mean():.4f}",
                f"{compared.volumes(name, 'declined').mean():.4f}",
                "" if largest is None else f"{largest:.3g}",
                f"{compared.seconds(name):.2f}",
            ]
        )
    if not fork.present():
        rows.append(["fork: not run, no interpreter named", *[""] * (len(COLUMNS) - 1)])
    return rows


def rows_of(compared: Compared) -> Iterator[Row]:
    """What the issue asks of adult; what is measured against the fork is absent without it."""
    targets = TARGETS["adult"]
    name = compared.problem.name
    if fork.present():
        yield from (_beside_fork(compared, reading) for reading in READINGS)
    lost = compared.lost("signed")
    worst = lost.mean(axis=0)
    yield Row(
        name=f"{name}: accuracy lost by the worst configuration",
        value=worst.max(),
        unit="points",
        relation="<=",
        bound=targets["worst_configuration"],
        peer=compared.lost("fork").mean(axis=0).max() if fork.present() else None,
        note=f"below plain with the same trees, mean of {len(lost)} splits; worst of all runs {lost.max():.2f}, "
        f"mean {lost.mean():.2f}; {_shown(compared.draws[int(worst.argmax())])}; peer: fork",
    )
    held = "signed, held out"
    ratios = {each: float(np.median(compared.of(each, "ratio"))) for each in compared.found}
    slacks = np.array([draw.slack for draw in compared.draws])
    equal = np.median(compared.of(held, "ratio")[:, slacks == 0])
    yield Row(
        name=f"{name}: median ratio with held-out multipliers",
        value=ratios[held],
        unit="ratio",
        relation=">=",
        bound=targets["median_ratio"],
        peer=ratios.get("fork"),
        note=f"of true positive rates; where the slack is 0: {equal:.3f}; signed {ratios['signed']:.3f}, plain "
        f"{ratios['plain']:.3f}; of false negative rates {np.median(compared.of(held, 'declined')):.3f}; peer: fork",
    )


#: What the rows call the ratios.
READINGS: dict[Reading, str] = {"ratio": "ratio of TPR", "declined": "ratio of FNR"}


def _beside_fork(compared: Compared, reading: Reading) -> Row:
    ours, theirs = compared.volumes("signed", reading), compared.volumes("fork", reading)
    others = {each: compared.volumes(each, reading).mean() for each in ("signed, held out", "plain")}
    words = ", ".join(f"{each} {value:.4f}" for each, value in others.items())
    differences = " ".join(f"{each:+.4f}" for each in ours - theirs)
    return Row(
        name=f"{compared.problem.name}: hypervolume, {READINGS[reading]}",
        value=ours.mean(),
        unit="",
        relation=">=",
        bound=round(float(theirs.mean()), 4),
        peer=theirs.mean(),
        note=f"peer and bound: fork; {len(compared.draws)} configurations, {len(ours)} splits: {differences}; {words}",
    )


def _shown(draw: Draw) -> str:
    return (
        f"{draw.n_estimators} trees of {draw.max_leaves} leaves, rate {draw.learning_rate:.2g}, multiplier rate "
        f"{draw.multiplier_rate:.2g}, slack {draw.slack:g}"
    )
