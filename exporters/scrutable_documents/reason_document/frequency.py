"""How often each code is given to the declined, overall and by protected group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.fairness import ProtectedAttribute, Replicates, cell_rates, group_cells
from scrutable.measures import percentile_interval
from scrutable.model.evaluator import Evaluation
from scrutable_documents.common.part import ModelPart

#: Groups with fewer declined applicants are marked: their shares say little.
SMALL = 30
#: Of the intervals; the same for every document, so that the same options give the same bytes.
CONFIDENCE, N_BOOT, SEED = 0.95, 1000, 0

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """How many of the declined get a code.

    Parameters
    ----------
    count : a sum of membership probabilities where groups are not known for certain.
    share : of the declined; None where nobody is declined.
    interval : bootstrap ends of the share; None where nobody or everybody gets it, which no replicate changes.
    """

    count: float
    share: float | None
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Frequency:
    """How often a code is the first reason, and how often it is among all that are given."""

    code: str
    first: Given
    among: Given


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """The declined of all applicants or of a group.

    Parameters
    ----------
    attribute, group : the protected attribute, and the group; None for all applicants.
    fewer : declined applicants with fewer reasons than the policy gives at most, those without any among them.
    without : declined applicants without any reason.
    """

    attribute: str | None
    group: str | None
    applicants: float
    declined: float
    fewer: float
    without: float
    codes: tuple[Frequency, ...]

    @property
    def small(self) -> bool:
        """Whether so few are declined that shares say little."""
        return self.declined < SMALL

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {**asdict(self), "small": self.small}


def frequencies(part: ModelPart) -> tuple[Declined, ...]:
    """All applicants, then each group; nothing where there is no policy or there are no applicants."""
    if part.policy is None or part.sample is None or not isinstance(part.sample.evaluation, Evaluation):
        return ()
    evaluation = part.sample.evaluation
    assert evaluation.reasons is not None
    codes = [*(rule.code for rule in part.rules), *part.policy.order]
    rows = _Rows(evaluation.reasons, ~evaluation.approved, codes)
    groups = part.sample.cohort.groups
    by_group = (each for attribute in groups.attributes for each in rows.of(attribute)) if groups is not None else ()
    return (rows.overall(), *by_group)


class _Rows:
    """Which codes each row gets."""

    def __init__(self, reasons: NDArray[np.object_], declined: Bools, codes: Sequence[str]) -> None:
        self.declined, self.codes = declined, codes
        places = pd.Index(codes).get_indexer(pd.Index(reasons.ravel())).reshape(reasons.shape)  # -1 for no reason
        self.number = np.sum(places >= 0, axis=1)
        self.k = reasons.shape[1]
        self.first = [places[:, 0] == place for place in range(len(codes))]
        self.among = [(places == place).any(axis=1) for place in range(len(codes))]

    def overall(self) -> Declined:
        """All applicants."""
        generator = np.random.default_rng(SEED)
        rows = len(self.declined)

        def given(rows_with: Bools) -> Given:
            cells = np.bincount(2 * self.declined + rows_with, minlength=4).reshape(1, 2, 2).astype(np.float64)
            return _given(cells, Replicates.of_counts(cells, N_BOOT, generator))[0]

        codes = [
            Frequency(code=code, first=given(first), among=given(among))
            for code, first, among in zip(self.codes, self.first, self.among, strict=True)
        ]
        return self._declined(None, None, np.ones(rows), codes)

    def of(self, attribute: ProtectedAttribute) -> Iterator[Declined]:
        """Each group of an attribute."""
        generator, ones = np.random.default_rng(SEED), np.ones(len(self.declined))

        def given(rows_with: Bools) -> list[Given]:
            cells = group_cells(self.declined, rows_with, attribute, ones)
            drawn = Replicates.draw(self.declined, rows_with, attribute, None, N_BOOT, generator)
            return _given(cells, drawn)

        first, among = [given(rows) for rows in self.first], [given(rows) for rows in self.among]
        for place, label in enumerate(attribute.labels):
            codes = [
                Frequency(code=code, first=first[i][place], among=among[i][place]) for i, code in enumerate(self.codes)
            ]
            yield self._declined(attribute.name, label, attribute.membership[:, place], codes)

    def _declined(
        self, attribute: str | None, group: str | None, membership: Floats, codes: Sequence[Frequency]
    ) -> Declined:
        return Declined(
            attribute=attribute,
            group=group,
            applicants=float(membership.sum()),
            declined=float(membership[self.declined].sum()),
            fewer=float(membership[self.declined & (self.number < self.k)].sum()),
            without=float(membership[self.declined & (self.number == 0)].sum()),
            codes=tuple(codes),
        )


def _given(cells: Floats, drawn: Replicates) -> list[Given]:
    """By group, from cells (groups, declined or not, with the code or not) and replicates of them."""
    shares = cell_rates(cells)["opportunity"]  # with the code, of the declined
    low, high = percentile_interval(drawn.rates["opportunity"], CONFIDENCE)
    given = []
    for place, share in enumerate(shares.tolist()):
        told = None if np.isnan(share) else share
        spread = told is not None and 0 < told < 1
        given.append(
            Given(
                count=float(cells[place, 1, 1]),
                share=told,
                interval=(float(low[place]), float(high[place])) if spread else None,
            )
        )
    return given
