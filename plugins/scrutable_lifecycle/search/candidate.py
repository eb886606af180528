"""Candidates of a search: what was tried, how simple it is, and which of them no other beats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scrutable.binning import information_by_attribute
from scrutable.measures import Interval
from scrutable.measures.numerics import Strength, strength
from scrutable.model import DecisionModel, Provenance, Scorecard, Statistics, fingerprint
from scrutable.plugins.bases import Alternative
from scrutable_lifecycle.search.beside_champion import BesideChampion
from scrutable_lifecycle.search.judgement import Judgement
from scrutable_lifecycle.search.ratio import Ratio

STRENGTHS: tuple[Strength, ...] = ("none", "weak", "moderate", "strong")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A model that was tried, and what it does on the validation rows.

    Parameters
    ----------
    number : its place among the different models, from 1 on; 1 is the baseline.
    also : names of later alternatives that turned out to be this very model.
    aside : why it is not compared, where no cutoff can make it comparable; else empty.
    comparable : it is not set aside, and its cutoff approves about as much as asked; one that approves far more has a
        ratio that is bought.
    on_frontier : comparable, and no other comparable one has at least its ratio and its AUC, and more of one of them.
    why : why it was picked or not, in a sentence.
    learner : the name of the learner that made it; empty where no learner did.
    among : whether other learners take part, so that its own name says whose it is.
    beside : what a comparison says of it, too; None in a search.
    """

    number: int
    alternative: Alternative
    judgement: Judgement
    also: tuple[str, ...] = ()
    aside: str = ""
    comparable: bool = True
    on_frontier: bool = False
    why: str = ""
    learner: str = ""
    among: bool = False
    beside: BesideChampion | None = None

    def __repr__(self) -> str:
        ratio = f", ratio {self.ratio.value:.3f}" if self.ratio.attribute else ""
        return f"Candidate({self.number}, {self.name!r}, AUC {self.auc:.4f}{ratio})"

    @property
    def name(self) -> str:
        """Method and parameters in a line, after the learner's name where there are several."""
        return named(self.learner, self.alternative.name, self.among)

    @property
    def model(self) -> DecisionModel:
        """The whole model, as it can be exported."""
        return self.alternative.model

    @property
    def auc(self) -> float:
        """Area under the ROC curve."""
        return self.judgement.performance.auc

    @property
    def auc_interval(self) -> Interval:
        """Bootstrap interval of the AUC."""
        return self.judgement.performance.auc_interval

    @property
    def ratio(self) -> Ratio:
        """The smallest ratio of a group at the cutoff."""
        return self.judgement.at_cutoff.ratio

    @property
    def approval_rate(self) -> float:
        """Share of the validation rows that the cutoff approves."""
        return self.judgement.at_cutoff.point.approval_rate

    @property
    def bad_rate(self) -> float:
        """Share of bad payers among those whom the cutoff approves; NaN where it approves nobody."""
        return self.judgement.at_cutoff.point.bad_rate_among_approved

    @property
    def characteristics(self) -> int:
        """Columns that the model reads."""
        return len(self.model.features)

    @property
    def attributes(self) -> int | None:
        """Attributes of a scorecard, with the cells of its interactions; None for other models."""
        if not isinstance(self.model, Scorecard):
            return None
        return sum(len(term.cells) for term in self.model.terms.values())

    @property
    def strengths(self) -> dict[Strength, int]:
        """How many characteristics of a scorecard tell how much about the outcome, by their information value."""
        counts = Counter(_strengths(self.model))
        return {name: counts[name] for name in STRENGTHS}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, without the model."""
        return {
            "number": self.number,
            "learner": self.learner,
            **_recipe(self.alternative),
            "name": self.name,
            "also_found_as": list(self.also),
            "characteristics": self.characteristics,
            "attributes": self.attributes,
            "strengths": self.strengths,
            **self.judgement.to_dict(),
            **({} if self.beside is None else self.beside.to_dict()),
            "comparable": self.comparable,
            "on_frontier": self.on_frontier,
            "why": self.why,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """An alternative that is the same model as an earlier candidate."""

    alternative: Alternative
    equals: int
    learner: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, without the model."""
        why = f"the same model as candidate {self.equals}, so it was measured once"
        return {"learner": self.learner, **_recipe(self.alternative), "equals": self.equals, "why": why}


def named(learner: str, alternative: str, among: bool) -> str:
    """What people call a candidate.

    >>> named("rug", "baseline", True), named("rug", "baseline", False)
    ('rug: baseline', 'baseline')
    """
    return f"{learner}: {alternative}" if among else alternative


def identity(model: DecisionModel) -> str:
    """Fingerprint of everything but where the model comes from."""
    return fingerprint(replace(model, provenance=Provenance()))


def with_frontier(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, each told whether it is on the frontier of ratio and AUC of those that are comparable.

    Where no groups are compared, it is of the AUC alone.
    """
    ratio = np.array([candidate.ratio.value if candidate.ratio.attribute else 0.0 for candidate in candidates])
    auc = np.array([candidate.auc for candidate in candidates])
    comparable = np.array([candidate.comparable for candidate in candidates], dtype=bool)
    best, on_frontier = -np.inf, np.zeros(len(candidates), dtype=bool)
    for level in np.unique(ratio[comparable])[::-1]:
        level_with = comparable & (ratio == level)
        top = auc[level_with].max()
        if top > best:
            on_frontier |= level_with & (auc == top)
            best = top
    return [
        replace(candidate, on_frontier=bool(front)) for candidate, front in zip(candidates, on_frontier, strict=True)
    ]


def _recipe(alternative: Alternative) -> dict[str, Any]:
    return {
        "name": alternative.name,
        "method": alternative.method,
        "parameters": alternative.parameters,
        "model_sha256": alternative.evidence.model_sha256,
    }


def _strengths(model: DecisionModel) -> list[Strength]:
    strengths = []
    for characteristic in model.characteristics if isinstance(model, Scorecard) else ():
        known = [each.statistics for each in characteristic.attributes if isinstance(each.statistics, Statistics)]
        if any(counts.good for counts in known) and any(counts.bad for counts in known):
            strengths.append(strength(float(information_by_attribute(known).sum())))
    return strengths
