"""One run of `scrutable search`: hold rows out, search among the others, measure the pick on those held out."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from scrutable.data.cohort import Cohort
from scrutable.data.cohort_file import read_cohort
from scrutable.data.disclosure.groups import pooled_groups
from scrutable.data.splits import split_rows
from scrutable.data.values import freeze
from scrutable.errors import InputError
from scrutable.fairness.measuring import Measured
from scrutable.fairness.report import decision_points
from scrutable.model import DecisionModel, Evidence, FrozenMapping, dumps, dumps_evidence
from scrutable.plugins.bases import Learner
from scrutable.writing.files import json_text
from scrutable.writing.spreadsheet import csv_text
from scrutable_lifecycle.config import MODELS, SearchRun
from scrutable_lifecycle.development.developing import measure_on, with_measures
from scrutable_lifecycle.learners import check_favoured, create_learner
from scrutable_lifecycle.search import Candidate, LDASearch, SearchResult
from scrutable_lifecycle.search.ratio import Compared, Ratio
from scrutable_lifecycle.search.settings import CONFIDENCE, Settings
from scrutable_lifecycle.strategy import score_rows


@dataclass(frozen=True, kw_only=True)
class Searched:
    """What a run gives; `picked` and `baseline` are their measures on the rows held out, None without any.

    So are `picked_ratio` and `baseline_ratio`; None also where no group has rows enough to be compared.
    """

    result: SearchResult
    evidence: Evidence
    picked: Measured | None
    baseline: Measured | None
    picked_ratio: Ratio | None
    baseline_ratio: Ratio | None
    inputs: tuple[str, ...]
    n_held_out: int

    @property
    def held_out(self) -> dict[str, Any]:
        """The measures on the rows held out, as plain values for JSON."""
        return {
            "rows": self.n_held_out,
            "picked": _with_ratio(self.picked, self.picked_ratio),
            "baseline": _with_ratio(self.baseline, self.baseline_ratio),
        }


def search_run(run: SearchRun, watch: Callable[[Candidate], None]) -> Searched:
    """Search, and measure the pick and the baseline on the rows held out.

    Raises
    ------
    InputError : there is no protected attribute, and as in `LDASearch`.
    """
    if not run.data.attributes:
        fix = "name at least one column, or the columns of probabilities with --protected-probabilities"
        raise InputError("a search compares protected groups", where="--protected", fix=fix)
    everyone = read_cohort(run.data)
    applicants = everyone.subset(everyone.known)
    learner = create_learner(run, applicants.values)
    if not isinstance(learner, Learner):
        raise InputError(
            "a search compares decisions, and this learner predicts a quantity",
            where=f"learner {run.learner.name!r}",
            fix="choose a learner of classes; see `scrutable plugins`",
        )
    search = LDASearch(
        learner,
        required_ratio=run.required_ratio,
        ratio=run.ratio,
        margin=run.margin,
        approval_rate=run.approval_rate,
        approval_rates=run.approval_rates,
        validation_size=run.validation_size,
        random_state=run.split.seed,
    )
    learn, held_out = split_rows(applicants.values, run.split.test_size, run.split.seed)
    part = applicants.subset(learn)
    search.fit(part.columns, part.values, sensitive_features=part.groups, sample_weight=part.sample_weight, watch=watch)
    result = search.result_
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
        result=result,
        evidence=_with_baseline(with_measures(search.evidence_, picked), baseline),
        picked=picked,
        baseline=baseline,
        picked_ratio=picked_ratio,
        baseline_ratio=baseline_ratio,
        inputs=tuple(applicants.columns),
        n_held_out=len(held_out),
    )


def files(found: Searched, *, picture: bool) -> dict[str, str | bytes]:
    """What a search writes, by its name in the folder."""
    result = found.result
    frame = result.frame()
    frame.insert(2, "file", [model_file(candidate) for candidate in result.candidates])
    log = result.to_dict() | {"held_out": found.held_out}
    contents: dict[str, str | bytes] = {
        "model.json": dumps(result.picked.model),
        "evidence.json": dumps_evidence(found.evidence),
        "search.json": json_text(log),
        "frontier.csv": csv_text(frame),
    }
    if picture:
        from scrutable.plots import render

        contents["frontier.svg"] = render(result.plot(), "svg")
    return contents | {model_file(candidate): dumps(candidate.model) for candidate in result.candidates}


def model_file(candidate: Candidate) -> str:
    """Where a candidate's model is written, in the folder; a name that every file system takes."""
    plain = re.sub(r"[^A-Za-z0-9.]+", "-", candidate.name)[:60].strip("-.")
    return f"{MODELS}/{candidate.number:02d}-{plain}.json"


def _ratio_on(rows: Cohort | None, model: DecisionModel, measured: Measured | None, settings: Settings) -> Ratio | None:
    """The ratio of the search, with its kind of interval, on rows that the search did not see."""
    if rows is None or rows.groups is None or measured is None:
        return None
    groups = pooled_groups(rows.groups, rows.sample_weight)
    if groups is None or not (compared := Compared.among(groups, rows.sample_weight, settings.ratio)):
        return None
    found = score_rows(model, rows.columns)
    [point] = decision_points(
        (rows.values == model.outcome.favourable).to_numpy(),
        {"cutoff": (found.cutoff, found.approved)},
        groups,
        score=found.ranking,
        n_boot=settings.n_boot,
        seed=settings.random_state,
        confidence=CONFIDENCE,
        sample_weight=rows.sample_weight,
    )
    return compared.ratio(point)


def _with_ratio(measured: Measured | None, ratio: Ratio | None) -> dict[str, Any] | None:
    if measured is None:
        return None
    return measured.to_dict() | {"ratio": None if ratio is None else ratio.to_dict()}


def _with_baseline(evidence: Evidence, baseline: Measured | None) -> Evidence:
    if baseline is None:
        return evidence
    metrics = FrozenMapping({**evidence.metrics, "held_out_baseline": freeze(baseline.to_dict())})
    return replace(evidence, metrics=metrics)
