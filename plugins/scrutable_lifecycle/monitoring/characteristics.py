"""What is distributed besides the score: a scorecard's attributes, and what other models tell apart in a feature."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable.data import Floats
from scrutable.measures import Stability, stability
from scrutable.model import Cells, DecisionModel, Scorecard, titles_of
from scrutable_lifecycle.monitoring.distributions import idle_features
from scrutable_lifecycle.monitoring.sample import Part

#: A numeric feature of which a model tells more cells apart is watched in bands of them.
MOST_CELLS = 20
Sizes = tuple[float, float]


def characteristic_stability(
    baseline: Part, new: Part, bands: int, sizes: Sizes, period: int | None = None
) -> tuple[Stability, ...]:
    """The index of each characteristic, with what it adds to the shift of the mean score, in the model's order.

    Missing values, special codes and values never seen in training are attributes of their own. Features without
    points, all those of rules and trees among them, are divided into the cells that the model tells apart. A
    characteristic that gives everybody the same points is left out: it can move no score.

    Parameters
    ----------
    sizes : effective numbers of the applicants of either.
    period : which of the new applicants; None means all.
    """
    return (*_attributes(baseline, new, sizes, period), *_cells(baseline, new, bands, sizes, period))


def without_points(model: DecisionModel) -> list[str]:
    """Titles of the characteristics that give everybody the same points, and so move no score; by the model's order."""
    constant: dict[str, None] = {}
    for single in model.parts:
        titles = {feature.name: feature.title for feature in single.features}
        idle = idle_features(single)
        constant |= dict.fromkeys(title for name, title in titles.items() if name in idle)
    return list(constant)


def _attributes(baseline: Part, new: Part, sizes: Sizes, period: int | None) -> Iterator[Stability]:
    if not isinstance(new.model, Scorecard):
        return
    titles = titles_of(new.model)
    for name, term in new.distributed.watched.terms.items():
        before = baseline.distributed.sizes(("term", name))
        now = new.distributed.sizes(("term", name), period)
        yield stability(titles[name], list(term.titles), before, now, sizes=sizes, points=list(term.cells))


def _cells(baseline: Part, new: Part, bands: int, sizes: Sizes, period: int | None) -> Iterator[Stability]:
    for name, cells in new.distributed.watched.cells.items():
        before = baseline.distributed.sizes(("cells", name))
        now = new.distributed.sizes(("cells", name), period)
        grouped = _grouped(cells, before, bands)
        first, second = (_gathered(grouped, counts) for counts in (before, now))
        yield stability(cells.feature.title, grouped.names, first, second, sizes=sizes)


def _gathered(grouped: _Grouped, counts: Floats) -> Floats:
    return np.bincount(grouped.of_cell, counts, len(grouped.names)).astype(np.float64)


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
