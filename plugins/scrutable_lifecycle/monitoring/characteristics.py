"""What is distributed besides the score: a scorecard's attributes, and what other models tell apart in a feature."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable.data import Bools
from scrutable.data.frames import select
from scrutable.measures import Scored, Stability, sizes_of, stability
from scrutable.model import Cells, DecisionModel, Feature, Scorecard, SingleModel, cells_of, clauses_of, titles_of

#: A numeric feature of which a model tells more cells apart is watched in bands of them.
MOST_CELLS = 20


def characteristic_stability(
    model: SingleModel, baseline: Scored, new: Scored, bands: int, rows: Bools | None = None
) -> tuple[Stability, ...]:
    """The index of each characteristic, with what it adds to the shift of the mean score, in the model's order.

    Missing values, special codes and values never seen in training are attributes of their own. Features without
    points, all those of rules and trees among them, are divided into the cells that the model tells apart. A
    characteristic that gives everybody the same points is left out: it can move no score.

    Parameters
    ----------
    rows : (m,) which of the new applicants; None means all.
    """
    return (*_attributes(model, baseline, new, rows), *_cells(model, baseline, new, bands, rows))


def without_points(model: DecisionModel) -> list[str]:
    """Titles of the characteristics that give everybody the same points, and so move no score; by the model's order."""
    constant: dict[str, None] = {}
    for single in model.parts:
        titles = {feature.name: feature.title for feature in single.features}
        idle = _idle(single)
        constant |= dict.fromkeys(title for name, title in titles.items() if name in idle)
    return list(constant)


def _attributes(model: SingleModel, baseline: Scored, new: Scored, rows: Bools | None) -> Iterator[Stability]:
    if not isinstance(model, Scorecard):
        return
    sizes = sizes_of(baseline.cohort, new.cohort, rows)
    titles = titles_of(model)
    for name, term in model.terms.items():
        if term.is_constant:
            continue
        before, now = (
            sample.cohort.sizes(sample.evaluation.attribute[name], len(term.cells), chosen)
            for sample, chosen in ((baseline, None), (new, rows))
        )
        yield stability(titles[name], list(term.titles), before, now, sizes=sizes, points=list(term.cells))


def _unscored(model: SingleModel) -> list[Feature]:
    """Features that decide and have no points; among them those of the same points that a knock-out reads."""
    told = model.characteristics if isinstance(model, Scorecard) else ()
    moving = {each.feature for each in told if not each.is_constant}
    unread = _idle(model) - model.policy.features
    return [feature for feature in model.features if feature.name not in moving | unread]


def _idle(model: SingleModel) -> set[str]:
    """Features whose characteristic gives everybody the same points, and that no interaction has."""
    if not isinstance(model, Scorecard):
        return set()
    in_tables = {name for table in model.interactions for name in table.features}
    return {each.feature for each in model.characteristics if each.is_constant} - in_tables


def _cells(model: SingleModel, baseline: Scored, new: Scored, bands: int, rows: Bools | None) -> Iterator[Stability]:
    features, sizes = _unscored(model), sizes_of(baseline.cohort, new.cohort, rows)
    axes = [axis for table in model.interactions for axis in table.axes] if isinstance(model, Scorecard) else ()
    for name, cells in cells_of(features, axes, clauses_of(model)).items():
        asked = [(name, cells.feature.kind)]
        first, second = (cells.locate(select(sample.cohort.table, asked)[name]) for sample in (baseline, new))
        grouped = _grouped(cells, baseline.cohort.sizes(first, len(cells.witnesses.values)), bands)
        before, now = (
            sample.cohort.sizes(grouped.of_cell[index], len(grouped.names), chosen)
            for sample, index, chosen in ((baseline, first, None), (new, second, rows))
        )
        yield stability(cells.feature.title, grouped.names, before, now, sizes=sizes)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Grouped:
    """Cells in bands: the band of each cell, and the bands' names."""

    of_cell: NDArray[np.intp]
    names: list[str]


def _grouped(cells: Cells, counts: NDArray[np.float64], bands: int) -> _Grouped:
    """Each cell by itself, or neighbouring cells of numbers in bands of about the same share of the baseline.

    Missing values and special codes stay by themselves.
    """
    if cells.feature.kind == "categorical" or len(counts) <= MOST_CELLS:
        return _Grouped(of_cell=np.arange(len(counts)), names=cells.words())
    below = np.cumsum(counts[1:]) - counts[1:]
    wanted = np.floor(below * bands / max(float(counts[1:].sum()), 1e-300)).astype(int).tolist()
    special = [cut in cells.feature.special_codes for cut in cells.cuts]
    of_cell, starts = [0], []
    for cell, band in enumerate(wanted):
        if not cell or special[cell] or special[cell - 1] or band != wanted[cell - 1]:
            starts.append(cell)
        of_cell.append(len(starts))
    names = ["missing"]
    for start, end in zip(starts, [*starts[1:], len(wanted)], strict=True):
        names.append(cells.words_between(start + 1, end + 1))
    return _Grouped(of_cell=np.array(of_cell, dtype=np.intp), names=names)
