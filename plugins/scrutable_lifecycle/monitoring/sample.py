"""A sample of applicants as it is compared: their profiles, distributions and reasons, and no row of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data import ExactSums, Floats
from scrutable.data.frames import PANDAS, FrameKind
from scrutable.model import DecisionModel, SegmentedModel, SingleModel
from scrutable.model.evaluator import Counted
from scrutable_lifecycle.monitoring.distributions import Distributed
from scrutable_lifecycle.monitoring.profiles import Profiles


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Part:
    """The applicants whom a model, or the model of a segment, decides about.

    Parameters
    ----------
    segment : its name; None where the model is the whole.
    profiles : by the score of their own model; without groups in a segment. None if there are none.
    distributed : their attributes, cells and rules.
    """

    segment: str | None
    model: SingleModel
    profiles: Profiles | None
    distributed: Distributed

    @property
    def rows(self) -> int:
        """How many applicants there are."""
        return 0 if self.profiles is None else self.profiles.rows


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample:
    """Applicants of a sample, by what figures ask of them.

    Parameters
    ----------
    profiles : all of them.
    parts : of the model, or of each of its segments.
    reasons : the reasons of the declined.
    periods : names of the periods, in order; None without dates.
    kind : of the frame that went in.
    """

    profiles: Profiles
    parts: tuple[Part, ...]
    reasons: ReasonCounts
    periods: tuple[str, ...] | None = None
    kind: FrameKind = PANDAS


class ReasonCounts:
    """The weighted numbers of the declined by their reasons; those of segments without any are left out.

    Parameters
    ----------
    texts : every reason code of the model, with its text; empty where it gives none.
    left_out : segments whose model has no reason policy, where others have one.
    """

    def __init__(self, model: DecisionModel) -> None:
        self.texts = reason_texts(model)
        self.left_out = unexplained_segments(model)
        self._segments = [each.name for each in model.segments] if isinstance(model, SegmentedModel) else []
        self._position = {code: place for place, code in enumerate([*self.texts, None])}
        self._first, self._any = ExactSums(), ExactSums()

    @property
    def codes(self) -> int:
        """How many codes there are, and one for those who are given none."""
        return len(self._position)

    def counts(self, approved: NDArray[np.bool_], weight: Floats, segment: NDArray[Any] | None) -> NDArray[np.bool_]:
        """(n,) whether a row is declined, has weight, and is in no segment that is left out."""
        declined: NDArray[np.bool_] = ~approved & (weight > 0)
        if not self.left_out or segment is None:
            return declined
        return declined & ~np.isin(segment, [self._segments.index(name) for name in self.left_out])

    def add(self, said: Counted, weight: Floats | None, segment: NDArray[Any] | None) -> None:
        """Add a block; `segment` is (n,) the place of each row's segment."""
        if not self.texts:
            return
        weights = np.ones(len(said.score)) if weight is None else weight
        rows = np.flatnonzero(self.counts(said.approved, weights, segment))
        places = [
            np.array([self._position[text] for text in texts.table], dtype=np.intp)[texts.places[rows]]
            for texts in said.reasons
        ]
        own = None if weight is None else weight[rows]
        self._first.add(places[0], own)
        none = self._position[None]
        for rank, given in enumerate(places):
            new = given != none if rank else np.ones(len(given), dtype=bool)
            for before in places[:rank]:
                new &= given != before
            self._any.add(given[new], None if own is None else own[new])

    @property
    def first(self) -> Floats:
        """(codes,) the weighted number of those whose first reason it is."""
        return self._first.rounded(self.codes)

    @property
    def any(self) -> Floats:
        """(codes,) the weighted number of those who are given it at all."""
        return self._any.rounded(self.codes)


def reason_texts(model: DecisionModel) -> dict[str, str]:
    """Every reason code of a model with its text, knock-outs first; empty where it has no reason policy."""
    texts: dict[str, str] = {}
    for each in model.parts:
        if each.reasons is not None:
            texts |= each.policy.reasons
            texts |= {code: each.reasons.texts[code] for code in each.reasons.order}
    return texts


def unexplained_segments(model: DecisionModel) -> list[str]:
    """Segments whose model has no reason policy, where others have one."""
    if not isinstance(model, SegmentedModel) or not reason_texts(model):
        return []
    return [part.name for part in model.segments if part.model.reasons is None]
