"""Training rows with classes that come in batches, and are read as often as something is asked of them."""

from __future__ import annotations

import copy
from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scrutable.data.attribute import ProtectedAttribute
from scrutable.data.coded_rows import CodedRows, Coding
from scrutable.data.features import Feature
from scrutable.data.frames import Column, Table
from scrutable.data.frames.levels import ALL_BITS, Buckets
from scrutable.data.groups import Groups
from scrutable.data.outcome import Outcome
from scrutable.data.row_hashes import RowHashes, numbers
from scrutable.data.separation import Alone
from scrutable.data.source import Source
from scrutable.data.streamed.cell_totals import CellTotals
from scrutable.data.streamed.codes import StreamedCodes
from scrutable.data.streamed.counting import CellSums, ColumnPlaces, StreamedCounts, count_tables
from scrutable.data.streamed.edges import divided
from scrutable.data.streamed.roles import Roles
from scrutable.data.streamed.spreads import Request, Spread, Tally, inside, parted
from scrutable.data.streamed.survey import ColumnSurvey, NumberSurvey, Survey
from scrutable.data.training_rows import AllRows, Batch, LabelledRows
from scrutable.errors import InputError

Floats = NDArray[np.float64]

#: Rows of each outcome and combination of groups that stand for more of them.
_WITNESSES = 10_000


