"""Search for less discriminatory alternatives: try a learner's models, measure them alike, pick one and say why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np

from scrutable.data import Cohort, TrainingData, hold_out
from scrutable.data.frames import kind_of
from scrutable.errors import PluginError, ScrutableWarning, warn_caller
from scrutable.fairness import RatioKind
from scrutable.model import DecisionModel, Evidence, FrozenMapping, Provenance, freeze
from scrutable.plugins.bases import BASELINE, Learner
from scrutable.writing import told_in_notebooks
from scrutable_lifecycle.search.candidate import Candidate, Repeat, identity, named
from scrutable_lifecycle.search.choice import choose, left_aside
from scrutable_lifecycle.search.entrants import Entrant, entrants_of
from scrutable_lifecycle.search.judgement import deciding, judge
from scrutable_lifecycle.search.learned_rows import read_alike, references_of, subset_of
from scrutable_lifecycle.search.ratio import Compared
from scrutable_lifecycle.search.ratio_asked import RatioAsked
from scrutable_lifecycle.search.result import SearchResult
from scrutable_lifecycle.search.settings import Settings
from scrutable_lifecycle.search.validation_rows import cohort_of, given_validation, with_told_groups

#: Told of each candidate as soon as it is measured.
Watcher = Callable[[Candidate], None]


class SearchWarning(ScrutableWarning):
    """A search whose pick does not meet the requirement."""


class LDASearch:
    """Search a learner's alternatives for the most accurate one whose approval rates keep a ratio.

    Every candidate is a whole model, learned from some of the rows and measured on others. All are compared at equal
    approval: the cutoff of each approves the same share, because a ratio at a cutoff can be
    bought by approving more. The ratio of a candidate is the smallest over all protected attributes of the lowest
    approval rate among groups divided by the highest, or by that of a reference that is named; rows of unknown
    membership, and groups of fewer than 30 (effective) validation rows, are not compared.

    The pick is the candidate with the highest AUC among those whose ratio meets `required_ratio`. Picking the best of
    many flatters it: measure the pick once more, on rows that the search did not see.

    Parameters
    ----------
    learner : a learner that makes alternatives, or its name; or several, whose candidates are compared on the same
        rows. The baseline is that of the first. A learner that keeps bounds on rates, and is given none, gets
        those that say what is required here; one without an approval rate has the cutoff of each candidate moved.
    required_ratio : smallest ratio of approval rates, above 0 and at most 1; 0.8 is the four-fifths rule, a guideline
        of employment law.
    ratio : which ratio is judged. "four-fifths" divides the lowest approval rate by the highest; "adverse-impact" each
        group's by the reference's, and counts a group that is approved more often as 1. None means the second for an
        attribute whose reference is named, here or in the learner's `reference_groups`, and the first for others. A
        `RatioAsked` names references, the groups that are compared, and their smallest size.
    margin : how far the ratio must lie above it; None asks that the low end of the ratio's 90% bootstrap interval
        reaches it.
    approval_rate : share of the rows learned from that each candidate approves; the learner's own, or the share of
        favourable outcomes among these rows, when None.
    approval_rates : further shares of the validation rows at which ratio and bad rate are measured.
    validation_size : share of the rows that candidates do not learn from and are measured on, drawn with the same
        share of each outcome and, where there are enough rows, each group.
    n_boot : bootstrap replicates of each interval.
    random_state : seed of the split and the bootstrap.

    Attributes
    ----------
    result_ : `SearchResult`, every candidate and the log.
    model_, evidence_ : the pick, and its evidence with the log in it.

    Raises
    ------
    InputError : options out of range, a learner with a cutoff of its own.

    Examples
    --------
    >>> from scrutable.data.datasets import make_credit
    >>> from scrutable import create
    >>> data = make_credit(3000, seed=1)
    >>> few = {"bounds": [0.1, 0.02], "budgets": [], "gap_shares": [0.5]}  # without it, some forty
    >>> learner = create("learner", "lda-xgb1", favourable=0, sweep=few)
    >>> search = LDASearch(learner, required_ratio=0.87, margin=0)
    >>> search.fit(data.X, data.y, sensitive_features=data.sensitive_features).result_
    SearchResult(4 candidates, 3 on the frontier, picked 4, 'score-gap share=0.5', required ratio 0.87 met)
    >>> search.model_  # the pick, a model like any other
    Scorecard(...)
    """

    result_: SearchResult
    model_: DecisionModel
    evidence_: Evidence

    def __init__(
        self,
        learner: str | Learner | Sequence[str | Learner],
        *,
        required_ratio: float = 0.8,
        ratio: RatioKind | RatioAsked | None = None,
        margin: float | None = None,
        approval_rate: float | None = None,
        approval_rates: Sequence[float] = (),
        validation_size: float = 0.25,
        n_boot: int = 200,
        random_state: int = 0,
    ) -> None:
        self.settings = Settings(
            required_ratio=required_ratio,
            asked=RatioAsked.read(ratio),
            margin=margin,
            approval_rate=approval_rate,
            approval_rates=approval_rates,
            validation_size=validation_size,
            n_boot=n_boot,
            random_state=random_state,
        )
        self.entrants = entrants_of(learner, self.settings)

    def __repr__(self) -> str:
        names = ", ".join(entrant.name for entrant in self.entrants)
        return f"LDASearch({names}, required_ratio={self.settings.required_ratio:g})"

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        sensitive_features: Any,
        sample_weight: Any = None,
        X_validation: Any = None,
        y_validation: Any = None,
        sensitive_features_validation: Any = None,
        sample_weight_validation: Any = None,
        watch: Watcher | None = None,
    ) -> Self:
        """Try every alternative, measure it, and pick one.

        Parameters
        ----------
        X, y, sensitive_features, sample_weight : n rows as for a learner's `fit`, to learn from and validate on.
        X_validation, y_validation, sensitive_features_validation, sample_weight_validation : rows to validate on
            instead; then all n rows are learned from.
        watch : called with each candidate as soon as it is measured; a notebook shows how far it is anyway.

        Raises
        ------
        InputError, KindError : as a learner's `fit`; the learner makes no alternatives; too few rows, or no two groups
            of 30 validation rows.
        """
        entrants = [entrant.fresh() for entrant in self.entrants]
        asked = RatioAsked.read(self.settings.asked, references_of(entrants))
        parts = read_alike(entrants, asked, X, y, sensitive_features=sensitive_features, sample_weight=sample_weight)
        brought = (X_validation, y_validation, sensitive_features_validation, sample_weight_validation)
        if all(part is None for part in brought):
            parts, rows = self._split(entrants, parts, sample_weight is not None)
        else:
            rows = given_validation(*brought, parts[0])
        settings = replace(self.settings, asked=asked, approval_rate=self._approval_rate(parts[0]))
        with told_in_notebooks("Searching") as say:
            result = _search(list(zip(entrants, parts, strict=True)), rows, settings, _watched(say, watch))
        self.result_ = replace(result, kind=kind_of(X))
        self.model_, self.evidence_ = self.result_.picked.model, self.result_.evidence()
        if not self.result_.requirement_met:
            warn_caller(_unmet(self.result_), SearchWarning)
        return self

    def _split(
        self, entrants: Sequence[Entrant], parts: Sequence[TrainingData], weighted: bool
    ) -> tuple[list[TrainingData], Cohort]:
        """Data to learn from, read anew because a column may have no value left in it, and validation rows."""
        first = parts[0]
        assert first.groups is not None
        learn, held_out = hold_out(
            first.label,
            self.settings.validation_size,
            self.settings.random_state,
            where="validation_size",
            fix="give more rows, or validation rows of their own",
            groups=first.groups,
        )
        kept = [subset_of(entrant, data, learn, weighted) for entrant, data in zip(entrants, parts, strict=True)]
        return kept, with_told_groups(cohort_of(first, weighted=weighted).subset(held_out))

    def _approval_rate(self, data: TrainingData) -> float:
        for given in (self.settings.approval_rate, *(entrant.approval_rate for entrant in self.entrants)):
            if given is not None:
                return float(given)
        return float(np.average(data.good, weights=data.weight))


def _watched(say: Callable[[str], None], watch: Watcher | None) -> Watcher:
    """A watcher that tells a notebook of each candidate, and then the one that was given."""

    def watched(candidate: Candidate) -> None:
        say(f"Searching: candidate {candidate.number}, {candidate.name}, AUC {candidate.auc:.4f}")
        if watch is not None:
            watch(candidate)

    return watched


def _search(
    parts: Sequence[tuple[Entrant, TrainingData]], rows: Cohort, settings: Settings, watch: Watcher
) -> SearchResult:
    assert rows.groups is not None
    compared = Compared.of(rows.groups, rows.sample_weight, settings.asked)
    candidates: dict[str, Candidate] = {}
    repeats: list[Repeat] = []
    for entrant, data in parts:
        learned, place = cohort_of(data, weighted=True), 0
        for place, (alternative, aside) in enumerate(entrant.alternatives(settings, data, rows), 1):
            if place == 1 and alternative.method != BASELINE:
                raise _not_baseline(entrant.learner, alternative.method)
            key = identity(alternative.model)
            if key in candidates:
                repeats.append(Repeat(alternative=alternative, equals=candidates[key].number, learner=entrant.name))
                also = named(entrant.name, alternative.name, entrant.among)
                candidates[key] = replace(candidates[key], also=(*candidates[key].also, also))
                continue
            decided, before = (deciding(alternative.model, part, alternative.name) for part in (rows, learned))
            candidates[key] = Candidate(
                number=len(candidates) + 1,
                alternative=alternative,
                judgement=judge(decided, before, compared, settings),
                aside=aside,
                learner=entrant.name,
                among=entrant.among,
            )
            watch(candidates[key])
        if not place:
            raise _not_baseline(entrant.learner, None)
    choice = choose(list(candidates.values()), settings)
    return SearchResult(
        candidates=choice.candidates,
        repeats=tuple(repeats),
        picked=choice.picked,
        requirement_met=choice.requirement_met,
        settings=settings,
        about=_about(parts, [*choice.candidates, *repeats], rows.rows, compared.to_json(rows.groups)),
    )


def _about(
    parts: Sequence[tuple[Entrant, TrainingData]],
    tried: Sequence[Candidate | Repeat],
    measured: int,
    compared: Mapping[str, Any],
) -> FrozenMapping[Any]:
    """Learners, rows and groups, as the log states them."""
    _, data = parts[0]
    origins: dict[str, Provenance] = {}
    for each in tried:  # a learner may make nothing but what another one made before
        origins.setdefault(each.learner, each.alternative.model.provenance)
    learners = [
        {
            "name": name,
            "class": origin.learner,
            "parameters": {key: value for key, value in origin.parameters.items() if key != "alternative"},
            "versions": origin.versions,
        }
        for name, origin in origins.items()
    ]
    return FrozenMapping(
        {
            "learners": freeze(learners),
            "rows": freeze({"learned_from": len(data.label), "validation": measured}),
            "outcome": freeze({"target": data.outcome.target, "favourable": data.outcome.favourable}),
            "data_fingerprint": tried[0].alternative.model.provenance.data_fingerprint,
            **compared,
        }
    )


def _not_baseline(learner: Learner, got: str | None) -> PluginError:
    return PluginError(
        "the first alternative of a learner must be its unconstrained model",
        where=type(learner).__name__,
        got=got,
        allowed=f"method {BASELINE!r}",
        fix="yield it first in the learner's vary",
    )


def _unmet(result: SearchResult) -> str:
    best, settings = result.picked, result.settings
    return (
        f"no candidate meets the required ratio of {settings.required_ratio:g}{left_aside(result.candidates)}: the "
        f"closest is {best.name!r}, where {settings.in_words(best.ratio)} is the highest. Fix: ask for less, or give "
        "the learner more rows or other columns."
    )
