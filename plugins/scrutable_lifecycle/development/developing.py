"""Developing a model: read, split, infer rejects, learn, measure on what was held out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from scrutable.data import Cohort, Positions, read_cohort, rejects_before, split_known
from scrutable.errors import InputError
from scrutable.fairness import Measured, measure
from scrutable.model import (
    DecisionModel,
    Evidence,
    FrozenMapping,
    Model,
    RegressionScorecard,
    RuleSet,
    freeze,
    labelled,
)
from scrutable.model.evaluator import evaluate
from scrutable.model.rulesets import RULES, rules_entry
from scrutable.plugins import CARD_CHOICE, refusing_missing, told_otherwise
from scrutable.plugins.bases import Learner, RegressionLearner
from scrutable_lifecycle.config import Run
from scrutable_lifecycle.development.bounds import KeptBound, measure_kept
from scrutable_lifecycle.development.classes import measure_classes
from scrutable_lifecycle.development.developed import AnyMeasured, Developed
from scrutable_lifecycle.development.quantities import measure_quantity
from scrutable_lifecycle.development.where_rows_live import develop_there, rows_elsewhere
from scrutable_lifecycle.learners import check_favoured, chosen_card, create_learner
from scrutable_lifecycle.population import infer_rejects, measure_population


def develop(run: Run, data: Any = None) -> Developed:
    """Learn the model of a run, and measure it on the rows held out.

    Nothing is written: the result holds the model and its evidence.

    Parameters
    ----------
    run : what is learned from, how, and which rows are held out; what `scrutable fit` is told.
    data : n applicants, a frame of any kind, the path of a data file, or a source of rows that live elsewhere, such as
        a relation of DuckDB, whose columns `run.data` names; the path that `run.data` has when None.

    Raises
    ------
    InputError, KindError : no applicants, or data, columns or options that cannot be used.
    PluginError : a component that is not there, or a learner whose model favours another class than it was asked to.

    Examples
    --------
    >>> from scrutable.data.datasets import load_german_credit
    >>> from scrutable_lifecycle.development import DataConfig, Run
    >>> german = load_german_credit()
    >>> columns = DataConfig(target="credit_risk", favourable="good", protected=("sex",), drop=tuple(
    ...     name for name in german.frame if name not in (*german.inputs, "credit_risk", "sex")))
    >>> developed = develop(Run(data=columns), german.frame)
    >>> developed
    Developed(additive, 700 rows to learn from, 300 held out, AUC 0.8..., 70...% approved)
    >>> developed.frame()["measure"].head(3).tolist()
    ['auc', 'gini', 'ks']
    """
    elsewhere = rows_elsewhere(run, data)
    if elsewhere is not None:
        return develop_there(run, elsewhere)
    everyone = read_cohort(run.data, data)
    known = np.flatnonzero(everyone.known)
    applicants = everyone.subset(known)
    learner = create_learner(run, applicants.values)
    if isinstance(learner, RegressionLearner) and run.report.approval_rate is not None:
        fix = "leave it out"
        raise InputError("a prediction approves nobody", where="--approval-rate", got=run.report.approval_rate, fix=fix)
    of_classes = isinstance(learner, Learner)
    learn, held_out = split_known(run.split, everyone, of_classes=of_classes)
    part = applicants.subset(learn)
    learner = _learned(run, learner, part, everyone, known[learn])
    check_favoured(learner.model_, run, applicants.values)
    _refuse_missing(run, learner)
    if run.data.labels:
        learner.model_, learner.evidence_ = labelled(learner.model_, learner.evidence_, run.data.labels)
    rest = applicants.subset(held_out) if len(held_out) else None
    measured = None if rest is None else _measure(learner.model_, rest, run)
    before = _measure_improved(learner, rest, run)
    kept, approved = _decisions(run, learner, part, rest) if isinstance(learner, Learner) else ((), None)
    model, population = learner.model_, None
    if not isinstance(model, RegressionScorecard):
        population = measure_population(everyone, model, run.reject_inference)
    choice = chosen_card(run)
    noted = {
        CARD_CHOICE: None if choice is None else asdict(choice),
        RULES: rules_entry(model, part.columns, part.values) if isinstance(model, RuleSet) else None,
        "held_out_before": None if before is None else before.to_dict(),
        "population": None if population is None else population.to_dict(),
    }
    return Developed(
        run=run,
        model=model,
        evidence=_with_metrics(with_measures(learner.evidence_, measured), noted),
        measured=measured,
        before=before,
        kept=kept,
        inputs=tuple(applicants.columns),
        cutoff=getattr(model, "cutoff", None),
        approved=approved,
        population=population,
        n_fit=len(learn),
        held_out=known[held_out],
        kind=everyone.kind,
    )


def measure_on(rows: Cohort | None, model: DecisionModel, approval_rate: float | None, seed: int) -> Measured | None:
    """Measures of a model on rows that it did not see; None where there are none, or no score."""
    if rows is None:
        return None
    return measure(
        model,
        rows.columns,
        rows.values,
        groups=rows.groups,
        sample_weight=rows.sample_weight,
        approval_rate=approval_rate,
        seed=seed,
    )


def with_measures(evidence: Evidence, measured: AnyMeasured | None) -> Evidence:
    """Evidence with what was measured on the rows held out."""
    return _with_metrics(evidence, {"held_out": None if measured is None else measured.to_dict()})


def _with_metrics(evidence: Evidence, further: Mapping[str, Mapping[str, Any] | None]) -> Evidence:
    """Evidence with these metrics, too; None adds none."""
    frozen = {name: freeze(values) for name, values in further.items() if values is not None}
    return replace(evidence, metrics=FrozenMapping({**evidence.metrics, **frozen})) if frozen else evidence


def _learned(
    run: Run, learner: Learner | RegressionLearner, part: Cohort, everyone: Cohort, learn: Positions
) -> Learner | RegressionLearner:
    """The learner fitted on a part, and where rejects are inferred, another one like it fitted on these as well."""
    inference = run.reject_inference
    rejected = None if inference is None else rejects_before(run.split, everyone)
    with told_otherwise():
        learner.fit(part.columns, part.values, sensitive_features=part.groups, sample_weight=part.sample_weight)
    if inference is None or rejected is None:
        return learner
    if not isinstance(learner, Learner):
        raise InputError("reject inference needs two classes", where="--reject-inference", fix="leave it out")
    if not len(rejected):
        fix = "name the column that says who was accepted with --accepted"
        raise InputError("there is no declined applicant", where="--reject-inference", fix=fix)
    rows = infer_rejects(everyone, learn, rejected, learner.model_, inference, run.split.seed)
    again = create_learner(run, part.values)
    with told_otherwise():
        again.fit(rows.columns, rows.values, sensitive_features=rows.groups, sample_weight=rows.sample_weight)
    return again


def _refuse_missing(run: Run, learner: Learner | RegressionLearner) -> None:
    """Give the learned model the knock-outs that the run asks for."""
    refused = run.missing.refuse
    if refused is None:
        return
    if not isinstance(learner, Learner):
        raise InputError("a prediction declines nobody", where="--refuse-missing", got=refused, fix="leave it out")
    learner.model_, learner.evidence_ = refusing_missing(learner.model_, learner.evidence_, refused)


def _measure(model: Model, rows: Cohort, run: Run) -> AnyMeasured:
    if isinstance(model, RegressionScorecard):
        return measure_quantity(model, rows.columns, rows.values, rows.sample_weight)
    measured = measure_on(rows, model, run.report.approval_rate, run.split.seed)
    return measured or measure_classes(model, rows.columns, rows.values, rows.sample_weight)


def _measure_improved(learner: Learner | RegressionLearner, rows: Cohort | None, run: Run) -> Measured | None:
    """Measures, on the same rows, of the model that was improved; None where there is none."""
    improved = learner.improved() if isinstance(learner, Learner) else None
    return None if improved is None else measure_on(rows, improved, run.report.approval_rate, run.split.seed)


def _decisions(
    run: Run, learner: Learner, part: Cohort, rest: Cohort | None
) -> tuple[tuple[KeptBound, ...], float | None]:
    """What became of the bounds, and the share of the rows learned from that is approved; None of many classes."""
    kept = measure_kept(learner, [each.create("constraint") for each in run.constraints], part, rest)
    if not learner.model_.outcome.binary:
        return kept, None
    approved = evaluate(learner.model_, part.columns, reasons=False).approved
    return kept, float(np.average(approved, weights=part.sample_weight))