class StreamedRows(LabelledRows):
    """Rows of two classes that come in batches; made by `scrutable.data.streamed.reading.read_streamed`.

    Parameters
    ----------
    source : where the rows live.
    roles : columns beside the inputs.
    survey : which values the columns have.
    totals : sums by class and group.
    """

    def __init__(
        self,
        source: Source,
        roles: Roles,
        survey: Survey,
        totals: CellTotals,
        *,
        features: tuple[Feature, ...],
        columns: Mapping[str, Column],
        groups: Groups | None,
        outcome: Outcome,
        classes: NDArray[Any],
    ) -> None:
        self._source, self._roles, self._survey, self._totals = source, roles, survey, totals
        self._inputs = tuple(columns)
        self.features, self.columns, self.groups = features, columns, groups
        self.outcome, self.classes = outcome, classes
        self._counts: dict[Any, StreamedCounts] = {}

    @property
    def every(self) -> AllRows:
        return self._totals.every

    @property
    def by_outcome(self) -> Floats:
        return self._totals.by_outcome

    def effective_sizes(self, attribute: ProtectedAttribute) -> Floats:
        return self._totals.effective_sizes(attribute)

    def witnesses(self) -> tuple[NDArray[Any], Groups]:
        assert self.groups is not None
        rows = self._totals.everyone.rows()[0]
        there = np.nonzero(rows)
        repeated = np.repeat(np.arange(len(there[0])), np.minimum(rows[there], _WITNESSES))
        label, *codes = (each[repeated] for each in there)
        attributes = [
            ProtectedAttribute(each.name, each.labels, each.reference, np.eye(len(each.labels))[own])
            for each, own in zip(self.groups.attributes, codes, strict=True)
        ]
        return label == self.outcome.favourable_index, Groups(tuple(attributes))

    @cached_property
    def _alone(self) -> dict[str, Alone]:
        return {feature.name: Alone.of(self.counts(feature)) for feature in self.features}

    @property
    def alone(self) -> dict[str, Alone]:
        return dict(self._alone)

    def of_features(self, features: tuple[Feature, ...]) -> Self:
        some = copy.copy(self)
        some.features = features
        return some

    def counts(self, feature: Feature, *, exact: bool = False) -> StreamedCounts:
        exact = exact or self.columns[feature.name].nominal
        if (feature.name, exact) not in self._counts:
            measured = [each for each in self.features if not self.columns[each.name].nominal]
            others = measured if not exact and feature in measured else [feature]
            self._count({each.name: each for each in others}, exact=exact)
        return self._counts[feature.name, exact]

    def counts_between(self, feature: Feature, ends: Sequence[float]) -> StreamedCounts:
        if not ends:
            return self.counts(feature, exact=True)
        counts = self.counts(feature)
        if counts.buckets.parts_at(ends):
            return counts
        key = feature.name, tuple(ends)
        if key not in self._counts:
            ordinary = ~np.isnan(counts.buckets.low) & ~np.isin(counts.buckets.low, feature.special_codes)
            spread = divided(counts.buckets, ordinary, ends, self._values(feature))
            [(_, made)] = self._counted({feature.name: (feature, spread)})
            self._counts[key] = made
        return self._counts[key]

    def coded(self, codings: Sequence[Coding]) -> CodedRows:
        tables = []
        for coding in codings:
            counts = self.counts_between(coding.feature, coding.ends)
            tables.append((counts.column, coding.feature.special_codes, coding.codes(counts.column)))
        names = [coding.feature.name for coding in codings]
        made = StreamedCodes([coding.size for coding in codings], self.every)
        places = [ColumnPlaces(levels, codes) for levels, codes, _ in tables]
        for table in self._tables(names):
            told = self._roles.told(table)
            by_column = {name: table.column(name) for name in names}
            blocks = [
                own[place.of(by_column[name])] for name, place, (_, _, own) in zip(names, places, tables, strict=True)
            ]
            made.add(blocks, told.label == self.outcome.favourable_index, told.weight)
        return made

    def batches(self, names: Sequence[str] | None = None) -> Iterator[Batch]:
        for table in self._tables(self._inputs if names is None else names):
            told = self._roles.told(table)
            yield Batch(table=table, good=told.label == self.outcome.favourable_index, weight=told.weight)

    def fingerprint(self) -> str:
        hashes = RowHashes(self.described())
        for table in self._tables([feature.name for feature in self.features]):
            told = self._roles.told(table)
            members = [
                numbers(each.name, own == group)
                for each, own in zip(self.groups.attributes if self.groups else (), told.groups, strict=True)
                for group in range(len(each.labels))
            ]
            inputs = [_of_kind(table.column(feature.name), feature) for feature in self.features]
            hashes.add([*inputs, numbers("outcome", told.label), numbers("weight", told.weight), *members])
        return hashes.digest()

    def _tables(self, names: Sequence[str]) -> Iterator[Table]:
        """All batches with some inputs, each once, and what says what the rows are."""
        return self._source.batches(list(dict.fromkeys([*names, *self._roles.names])))

    def _values(self, feature: Feature) -> Any:
        """What gives the ordinary numbers of a feature, batch by batch, as often as it is called."""

        def numbers_of() -> Iterator[Floats]:
            for table in self._source.batches([feature.name]):
                column = table.column(feature.name)
                if column.kind == "numeric":
                    yield column.values[~column.missing & ~np.isin(column.values, feature.special_codes)]

        return numbers_of

    def _count(self, features: Mapping[str, Feature], *, exact: bool) -> None:
        """Count the rows of several features at once."""
        spreads = {name: (feature, None) for name, feature in features.items() if feature.kind != "numeric"}
        wanted = {name: feature for name, feature in features.items() if feature.kind == "numeric"}
        buckets = self._exact(wanted) if exact else self._parted(wanted)
        for name, counts in self._counted(
            {**spreads, **{name: (wanted[name], each) for name, each in buckets.items()}}
        ):
            self._counts[name, exact] = counts
            if features[name].kind != "numeric":
                self._counts[name, not exact] = counts

    def _exact(self, features: Mapping[str, Feature]) -> dict[str, Spread]:
        """Each number by itself.

        Raises
        ------
        InputError : there are too many.
        """
        for name in features:
            survey = self._survey.columns[name]
            if isinstance(survey, NumberSurvey) and not survey.complete:
                raise InputError(
                    "too many different numbers to tell each apart",
                    where=f"column {name!r}",
                    allowed="numbers that are measured, or categories of which there are fewer",
                    fix="leave it out of categorical, or leave the column out",
                )
        return {name: _number_survey(self._survey.columns[name]).tally.spread() for name in features}

    def _parted(self, features: Mapping[str, Feature]) -> dict[str, Spread]:
        """Buckets of several columns; passes over those of which not each value is known already."""
        asking: dict[str, tuple[Generator[Request, Spread, Spread], Request]] = {}
        done: dict[str, Spread] = {}
        for name in features:
            steps = parted(self._survey.n_rows)
            asking[name] = steps, next(steps)
        while asking:
            answers = self._answers({name: request for name, (_, request) in asking.items()}, features)
            for name, answer in answers.items():
                steps, _ = asking[name]
                try:
                    asking[name] = steps, steps.send(answer)
                except StopIteration as end:
                    done[name] = end.value
                    del asking[name]
        return {name: done[name] for name in features}

    def _answers(self, requests: Mapping[str, Request], features: Mapping[str, Feature]) -> dict[str, Spread]:
        answers, passes = {}, {}
        for name, (bits, ranges) in requests.items():
            tally = _number_survey(self._survey.columns[name]).tally
            if tally.bits == ALL_BITS or (tally.bits == bits and ranges is None):
                answers[name] = tally.spread().within(ranges).rounded(bits)
            else:
                passes[name] = (Tally(bits, complete=True), ranges)
        if passes:
            for table in self._source.batches(list(passes)):
                for name, (tally, ranges) in passes.items():
                    column, codes = table.column(name), features[name].special_codes
                    if column.kind != "numeric":
                        continue
                    values = column.values[~column.missing & ~np.isin(column.values, codes)]
                    tally.add(values if ranges is None else values[inside(values, ranges)])
            answers.update({name: tally.spread() for name, (tally, _) in passes.items()})
        return answers

    def _counted(self, spreads: Mapping[str, tuple[Feature, Spread | None]]) -> Iterator[tuple[str, StreamedCounts]]:
        """Rows of several features by these buckets, or by the texts that there are."""
        levels: dict[str, tuple[Column, Buckets]] = {}
        for name, (_, spread) in spreads.items():
            survey = self._survey.columns[name]
            if spread is None:
                column, _ = survey.values()
                levels[name] = column, Buckets(column.values, column.values)
            else:
                levels[name] = _with_missing(
                    self.columns[name], _number_survey(survey).beside(spread), survey.n_missing > 0
                )
        cells = self._totals.cells
        sums = {name: CellSums(len(buckets.low), cells) for name, (_, buckets) in levels.items()}
        places = {name: ColumnPlaces(levels[name][0], spreads[name][0].special_codes) for name in levels}
        count_tables(self._tables(list(levels)), places, sums, self._roles)
        for name, (column, buckets) in levels.items():
            yield name, StreamedCounts(column, buckets, sums[name], spreads[name][0].special_codes)


def _number_survey(survey: ColumnSurvey) -> NumberSurvey:
    assert isinstance(survey, NumberSurvey)
    return survey


def _with_missing(column: Column, spread: Spread, missing: bool) -> tuple[Column, Buckets]:
    """Levels of a column of numbers, the missing one last."""
    one_by_one = (spread.low == spread.high).all()
    low = np.append(spread.low, np.nan) if missing else spread.low
    high = low if one_by_one else (np.append(spread.high, np.nan) if missing else spread.high)
    return Column(column.name, "numeric", low, column.nominal), Buckets(low, high)


def _of_kind(column: Column, feature: Feature) -> Column:
    """A column of a batch, which may be empty there, as the feature is."""
    if column.kind != "empty":
        return column
    if feature.kind == "numeric":
        return numbers(column.name, np.full(len(column.values), np.nan))
    return Column(column.name, "categorical", column.values)
