"""Applicants scored and tallied block by block."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data import Cohort, Floats
from scrutable.data.frames import PANDAS, FrameKind, Table
from scrutable.fairness import Groups
from scrutable.model import DecisionModel, SegmentedModel, SingleModel
from scrutable.model.evaluator import Counted, counted
from scrutable.plugins.bases import Progress
from scrutable_lifecycle.monitoring.distributions import Distributions
from scrutable_lifecycle.monitoring.periods import PeriodKind, PeriodPlaces
from scrutable_lifecycle.monitoring.profiles import Profiles, group_columns, groups_of_columns
from scrutable_lifecycle.monitoring.sample import Part, ReasonCounts, Sample
from scrutable_lifecycle.monitoring.tally import Distinct, Tally

Columns = Mapping[str, NDArray[Any]]

#: Rows that are scored at once.
_ROWS = 65_536


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Block:
    """Some applicants.

    Parameters
    ----------
    table : what the model reads of them.
    weight : (n,) weights; None where none are given.
    period : (n,) place of the period; None without dates.
    told : (n,) each, numbers that tell the outcome, from 0 on where they are whole.
    grouped : (n,) each, numbers that tell the protected groups.
    """

    table: Table
    weight: Floats | None = None
    period: NDArray[Any] | None = None
    told: Columns
    grouped: Columns


@dataclass(frozen=True, slots=True, eq=False)
class _Inside:
    """The applicants of a segment's model, or of the only one."""

    segment: str | None
    model: SingleModel
    distributions: Distributions
    tally: Tally


class Tallying:
    """Applicants of a sample, block by block."""

    def __init__(self, model: DecisionModel) -> None:
        self._model = model
        self._tally, self._reasons = Tally(), ReasonCounts(model)
        self._weighted = False
        if isinstance(model, SegmentedModel):
            each = [(segment.name, segment.model) for segment in model.segments]
            self._insides = [_Inside(name, inner, Distributions(inner), Tally()) for name, inner in each]
        else:
            self._insides = [_Inside(None, model, Distributions(model), self._tally)]

    def add(self, block: Block, *, in_all: int) -> None:
        """Score a block, and count what is to be counted of it.

        Parameters
        ----------
        in_all : about how many rows there are in all blocks.
        """
        said = counted(self._model, block.table, in_all=in_all)
        segment = None if said.segment is None else _places(said, self._insides)
        self._weighted = block.weight is not None
        told = {**_results(said, block), **({} if segment is None else {"segment": segment})}
        self._tally.add({**told, **block.told, **block.grouped})
        self._reasons.add(said, block.weight, segment)
        for place, inside in enumerate(self._insides):
            if segment is None:
                inside.distributions.add(block.table, said, block.weight, block.period)
            elif (rows := np.flatnonzero(segment == place)).size:
                own = _taken(block, rows)
                inner = counted(inside.model, own.table, in_all=in_all)
                inside.tally.add({**_results(inner, own), **own.told})
                inside.distributions.add(own.table, inner, own.weight, own.period)

    @property
    def rows(self) -> Distinct:
        """The different rows so far."""
        return self._tally.distinct()

    def sample(
        self,
        outcome: Callable[[Distinct], NDArray[Any]],
        groups: Groups | None,
        *,
        periods: PeriodPlaces | None,
        kind: FrameKind = PANDAS,
    ) -> Sample:
        """All applicants.

        Parameters
        ----------
        outcome : gives the outcomes of rows by what was `told` of them.
        groups : of `rows`.
        """
        names, order = (None, np.zeros(1, dtype=np.intp)) if periods is None else periods.ordered()

        def profiles(rows: Distinct, groups: Groups | None = None) -> Profiles:
            if periods is not None:
                ranks = np.argsort(order).astype(np.int32)
                rows = Distinct(columns={**rows.columns, "period": ranks[rows.columns["period"]]}, count=rows.count)
            return Profiles.of(rows, outcome(rows), weighted=self._weighted, groups=groups)

        whole = profiles(self.rows, groups)
        return Sample(
            profiles=whole,
            parts=tuple(
                Part(
                    segment=inside.segment,
                    model=inside.model,
                    profiles=whole if inside.tally is self._tally else _of_some(inside.tally, profiles),
                    distributed=inside.distributions.finished(order),
                )
                for inside in self._insides
            ),
            reasons=self._reasons,
            periods=names,
            kind=kind,
        )


def tallied(
    model: DecisionModel,
    cohort: Cohort,
    *,
    dates: Any = None,
    period: PeriodKind = "month",
    progress: Progress = lambda blocks, _: blocks,
) -> Sample:
    """Score and tally a cohort.

    Parameters
    ----------
    dates : (n,) as `periods_of` reads them; None for no periods.
    progress : gives the blocks as they come, of so many.
    """
    periods = None if dates is None else PeriodPlaces(period)
    places = None if periods is None else periods.places(dates, cohort.rows)
    told = {"outcome": cohort.outcome.astype(np.int8)}
    grouped, table = group_columns(cohort.groups), cohort.table
    tallying = Tallying(model)
    starts = range(0, max(cohort.rows, 1), _ROWS)
    for start in progress(starts, len(starts)):
        some = slice(start, start + _ROWS)
        tallying.add(
            Block(
                table=table.subset(some),
                weight=cohort.weight[some] if cohort.weighted else None,
                period=None if places is None else places[some],
                told={name: values[some] for name, values in told.items()},
                grouped={name: values[some] for name, values in grouped.items()},
            ),
            in_all=cohort.rows,
        )
    groups = None if cohort.groups is None else groups_of_columns(cohort.groups, tallying.rows.columns)
    return tallying.sample(lambda rows: rows.columns["outcome"], groups, periods=periods, kind=cohort.kind)


def _results(said: Counted, block: Block) -> Columns:
    weight = np.ones(len(said.score)) if block.weight is None else block.weight
    columns = {name: getattr(said, name) for name in ("score", "probability", "approved", "knocked_out")}
    period = {} if block.period is None else {"period": block.period}
    return {**columns, "weight": weight, **period}


def _places(said: Counted, insides: Sequence[_Inside]) -> NDArray[np.int16]:
    """(n,) the place of each row's segment."""
    assert said.segment is not None
    position = {inside.segment: place for place, inside in enumerate(insides)}
    table = np.array([position.get(name, -1) for name in said.segment.table], dtype=np.int16)
    places: NDArray[np.int16] = table[said.segment.places]
    return places


def _taken(block: Block, rows: NDArray[np.intp]) -> Block:
    return Block(
        table=block.table.subset(rows),
        weight=None if block.weight is None else block.weight[rows],
        period=None if block.period is None else block.period[rows],
        told={name: values[rows] for name, values in block.told.items()},
        grouped={},
    )


def _of_some(tally: Tally, profiles: Callable[[Distinct], Profiles]) -> Profiles | None:
    """The profiles of a segment; None if nobody is in it."""
    return None if tally.empty else profiles(tally.distinct())
