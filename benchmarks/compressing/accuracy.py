"""Accuracies beside the paper's, and all ways to thresholds side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from report import Row

from compressing.data import FOLDS, folds
from compressing.discretised import Discretised, Measured, mean_of
from compressing.targets import TARGETS

#: The quantiles that the paper's figure 3 has, by their names in the targets.
PAPERS = {"all": 0.0, "few": 0.7}
#: What a table shows of trees; and that of the ways to thresholds.
OF_TREES = ("thresholds", "features", "compression", "inconsistency", "optimal", "it uses", "STreeD", "CART", "it uses")
COLUMNS = ("thresholds by", "Q", *OF_TREES)

Way = tuple[str, str]


@dataclass(frozen=True, kw_only=True, eq=False)
class Compared:
    """A data set: accuracy of the target model, and of trees by how thresholds were ranked and at which Q they are."""

    name: str
    target: float
    ways: Mapping[Way, Measured]


def compare(name: str, quantiles: Sequence[float], refitted: bool) -> Compared:
    """Means over the folds. Where thresholds are ranked by gain, there are as many as counterfactuals leave at Q."""
    found: dict[Way, list[Measured]] = {}
    targets = []
    for fold in folds(name):
        discretised = Discretised.of(fold)
        targets.append(discretised.accuracy)
        for way, measured in _ways(discretised, quantiles, refitted):
            found.setdefault(way, []).append(measured)
    return Compared(
        name=name, target=float(np.mean(targets)), ways={way: mean_of(measured) for way, measured in found.items()}
    )


def lines_of(compared: Compared) -> list[list[str]]:
    """Lines of the table of a data set."""
    return [[*way, *cells(measured)] for way, measured in compared.ways.items()]


def cells(measured: Measured) -> list[str]:
    """What a table shows of trees."""
    return [
        _number(measured.thresholds),
        _number(measured.features),
        _percent(measured.compression),
        _percent(measured.inconsistency),
        _percent(measured.optimal),
        _number(measured.features_of_optimal),
        _percent(measured.streed),
        _percent(measured.cart),
        _number(measured.features_of_cart),
    ]


def rows_of(compared: Sequence[Compared]) -> Iterator[Row]:
    """How far accuracies are from the paper's, and whether trees are as good as STreeD's."""
    for each in compared:
        paper = TARGETS["target"][each.name]
        yield Row(
            name=f"accuracy of the target model, {each.name}: from the paper's",
            value=abs(100 * each.target - paper),
            unit="points",
            relation="<=",
            bound=TARGETS["tolerance"]["target"],
            note=f"ours {100 * each.target:.2f}, paper {paper:.2f}",
        )
    for each in compared:
        for label, quantile in PAPERS.items():
            yield _row_of_tree(each, label, quantile)
    trees = [measured for each in compared for measured in each.ways.values() if measured.thresholds > 0]
    worse, better = (FOLDS * sum(getattr(measured, side) for measured in trees) for side in ("worse", "better"))
    if not np.isnan(worse):
        yield Row(
            name="optimal trees whose objective is above STreeD's",
            value=worse,
            unit="trees",
            relation="<=",
            bound=0,
            note=f"of {FOLDS * len(trees)}: every fold and choice of thresholds in the tables; {better:g} below it",
        )


def _row_of_tree(compared: Compared, label: str, quantile: float) -> Row:
    measured, by_gain = (compared.ways[way, f"{quantile:g}"] for way in ("counterfactuals", "gain, as many"))
    paper = TARGETS["tree"][label][compared.name]
    peer = "" if np.isnan(measured.streed) else f"; STreeD's trees {100 * measured.streed:.2f}"
    return Row(
        name=f"accuracy of the optimal tree, {compared.name}, Q = {quantile:g}: from the paper's",
        value=abs(100 * measured.optimal - paper),
        unit="points",
        relation="<=",
        bound=TARGETS["tolerance"]["tree"],
        note=f"ours {100 * measured.optimal:.2f}, paper {paper:.1f}{peer}; as many thresholds by gain "
        f"{100 * by_gain.optimal:.2f}; {measured.thresholds:.1f} thresholds, compression "
        f"{_percent(measured.compression)}, inconsistency {_percent(measured.inconsistency)}",
    )


def _ways(discretised: Discretised, quantiles: Sequence[float], refitted: bool) -> Iterator[tuple[Way, Measured]]:
    for quantile in quantiles:
        kept = discretised.found.thresholds.at(quantile)
        at = f"{quantile:g}"
        yield ("counterfactuals", at), discretised.on(kept)
        yield ("gain, as many", at), discretised.on(discretised.by_gain.largest(len(kept)))
    if refitted:
        yield ("refits (GTRE)", ""), discretised.on(discretised.refitted)
    yield ("(numbers)", ""), discretised.undiscretised()


def _percent(share: float) -> str:
    return "" if np.isnan(share) else f"{100 * share:.1f} %"


def _number(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.1f}"
