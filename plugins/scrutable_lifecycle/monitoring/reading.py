"""One sample as it is read: a frame as a whole, or a large file block by block."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.data import (
    CodedBlock,
    CodedBlocks,
    Cohort,
    check_columns,
    codes_of_classes,
    columns_of,
    place_of,
    read_names,
    read_rows,
    weights_of,
)
from scrutable.data.frames import is_small, kind_of
from scrutable.fairness import Groups
from scrutable.model import DecisionModel, numbers_of, texts_of
from scrutable.plugins.bases import Progress
from scrutable.writing import DoubtfulError
from scrutable_lifecycle.monitoring.columns import Columns
from scrutable_lifecycle.monitoring.periods import PeriodKind, PeriodPlaces
from scrutable_lifecycle.monitoring.sample import Sample
from scrutable_lifecycle.monitoring.tally import Distinct
from scrutable_lifecycle.monitoring.tallying import Block, Tallying, tallied

Counts = NDArray[np.int64]
#: How columns that tell groups are called beside results, whatever their names are.
_GROUPED = "column "


class Read(Protocol):
    """A sample whose columns are yet to be understood.

    Parameters
    ----------
    names : of all its columns.
    frame : rows with the columns that tell protected groups; `count` says how many of the sample each stands for.
    target : outcomes; None where there are none.
    """

    @property
    def names(self) -> Sequence[str]: ...
    @property
    def frame(self) -> pd.DataFrame: ...
    @property
    def count(self) -> Counts: ...
    @property
    def target(self) -> pd.Series | None: ...

    def checked(self, y: pd.Series | None, groups: Groups | None, where: str) -> Callable[[], Sample]:
        """Check what is told, and give what makes the sample.

        Parameters
        ----------
        y : the outcomes in `target`, in the model's classes.
        groups : of the rows of `frame`.
        where : how errors name outcomes.
        """
        ...


def is_large(data: Any) -> bool:
    """Whether it is a file that is worth reading block by block."""
    return isinstance(data, str | os.PathLike) and not is_small(Path(data))


def read_whole(
    model: DecisionModel, data: Any, columns: Columns, period: PeriodKind | None, progress: Progress
) -> Read:
    """All rows of a frame or a file.

    Parameters
    ----------
    period : None where dates do not matter.

    Raises
    ------
    InputError, KindError : a file that cannot be read, or a column that it lacks.
    """
    dates = [] if columns.date is None else [columns.date]
    frame = read_rows(data, columns, text={*texts_of(model), *dates}, numbers=numbers_of(model))
    check_columns(frame, columns.protected, columns.probabilities)
    return _Whole(model, data, columns, frame, period, progress)


def read_streamed(
    model: DecisionModel, data: Any, columns: Columns, period: PeriodKind | None, progress: Progress
) -> Read:
    """The rows of a large file in which nothing is doubtful, scored and tallied as they are read.

    Parameters
    ----------
    period : None where dates do not matter.

    Raises
    ------
    DoubtfulError, InputError, KindError : `read_whole` says what is wrong, or reads the file.
    """
    names = read_names(data, columns)
    if not set(columns.of_groups) <= set(names):
        raise DoubtfulError("no such columns")
    return _Streamed(model, data, columns, frozenset(names), period, progress)


class _Whole:
    def __init__(
        self,
        model: DecisionModel,
        data: Any,
        columns: Columns,
        frame: pd.DataFrame,
        period: PeriodKind | None,
        progress: Progress,
    ) -> None:
        self._model, self._data, self._columns, self._progress = model, data, columns, progress
        self._period = period
        self.frame, self.names = frame, list(frame.columns)
        self.count = np.ones(len(frame), dtype=np.int64)
        self.target = None if columns.target is None else frame.get(columns.target)

    def checked(self, y: pd.Series | None, groups: Groups | None, where: str) -> Callable[[], Sample]:
        """See `Read`."""
        name = self._columns.weight
        weight = None
        if name is not None and name in self.frame:
            weight = weights_of(self.frame, name, f"--weight, {place_of(self._data)}")
        cohort = Cohort.read(
            self.frame,
            y,
            outcome=self._model.outcome,
            groups=groups,
            sample_weight=weight,
            where=where,
        )
        dates = None if self._period is None or self._columns.date is None else self.frame[self._columns.date]
        return partial(
            tallied,
            self._model,
            replace(cohort, kind=kind_of(self._data)),
            dates=dates,
            period=self._period or "month",
            progress=self._progress,
        )


class _Streamed:
    def __init__(
        self,
        model: DecisionModel,
        data: Any,
        columns: Columns,
        names: frozenset[str],
        period: PeriodKind | None,
        progress: Progress,
    ) -> None:
        self._model, self._data, self._columns = model, data, columns
        self._weight = columns.weight if columns.weight in names else None
        self._target = columns.target if columns.target in names else None
        self._date = columns.date if period is not None and columns.date in names else None
        self._periods = None if self._date is None or period is None else PeriodPlaces(period)
        self._shares = [*dict.fromkeys(columns_of(columns.probabilities))]
        self._labels = [*dict.fromkeys(columns.protected)]
        self._blocks = CodedBlocks(
            data,
            columns,
            text=texts_of(model),
            numbers=numbers_of(model),
            coded=[*self._labels, *([] if self._target is None else [self._target])],
            amounts=[*self._shares, *([] if self._weight is None else [self._weight])],
            listed=[] if self._date is None else [self._date],
            progress=progress,
        )
        self.names = self._blocks.names
        self._tallying = Tallying(model)
        for block in self._blocks:
            self._tallying.add(self._block(block), in_all=self._blocks.expected_rows(block))
        self._rows = self._tallying.rows
        self.count = self._rows.count
        self.target = None if self._target is None else pd.Series(self._blocks.values(self._target))

    @property
    def frame(self) -> pd.DataFrame:
        """See `Read`."""
        told = {name: self._rows.columns[_GROUPED + name] for name in (*self._labels, *self._shares)}
        return pd.DataFrame(
            {
                name: self._blocks.values(name).take(each) if name in self._labels else each
                for name, each in told.items()
            }
        )

    def checked(self, y: pd.Series | None, groups: Groups | None, where: str) -> Callable[[], Sample]:
        """See `Read`."""
        if self._weight is not None:
            weights_of(pd.DataFrame({self._weight: self._rows.columns["weight"]}), self._weight, "--weight")
        values = 1 if y is None else len(y)
        codes = codes_of_classes(self._model.outcome, y, values, where).astype(np.int8)
        if y is not None:
            codes[0] = Cohort.UNKNOWN

        def outcome(rows: Distinct) -> NDArray[np.int8]:
            outcomes: NDArray[np.int8] = codes[rows.columns["target"]]
            return outcomes

        return partial(self._tallying.sample, outcome, groups, periods=self._periods, kind=kind_of(self._data))

    def _block(self, block: CodedBlock) -> Block:
        target = np.zeros(block.table.n_rows, dtype=np.int32)
        period = None
        if self._periods is not None and self._date is not None:
            texts, codes = block.listed[self._date]
            period = self._periods.places(texts, len(texts))[codes]
        weight = None if self._weight is None else block.amounts[self._weight]
        if weight is not None and not (np.isfinite(weight) & (weight >= 0)).all():
            raise DoubtfulError("weights that are none")
        told: dict[str, NDArray[Any]] = {name: block.places[name] for name in self._labels}
        told |= {name: block.amounts[name] for name in self._shares}
        return Block(
            table=block.table,
            weight=weight,
            period=period,
            told={"target": target if self._target is None else block.places[self._target]},
            grouped={_GROUPED + name: values for name, values in told.items()},
        )
