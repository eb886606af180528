"""What is distributed besides the score: a scorecard's attributes, and what other models tell apart in a feature."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable.data import Floats
from scrutable.measures import Stability, stability
from scrutable.model import Cells, DecisionModel, Scorecard, titles_of
from scrutable_lifecycle.monitoring.distributions import Distributed, Key, idle_features
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
    return tuple(
        stability(
            each.title,
            each.names,
            each.sizes(baseline.distributed),
            each.sizes(new.distributed, period),
            sizes=sizes,
            points=each.points,
        )
        for each in divided(baseline, bands)
    )


def without_points(model: DecisionModel) -> list[str]:
    """Titles of the characteristics that give everybody the same points, and so move no score; by the model's order."""
    constant: dict[str, None] = {}
    for single in model.parts:
        titles = {feature.name: feature.title for feature in single.features}
        idle = idle_features(single)
        constant |= dict.fromkeys(title for name, title in titles.items() if name in idle)
    return list(constant)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Divided:
    """How a characteristic, or a feature without points, is divided.

    Parameters
    ----------
    key : of its attributes or cells, as `Distributed` counts them.
    bands : the band of each of these; each attribute is a band by itself.
    names : of the bands.
    points : of each band; None of a feature without points.
    """

    key: Key
    title: str
    bands: NDArray[np.intp]
    names: Sequence[str]
    points: Sequence[float] | None = None

    def sizes(self, distributed: Distributed, period: int | None = None) -> Floats:
        """(bands,) the weighted number of applicants in each band, of all or of a period."""
        counts = distributed.sizes(self.key, period)
        return np.bincount(self.bands, counts, len(self.names)).astype(np.float64)


def divided(baseline: Part, bands: int) -> Iterator[Divided]:
    """How each characteristic is divided, in the model's order, and each feature without points, by the baseline."""
    watched, model = baseline.distributed.watched, baseline.model
    titles = titles_of(model) if isinstance(model, Scorecard) else {}
    for name, term in watched.terms.items():
        attributes = np.arange(len(term.cells))
        yield Divided(
            key=("term", name), title=titles[name], bands=attributes, names=term.titles, points=list(term.cells)
        )
    for name, cells in watched.cells.items():
        key = ("cells", name)
        of_cell, names = _grouped(cells, baseline.distributed.sizes(key), bands)
        yield Divided(key=key, title=cells.feature.title, bands=of_cell, names=names)


def _grouped(cells: Cells, counts: Floats, bands: int) -> tuple[NDArray[np.intp], list[str]]:
    """The band of each cell, and the bands' names.

    Each cell is a band by itself, or neighbouring cells of numbers are bands of about the same share of the baseline.
    Missing values and special codes stay by themselves.
    """
    if cells.feature.kind == "categorical" or len(counts) <= MOST_CELLS:
        return np.arange(len(counts)), cells.words()
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
    return np.array(of_cell, dtype=np.intp), names
