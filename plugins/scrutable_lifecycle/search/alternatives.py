"""A whole search: hold rows out, search among the others, measure the pick on those held out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scrutable.data import Cohort, pooled_groups, read_cohort, split_rows
from scrutable.errors import InputError
from scrutable.fairness import Measured, decision_points
from scrutable.model import DecisionModel, Evidence, FrozenMapping, freeze
from scrutable_lifecycle.config import SearchRun
from scrutable_lifecycle.development.developing import measure_on, with_measures
from scrutable_lifecycle.learners import check_favoured
from scrutable_lifecycle.search.ratio import Compared, Ratio
from scrutable_lifecycle.search.ratio_asked import RatioAsked
from scrutable_lifecycle.search.run_learners import learners_of
from scrutable_lifecycle.search.search import LDASearch, Watcher
from scrutable_lifecycle.search.searched import Searched
from scrutable_lifecycle.search.settings import CONFIDENCE, Settings
from scrutable_lifecycle.strategy import score_rows


def search_alternatives(run: SearchRun, data: Any = None, *, watch: Watcher | None = None) -> Searched:
    """Search for a less discriminatory alternative, and measure the pick and the baseline on the rows held out.

    Nothing is written: the result holds the models and the evidence.

    Parameters
    ----------
    run : what is learned from, how, what is asked of the ratio, and which rows are held out; what `scrutable search` is
        told.
    data : n applicants, a frame of any kind or the path of a data file, whose columns `run.data` names; the
        path that `run.data` has when None.
    watch : called with each candidate as soon as it is measured.

    Raises
    ------
    InputError : there is no protected attribute, no applicants, and as in `LDASearch`.

    Examples
    --------
    >>> from scrutable.data.datasets import make_credit
    >>> from scrutable_lifecycle.development import Choice, DataConfig
    >>> data = make_credit(3000, seed=1)
    >>> few = {"sweep": {"bounds": [0.1, 0.02], "budgets": [], "gap_shares": [0.5]}}  # without it, some forty
    >>> columns = DataConfig(target="default", favourable=0, protected=("sex",))
    >>> run = SearchRun(data=columns, learner=Choice(name="lda-xgb1", options=few), required_ratio=0.8, margin=0)
    >>> frame = data.X.assign(default=data.y, sex=data.sensitive_features["sex"])
    >>> search_alternatives(run, frame)
    Searched(lda-xgb1: SearchResult(...), 900 held out, ratio 0... there)
    """
    if not run.data.attributes:
        fix = "name at least one column, or the columns of probabilities with --protected-probabilities"
        raise InputError("a search compares protected groups", where="--protected", fix=fix)
    everyone = read_cohort(run.data, data)
    applicants = everyone.subset(everyone.known)
    search = LDASearch(
        learners_of(run, applicants.values),
        required_ratio=run.required_ratio,
        ratio=RatioAsked(
            kind=run.ratio,
            references=run.data.reference,
            groups=run.compared_groups,
            min_group_size=run.min_group_size,
        ),
        margin=run.margin,
        approval_rate=run.approval_rate,
        approval_rates=run.approval_rates,
        validation_size=run.validation_size,
        random_state=run.split.seed,
    )
    learn, held_out = split_rows(applicants.values, run.split.test_size, run.split.seed)
    part = applicants.subset(learn)
    search.fit(part.columns, part.values, sensitive_features=part.groups, sample_weight=part.sample_weight, watch=watch)
    result = replace(search.result_, kind=everyone.kind)
    check_favoured(result.picked.model, run, applicants.values)
    rest = applicants.subset(held_out) if len(held_out) else None
    picked, baseline = (
        measure_on(rest, each.model, result.settings.approval_rate, run.split.seed)
        for each in (result.picked, result.baseline)
    )
    picked_ratio, baseline_ratio = (
        _ratio_on(rest, each.model, measured, result.settings)
        for each, measured in ((result.picked, picked), (result.baseline, baseline))
    )
    return Searched(
        run=run,
        result=result,
        evidence=_with_baseline(with_measures(search.evidence_, picked), baseline),
        picked=picked,
        baseline=baseline,
        picked_ratio=picked_ratio,
        baseline_ratio=baseline_ratio,
        inputs=tuple(applicants.columns),
        n_held_out=len(held_out),
    )


def _ratio_on(rows: Cohort | None, model: DecisionModel, measured: Measured | None, settings: Settings) -> Ratio | None:
    """The ratio of the search, with its kind of interval, on rows that the search did not see."""
    if rows is None or rows.groups is None or measured is None:
        return None
    groups = pooled_groups(rows.groups, rows.sample_weight)
    if groups is None or not (compared := Compared.among(groups, rows.sample_weight, settings.asked)):
        return None
    scored = score_rows(model, rows.columns)
    [point] = decision_points(
        (rows.values == model.outcome.favourable).to_numpy(),
        {"cutoff": (scored.cutoff, scored.approved)},
        groups,
        score=scored.ranking,
        n_boot=settings.n_boot,
        seed=settings.random_state,
        confidence=CONFIDENCE,
        sample_weight=rows.sample_weight,
        **settings.asked.of_four_fifths(),
    )
    return compared.ratio(point)


def _with_baseline(evidence: Evidence, baseline: Measured | None) -> Evidence:
    if baseline is None:
        return evidence
    metrics = FrozenMapping({**evidence.metrics, "held_out_baseline": freeze(baseline.to_dict())})
    return replace(evidence, metrics=metrics)
