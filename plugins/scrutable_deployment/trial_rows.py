"""Rows that try a model's edges and that an engine can hold, as many as are asked for, and what they cover."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from scrutable.errors import InputError
from scrutable.model import Model
from scrutable.proof import edge_rows, edge_values

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialRows:
    """Rows to try a statement on.

    Parameters
    ----------
    frame : a column for each feature.
    edge : how many rows are there for an edge value; the others are drawn from these at random.
    values, held, covered : how many different edge values the model has, how many of these the engine can hold, and how
        many of those are in the rows.
    """

    frame: pd.DataFrame
    edge: int
    values: int
    held: int
    covered: int

    @property
    def coverage(self) -> str:
        """What the rows cover, in words."""
        left = self.values - self.held
        without = f"; the engine cannot hold {left:,} others" if left else ""
        return f"{len(self.frame):,} rows with {self.covered:,} of {self.held:,} edge values{without}"


def trial_rows(model: Model, exporter: Any, count: int | None = None, *, drawn: int = 0, seed: int = 0) -> TrialRows:
    """Edge rows of a model in which values that the engine cannot hold gave way to others that it can.

    Parameters
    ----------
    exporter : the exporter `sql` of the engine.
    count : how many rows; every edge value in a row of its own and `drawn` further ones if None.

    Raises
    ------
    InputError : the model reads no feature, or no rows are asked for.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.testing.cards import card
    >>> rows = trial_rows(card(), create("exporter", "sql", dialect="tsql"), 1000)
    >>> len(rows.frame), rows.held < rows.values, rows.covered == rows.held
    (1000, True, True)
    """
    if not model.features:
        raise InputError("the model reads no column: all rows are the same", where="model", got=repr(model))
    if count is not None and count < 1:
        raise InputError("no rows to try the statement on", where="rows", got=count, allowed="1 or more")
    edges = len(edge_rows(model, n_random=0, seed=seed))
    every = edge_rows(model, n_random=drawn if count is None else max(0, count - edges), seed=seed)
    kept = _held(model, exporter, every)
    frame = kept if count is None else kept.head(count)
    return TrialRows(
        frame=frame,
        edge=min(edges, len(frame)),
        values=edge_values(every),
        held=edge_values(kept),
        covered=edge_values(frame),
    )


def _held(model: Model, exporter: Any, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows, with the values of a column that are held, one after another, in place of those that are not."""
    export, kept = exporter.export(model), dict[str, Any]()
    plain = {feature.name: 1.0 if feature.kind == "numeric" else "x" for feature in model.features}
    for name in map(str, rows):
        values = rows[name]
        held = exporter.holds(export, rows.assign(**{other: value for other, value in plain.items() if other != name}))
        if values.dtype.kind == "f":
            held &= ~_too_small(values.to_numpy(), exporter.target.smallest)
        kept[name] = _in_place(values, held)
    return rows.assign(**kept)


def _in_place(values: pd.Series, held: NDArray[np.bool_]) -> pd.Series:
    good = values[held].drop_duplicates().tolist()
    changed = values.copy()
    changed[~held] = [good[i % len(good)] for i in range(int((~held).sum()))]
    return changed


def _too_small(values: NDArray[np.float64], smallest: float) -> NDArray[np.bool_]:
    magnitudes = np.abs(values)
    return (magnitudes > 0) & (magnitudes < smallest)
