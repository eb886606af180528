"""Which rows trees are grown on, and which are held out for multipliers, stopping, cutoff and calibration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.data import TrainingData, refuse_reordered, share, weights
from scrutable.data.frames import Table, as_table
from scrutable.errors import InputError
from scrutable.fairness import Bound, Groups
from scrutable.model import TreeEnsemble
from scrutable.model.evaluator import evaluate
from scrutable_fairgbm.gradients import Bools, Floats
from scrutable_fairgbm.handover.inputs import BoosterInputs
from scrutable_fairgbm.rates import RateRows, rate_rows

HeldOutShare = float | Literal["auto"] | None

#: The least and the largest share of the rows that is held out where nothing is said.
_LEAST, _MOST = 0.1, 0.3
#: Rows held out on each side of a bound that are aimed for, and the fewest that make a rate worth looking at.
_WANTED, _ENOUGH = 300, 100
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

    def rates(self, bounds: Sequence[Bound], *, some: bool = False) -> RateRows:
        """Cells of the rows, and the bounds on them."""
        return rate_rows(self.good, bounds, self.groups, self.weight, some=some)


def held_out_rows(
    rows: RowSet, bounds: Sequence[Bound], wanted: HeldOutShare, dates: Any, *, stopping: bool, seed: int
) -> Bools | None:
    """(n,) which rows are held out; None for none.

    Rows are drawn at even distances from those in order of class and groups, so that each cell gives the same share up
    to a row; where memberships are probabilities, in the order of these. With dates it is the latest rows instead,
    whole dates together, and at least this share.

    Parameters
    ----------
    wanted : a share, or None. "auto" holds out as `share_held_out` says, or else 10 % if there are dates or early
        stopping asks for rows.
    dates : (n,) numbers, texts or times that can be sorted; None for rows at random.

    Raises
    ------
    InputError : a share out of range, or dates of another number of rows or that leave no row for the trees.
    """
    if wanted is None:
        return None
    own = share_held_out(smallest_side(rows.rates(bounds))) if wanted == "auto" else share(wanted, "held_out")
    if own is None and not stopping and dates is None:
        return None
    part = own or _LEAST
    if dates is not None:
        return _latest(dates, part, len(rows.good))
    random = np.random.default_rng((_STREAM, seed))
    order = np.lexsort((random.random(len(rows.good)), *_strata(rows, bounds)))
    upto = np.floor(np.arange(len(order) + 1) * part + random.random())
    held = np.zeros(len(order), np.bool_)
    held[order] = np.diff(upto) > 0
    return held if held.any() else None


def smallest_side(rates: RateRows) -> float | None:
    """How many rows the smallest side of any bound has: a group's, or its reference's, of the outcome that it is about.

    None without bounds.
    """
    return float(1.0 / np.abs(rates.q).max()) if rates.n_bounds else None


def share_held_out(smallest: float | None) -> float | None:
    """The share of the rows that is held out where nothing else is said; None for none.

    Bounds that are kept on rows that trees were grown on are not kept on others, so that rows are held out where there
    are bounds: a tenth, or up to three tenths where 300 of the smallest side of a bound would not be among a tenth.
    Where not even 100 of them are among three tenths, none are, because what fewer rows tell of a rate is worth less
    than the trees that they could have improved.

    >>> [share_held_out(rows) for rows in (None, 333, 334, 2000, 5000)]
    [None, None, 0.3, 0.15, 0.1]
    """
    if smallest is None or _MOST * smallest < _ENOUGH:
        return None
    return min(max(_WANTED / smallest, _LEAST), _MOST)


def training_rows(data: TrainingData, inputs: BoosterInputs, before: TreeEnsemble | None) -> RowSet:
    """All training rows; those of some weight weigh 1 on average, so that options mean the same in any unit."""
    return RowSet(
        matrix=inputs.encode(data.table),
        good=data.good,
        weight=_of_mean_one(data.weight),
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
    """Validation rows (X, y), (X, y, sensitive_features) or (X, y, sensitive_features, sample_weight).

    They are read as the training rows were.

    Raises
    ------
    InputError : something else, other classes or groups, or columns, lengths or index labels that do not fit.
    """
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) not in (2, 3, 4):
        raise InputError(
            "expected validation rows",
            where="validation",
            got=type(given).__name__,
            allowed="(X, y), (X, y, sensitive_features) or (X, y, sensitive_features, sample_weight)",
        )
    X, y, protected, weight = (*given, None, None)[:4]
    refuse_reordered(X, {"validation y": y, "validation groups": protected, "validation weights": weight})
    table = as_table(X, names=[feature.name for feature in data.features])
    return RowSet(
        matrix=inputs.encode(table),
        good=_outcomes(y, table.n_rows, data),
        weight=_of_mean_one(weights(weight, table.n_rows)),
        groups=None if protected is None else _groups(protected, table.n_rows, data, reference_groups),
        start=_start(table, before),
    )


def _of_mean_one(weight: Floats) -> Floats:
    scaled: Floats = weight * (np.count_nonzero(weight) / weight.sum())
    return scaled


def _outcomes(y: Any, n: int, data: TrainingData) -> Bools:
    y = np.asarray(y)
    if y.shape != (n,):
        raise InputError("one outcome a row", where="validation", got=y.shape, allowed=f"({n},)")
    unknown = ~np.isin(y, data.classes)
    if unknown.any():
        raise InputError(
            "a class that training rows do not have",
            where="validation",
            got=y[unknown][0],
            allowed=str(data.classes.tolist()),
        )
    good: Bools = y == data.classes[data.outcome.favourable_index]
    return good


def _groups(protected: Any, n: int, data: TrainingData, reference: dict[str, str] | None) -> Groups:
    groups = Groups.from_frame(protected, reference=reference, expected_rows=n)
    known = {each.name: each.labels for each in data.groups.attributes} if data.groups else {}
    for each in groups.attributes:
        others = [label for label in each.labels if each.name in known and label not in known[each.name]]
        if others:
            raise InputError(
                "groups that training rows do not have",
                where=f"validation, attribute {each.name!r}",
                got=others,
                allowed=str(list(known[each.name])),
                fix="give groups as text; numbers are cut where the rows at hand say, so cut both alike before",
            )
    return groups


def _strata(rows: RowSet, bounds: Sequence[Bound]) -> list[NDArray[Any]]:
    """(n,) keys to sort rows by, the class last and first in rank: the groups of each attribute that a bound names.

    Probabilities rank below the strata of every attribute, since hardly two rows have the same ones.
    """
    named = {bound.attribute for bound in bounds}
    attributes = [each for each in rows.groups.attributes if each.name in named] if rows.groups else []
    probable = [column for each in attributes if not each.hard for column in each.membership.T]
    return [*probable, *(each.strata for each in attributes), rows.good.astype(np.intp)]


def _start(table: Table, before: TreeEnsemble | None) -> Floats:
    if before is None:
        return np.zeros(table.n_rows)
    return np.asarray(evaluate(before, table, reasons=False).score, np.float64)


def _latest(dates: Any, part: float, n: int) -> Bools:
    values = dates.to_numpy() if isinstance(dates, pd.Series) else np.asarray(dates)
    if values.ndim != 1:
        raise InputError("one date a row", where="dates", got=f"an array of shape {values.shape}", allowed=f"({n},)")
    column = pd.Series(values)
    if len(column) != n:
        raise InputError("one date a row", where="dates", got=len(column), allowed=str(n))
    if column.isna().any():
        raise InputError(
            "a date is missing",
            where="dates",
            got=f"{int(column.isna().sum())} missing, the first in row {int(column.isna().argmax())}",
            fix="leave these rows out, or give them a date",
        )
    if pd.api.types.infer_dtype(column) == "string":
        column = _read(column)
    try:
        distinct, position = np.unique(column.to_numpy(), return_inverse=True)
    except TypeError as error:
        raise InputError(
            "dates of kinds that cannot be sorted", where="dates", allowed="numbers, texts or times, of one kind"
        ) from error
    later = np.cumsum(np.bincount(position)[::-1])[::-1] / n
    first = int(np.flatnonzero(later >= part)[-1])
    if first == 0:
        raise InputError(
            "no earlier date is left for the trees",
            where="dates",
            got=str(distinct[0]),
            fix="hold out a smaller share",
        )
    held: Bools = position >= first
    return held


def _read(texts: pd.Series[Any]) -> pd.Series[Any]:
    """Texts as times; in the order of other texts days could come before years."""
    times = pd.to_datetime(texts, format="ISO8601", errors="coerce", utc=True).dt.tz_localize(None)
    if times.isna().any():
        at = int(times.isna().argmax())
        raise InputError(
            "a text that is no date",
            where=f"dates, row {at}",
            got=texts.iloc[at],
            allowed="texts as in ISO 8601, for example '2024-12-31'; numbers; times",
            fix="read them before: pd.to_datetime(dates, format=...), with the format that they have",
        )
    return times
