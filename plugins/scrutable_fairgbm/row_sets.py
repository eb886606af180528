"""Which rows trees are grown on, and which are held out for multipliers, stopping, cutoff and calibration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from scrutable.errors import InputError
from scrutable.fairness import Bound, Groups
from scrutable.fairness.inputs import share
from scrutable.frames import Table, as_table
from scrutable.model import TreeEnsemble
from scrutable.model.evaluator import evaluate
from scrutable.training import TrainingData
from scrutable_fairgbm.gradients import Bools, Floats
from scrutable_fairgbm.handover.inputs import BoosterInputs
from scrutable_fairgbm.rates import RateRows, rate_rows

HeldOutShare = float | Literal["auto"] | None

#: Share that is held out where enough is left, and the fewest rows there that make a rate worth looking at.
_SHARE, _ENOUGH = 0.1, 50
#: Keeps the draw of rows apart from data that was simulated with the same seed.
_STREAM = 0x4845_4C44


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowSet:
    """n rows as a booster and the constraints see them.

    Parameters
    ----------
    matrix : (n, F) doubles.
    good, weight : (n,) outcomes and sample weights.
    groups : protected groups, where they are known.
    start : (n,) scores of the model that a warm start goes on from; else 0.
    """

    matrix: Floats
    good: Bools
    weight: Floats
    groups: Groups | None
    start: Floats

    def part(self, rows: Bools) -> RowSet:
        """Some of the rows."""
        groups = None if self.groups is None else self.groups.subset(rows)
        return RowSet(
            matrix=self.matrix[rows],
            good=self.good[rows],
            weight=self.weight[rows],
            groups=groups,
            start=self.start[rows],
        )

    def rates(self, bounds: Sequence[Bound]) -> RateRows:
        """Cells of the rows, and the bounds on them."""
        return rate_rows(self.good, bounds, self.groups, self.weight)


def held_out_rows(
    rows: RowSet, bounds: Sequence[Bound], wanted: HeldOutShare, dates: Any, *, stopping: bool, seed: int
) -> Bools | None:
    """(n,) which rows are held out; None for none.

    Each cell of class and groups gives the same share. With dates it is the latest rows instead, whole dates together,
    and at least this share.

    Parameters
    ----------
    wanted : a share, or None. "auto" holds out 10 % if there are dates, if early stopping asks for rows, or if each
        side of every bound has 50 rows or more among them, counted as p = 1/2 would make them count; else none,
        because what few rows tell of a rate is worth less than the trees that they could have improved.
    dates : (n,) numbers, texts or times that can be sorted; None for rows at random.

    Raises
    ------
    InputError : a share out of range, or dates of another number of rows or that leave no row for the trees.
    """
    if wanted is None or (wanted == "auto" and not (stopping or dates is not None or _enough(rows.rates(bounds)))):
        return None
    part = _SHARE if wanted == "auto" else share(wanted, "held_out")
    if dates is not None:
        return _latest(dates, part, len(rows.good))
    cell = rows.rates(bounds).cell
    drawn = np.random.default_rng((_STREAM, seed)).random(len(cell))
    order = np.lexsort((drawn, cell))
    sizes = np.bincount(cell)
    rank = np.arange(len(cell)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    held = np.zeros(len(cell), np.bool_)
    held[order] = rank < np.repeat(np.rint(part * sizes), sizes)
    return held if held.any() else None


def training_rows(data: TrainingData, inputs: BoosterInputs, before: TreeEnsemble | None) -> RowSet:
    """All training rows; those of some weight weigh 1 on average, so that options mean the same in any unit."""
    return RowSet(
        matrix=inputs.encode(data.table),
        good=data.good,
        weight=data.weight * (np.count_nonzero(data.weight) / data.weight.sum()),
        groups=data.groups,
        start=_start(data.table, before),
    )


def validation_rows(
    given: Any,
    data: TrainingData,
    inputs: BoosterInputs,
    before: TreeEnsemble | None,
    reference_groups: dict[str, str] | None,
) -> RowSet:
    """Validation rows (X, y) or (X, y, sensitive_features), read as the training rows were.

    Raises
    ------
    InputError : something else, other classes, or columns or lengths that do not fit.
    """
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) not in (2, 3):
        raise InputError(
            "expected validation rows",
            where="validation",
            got=type(given).__name__,
            allowed="(X, y) or (X, y, sensitive_features)",
        )
    table = as_table(given[0], names=[feature.name for feature in data.features])
    y = np.asarray(given[1])
    if y.shape != (table.n_rows,):
        raise InputError("one outcome a row", where="validation", got=y.shape, allowed=f"({table.n_rows},)")
    unknown = ~np.isin(y, data.classes)
    if unknown.any():
        raise InputError(
            "a class that training rows do not have",
            where="validation",
            got=y[unknown][0],
            allowed=str(data.classes.tolist()),
        )
    groups = None
    if len(given) == 3 and given[2] is not None:
        groups = Groups.from_frame(given[2], reference=reference_groups, expected_rows=table.n_rows)
    good = y == data.classes[data.outcome.favourable_index]
    return RowSet(
        matrix=inputs.encode(table),
        good=good,
        weight=np.ones(table.n_rows),
        groups=groups,
        start=_start(table, before),
    )


def _start(table: Table, before: TreeEnsemble | None) -> Floats:
    if before is None:
        return np.zeros(table.n_rows)
    return np.asarray(evaluate(before, table, reasons=False).score, np.float64)


def _enough(rates: RateRows) -> bool:
    """Whether the held-out share of the smaller side of every bound is enough rows; no bound needs none."""
    if not rates.n_bounds:
        return False
    smallest = 1.0 / np.abs(rates.q).max(axis=1)
    return bool((_SHARE * smallest >= _ENOUGH).all())


def _latest(dates: Any, part: float, n: int) -> Bools:
    values = np.asarray(dates)
    if values.shape != (n,):
        raise InputError("one date a row", where="dates", got=values.shape, allowed=f"({n},)")
    distinct, position = np.unique(values, return_inverse=True)
    later = np.cumsum(np.bincount(position)[::-1])[::-1] / n
    first = int(np.flatnonzero(later >= part)[-1])
    if first == 0:
        raise InputError(
            "no earlier date is left for the trees",
            where="dates",
            got=distinct[0].item(),
            fix="hold out a smaller share",
        )
    held: Bools = position >= first
    return held
