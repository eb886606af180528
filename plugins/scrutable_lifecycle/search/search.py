"""Search for less discriminatory alternatives: try a learner's models, measure them alike, pick one and say why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import clone

from scrutable import registry
from scrutable.data import Cohort, TrainingData, hold_out
from scrutable.data.frames import kind_of
from scrutable.errors import InputError, PluginError, ScrutableWarning, warn_caller
from scrutable.fairness import Groups, RatioKind
from scrutable.model import DecisionModel, Evidence, FrozenMapping, freeze
from scrutable.plugins.bases import ALTERNATIVES, BASELINE, Learner, producers, such_as
from scrutable_lifecycle.search.candidate import Candidate, Repeat, identity
from scrutable_lifecycle.search.choice import choose, left_aside
from scrutable_lifecycle.search.judgement import judge
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
    approval: the cutoff of each approves the same share of the rows learned from, because a ratio at a cutoff can be
    bought by approving more. The ratio of a candidate is the smallest over all protected attributes of the lowest
    approval rate among groups divided by the highest, or by that of a reference that is named; rows of unknown
    membership, and groups of fewer than 30 (effective) validation rows, are not compared.

    The pick is the candidate with the highest AUC among those whose ratio meets `required_ratio`. Picking the best of
    many flatters it: measure the pick once more, on rows that the search did not see.

    Parameters
    ----------
    learner : a learner that makes alternatives, or its name.
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
    InputError : options out of range, a learner with a cutoff of its own or without `approval_rate`.

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
        learner: str | Learner,
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
        self.learner = registry().create("learner", learner) if isinstance(learner, str) else learner
        _check_learner(self.learner, self.settings)

    def __repr__(self) -> str:
        return f"LDASearch({type(self.learner).__name__}, required_ratio={self.settings.required_ratio:g})"

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
        watch : called with each candidate as soon as it is measured.

        Raises
        ------
        InputError, KindError : as a learner's `fit`; the learner makes no alternatives; too few rows, or no two groups
            of 30 validation rows.
        """
        learner: Learner = clone(self.learner)
        data = learner.read(X, y, sensitive_features=sensitive_features, sample_weight=sample_weight)
        if data.groups is None:
            raise InputError("the search compares groups", where="sensitive_features", fix="pass protected attributes")
        asked = RatioAsked.read(self.settings.asked, learner.get_params(deep=False).get("reference_groups"))
        groups = asked.with_references(data.groups)
        data = replace(data, groups=groups)
        brought = (X_validation, y_validation, sensitive_features_validation, sample_weight_validation)
        if all(part is None for part in brought):
            data, rows = self._split(learner, data, groups, sample_weight is not None)
        else:
            rows = given_validation(*brought, data)
        rate = self._approval_rate(data)
        learner.set_params(approval_rate=rate)
        settings = replace(self.settings, asked=asked, approval_rate=rate)
        result = _search(learner, data, rows, settings, watch)
        self.result_ = replace(result, kind=kind_of(X))
        self.model_, self.evidence_ = self.result_.picked.model, self.result_.evidence()
        if not self.result_.requirement_met:
            warn_caller(_unmet(self.result_), SearchWarning)
        return self

    def _split(
        self, learner: Learner, data: TrainingData, groups: Groups, weighted: bool
    ) -> tuple[TrainingData, Cohort]:
        """Data to learn from, read anew because a column may have no value left in it, and validation rows."""
        learn, held_out = hold_out(
            data.label,
            self.settings.validation_size,
            self.settings.random_state,
            where="validation_size",
            fix="give more rows, or validation rows of their own",
            groups=groups,
        )
        if "reference_groups" in learner.get_params(deep=False):
            learner.set_params(reference_groups=None)  # the groups hold the references by now
        part = learner.read(
            data.table.subset(learn),
            pd.Series(data.classes[data.label[learn]], name=data.outcome.target),
            sensitive_features=groups.subset(learn),
            sample_weight=data.weight[learn] if weighted else None,
        )
        return part, with_told_groups(cohort_of(data, weighted=weighted).subset(held_out))

    def _approval_rate(self, data: TrainingData) -> float:
        for given in (self.settings.approval_rate, self.learner.get_params(deep=False)["approval_rate"]):
            if given is not None:
                return float(given)
        return float(np.average(data.good, weights=data.weight))


def _search(
    learner: Learner, data: TrainingData, rows: Cohort, settings: Settings, watch: Watcher | None
) -> SearchResult:
    assert rows.groups is not None
    compared, learned = Compared.of(rows.groups, rows.sample_weight, settings.asked), cohort_of(data, weighted=True)
    candidates: dict[str, Candidate] = {}
    repeats: list[Repeat] = []
    for alternative in learner.alternatives_of(data):
        if not candidates and alternative.method != BASELINE:
            raise _not_baseline(learner, alternative.method)
        key = identity(alternative.model)
        if key in candidates:
            repeats.append(Repeat(alternative=alternative, equals=candidates[key].number))
            candidates[key] = replace(candidates[key], also=(*candidates[key].also, alternative.name))
            continue
        judgement = judge(alternative.model, alternative.name, learned, rows, compared, settings)
        candidates[key] = Candidate(number=len(candidates) + 1, alternative=alternative, judgement=judgement)
        if watch is not None:
            watch(candidates[key])
    if not candidates:
        raise _not_baseline(learner, None)
    choice = choose(list(candidates.values()), settings)
    return SearchResult(
        candidates=choice.candidates,
        repeats=tuple(repeats),
        picked=choice.picked,
        requirement_met=choice.requirement_met,
        settings=settings,
        about=_about(data, rows.rows, compared.to_json(rows.groups), choice.picked),
    )


def _about(data: TrainingData, measured: int, compared: Mapping[str, Any], picked: Candidate) -> FrozenMapping[Any]:
    """Learner, rows and groups, as the log states them."""
    origin = picked.model.provenance
    learner = {key: value for key, value in origin.parameters.items() if key != "alternative"}
    return FrozenMapping(
        {
            "learner": freeze({"class": origin.learner, "parameters": learner, "versions": origin.versions}),
            "rows": freeze({"learned_from": len(data.label), "validation": measured}),
            "outcome": freeze({"target": data.outcome.target, "favourable": data.outcome.favourable}),
            "data_fingerprint": origin.data_fingerprint,
            **compared,
        }
    )


def _use_another() -> str:
    return f"use a learner that makes alternatives{such_as(producers('learner', ALTERNATIVES))}"


def _check_learner(learner: Any, settings: Settings) -> None:
    if not isinstance(learner, Learner):
        raise InputError("expected a learner or its name", where="learner", got=learner, fix=_use_another())
    where, parameters = type(learner).__name__, learner.get_params(deep=False)
    if "approval_rate" not in parameters:
        raise InputError(
            "candidates are compared at equal approval, and this learner takes no approval rate",
            where=where,
            allowed="a learner with the parameter approval_rate",
            fix=_use_another(),
        )
    if parameters.get("cutoff") is not None:
        raise InputError(
            "candidates are compared at equal approval, because a ratio at a cutoff can be bought by approving more",
            where=f"{where}, cutoff",
            got=parameters["cutoff"],
            fix="leave the cutoff out, and give approval_rate",
        )
    own = parameters["approval_rate"]
    if own is not None and settings.approval_rate not in (None, own):
        raise InputError(
            "learner and search have different approval rates",
            where="approval_rate",
            got=(own, settings.approval_rate),
            fix="give it to one of them",
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
