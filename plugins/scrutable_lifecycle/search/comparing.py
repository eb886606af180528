"""Champion and challengers: models that are there already, compared as a search compares its candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from scrutable.data import Cohort, DataConfig
from scrutable.data.frames import as_table, kind_of
from scrutable.errors import InputError, did_you_mean
from scrutable.fairness import Groups, RatioKind, reachable_threshold
from scrutable.measures import Scored
from scrutable.model import DecisionModel, Evidence, FrozenMapping, Outcome, fingerprint, freeze
from scrutable.plugins.bases import Alternative
from scrutable.writing import number
from scrutable_lifecycle.measured_rows import development_rows, judged_cohort, need_outcomes
from scrutable_lifecycle.search.beside_champion import BesideChampion
from scrutable_lifecycle.search.candidate import Candidate, Repeat, identity
from scrutable_lifecycle.search.choice import choose
from scrutable_lifecycle.search.equal_approval import cut_to_approve, share_left
from scrutable_lifecycle.search.judgement import deciding, judge
from scrutable_lifecycle.search.ratio import Compared
from scrutable_lifecycle.search.ratio_asked import EVERYTHING, RatioAsked
from scrutable_lifecycle.search.result import SearchResult
from scrutable_lifecycle.search.settings import Settings
from scrutable_lifecycle.search.validation_rows import with_told_groups

#: The smallest ratio of approval rates, where groups are compared and nothing else is asked.
REQUIRED = 0.8


def compare_models(
    models: Mapping[str, DecisionModel],
    X: Any,
    y: Any = None,
    *,
    sensitive_features: Any = None,
    sample_weight: Any = None,
    development: Any = None,
    development_weight: Any = None,
    evidence: Mapping[str, Evidence] | None = None,
    required_ratio: float | None = None,
    ratio: RatioKind | RatioAsked | None = None,
    margin: float | None = None,
    approval_rate: float | None = None,
    approval_rates: Sequence[float] = (),
    n_boot: int = 200,
    random_state: int = 0,
) -> SearchResult:
    """Measure a champion and its challengers alike, and pick one as `LDASearch` does.

    Each model is cut anew, so that all approve the same share of the development rows: what the champion approves
    at its own cutoff when `approval_rate` is None. The pick is the model with the highest AUC among those whose ratio
    meets `required_ratio`, the champion among them; without protected groups it is the model with the highest AUC. The
    result holds the models as they were cut, what their probabilities are worth, their swap sets with the champion, and
    a log.

    A model whose own cutoff approves the same development rows keeps it. A challenger whose knock-outs and overrides
    leave fewer rows than that share is set aside: it is shown at its own cutoff, and cannot be the pick.

    Parameters
    ----------
    models : by name, the champion first; all decide about one outcome.
    X, y : n applicants that no model learned from, and their outcomes in the models' classes, none missing: AUC and bad
        rates are of known outcomes. Or a frame or a path and a `DataConfig`, which says what each column is.
    sensitive_features : (n, attributes) protected attributes, or `Groups`; None where a config names them, or where
        groups are not compared.
    sample_weight : (n,) weights; None means 1 each.
    development, development_weight : applicants on which cutoffs are set, and their weights; X itself when None. A
        config names the column of their weights, too.
    evidence : what is known of the models, by name.
    required_ratio, ratio, margin : as in `LDASearch`, 0.8 where None is required; only of groups.
    approval_rate, approval_rates, n_boot, random_state : as in `LDASearch`.

    Raises
    ------
    InputError : fewer than two models, models of different outcomes, one whose cutoff cannot be moved, a champion that
        approves everybody or nobody, or whose knock-outs and overrides leave fewer than `approval_rate`, outcomes
        that are missing or none of the models' classes, rows that do not match, weights of development rows without
        these, a ratio that is asked for without groups.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import make_credit
    >>> data, new = make_credit(2000, seed=1), make_credit(2000, seed=2)
    >>> options = {"binner": "quantile", "favourable": 0}
    >>> whole = create("learner", "scorecard", **options).fit(data.X, data.y).model_
    >>> small = create("learner", "scorecard", **options).fit(data.X.iloc[:, :2], data.y).model_
    >>> compare_models({"champion": small, "challenger": whole}, new.X, new.y,
    ...                sensitive_features=new.sensitive_features, approval_rate=0.8, required_ratio=0.5)
    SearchResult(2 candidates, 2 on the frontier, picked 2, 'challenger', required ratio 0.5 met)
    >>> compare_models({"champion": small, "challenger": whole}, new.X, new.y, approval_rate=0.8)
    SearchResult(2 candidates, picked 2, 'challenger')
    """
    if len(models) < 2:
        fix = "give the champion and at least one challenger"
        raise InputError("nothing to compare", where="models", got=list(models), fix=fix)
    named = y.reference if isinstance(y, DataConfig) else None
    if isinstance(y, DataConfig):
        X, development, development_weight = _read(models, X, y, development)
    known = dict(evidence or {})
    _check(models, known)
    settings = Settings(
        required_ratio=REQUIRED if required_ratio is None else required_ratio,
        asked=RatioAsked.read(ratio, named),
        margin=margin,
        approval_rate=approval_rate,
        approval_rates=approval_rates,
        n_boot=n_boot,
        random_state=random_state,
    )
    first, champion = next(iter(models.items()))
    rows = _rows(X, y, sensitive_features, sample_weight, champion.outcome, settings.asked)
    if rows.groups is None:
        _refuse_ratio(settings.asked, required_ratio=required_ratio, margin=margin)
        settings = replace(settings, by_groups=False)
    learned = rows
    if development is not None:
        learned = Cohort.read(development, sample_weight=development_weight)
    elif development_weight is not None:
        fix = "give development, or these weights as sample_weight"
        raise InputError("weights of development rows that are not given", where="development_weight", fix=fix)
    scored = {name: deciding(model, learned, name) for name, model in models.items()}
    rate = _rate(first, scored[first], approval_rate)
    settings = replace(settings, approval_rate=rate)
    compared = None if rows.groups is None else Compared.of(rows.groups, rows.sample_weight, settings.asked)
    candidates: dict[str, Candidate] = {}
    repeats: list[Repeat] = []
    today: Scored | None = None
    for name, model in models.items():
        cut, aside = cut_to_approve(model, scored[name], rate)
        alternative = _alternative(name, cut, known.get(name))
        key = identity(cut)
        if key in candidates:
            repeats.append(Repeat(alternative=alternative, equals=candidates[key].number))
            candidates[key] = replace(candidates[key], also=(*candidates[key].also, name))
            continue
        before = scored[name] if cut is model else deciding(cut, learned, name)
        decided = before if learned is rows else deciding(cut, rows, name)
        candidates[key] = Candidate(
            number=len(candidates) + 1,
            alternative=alternative,
            judgement=judge(decided, before, compared, settings),
            aside=aside,
            beside=BesideChampion.of(today, decided),
        )
        today = today or decided
    choice = choose(list(candidates.values()), settings)
    return SearchResult(
        candidates=choice.candidates,
        repeats=tuple(repeats),
        picked=choice.picked,
        requirement_met=choice.requirement_met,
        settings=settings,
        about=FrozenMapping(
            {
                "models": freeze({name: fingerprint(model) for name, model in models.items()}),
                "rows": freeze({"development": learned.rows, "validation": rows.rows}),
                "outcome": freeze({"target": champion.outcome.target, "favourable": champion.outcome.favourable}),
                **({} if compared is None or rows.groups is None else compared.to_json(rows.groups)),
            }
        ),
        kind=rows.kind,
    )


def _check(models: Mapping[str, DecisionModel], evidence: Mapping[str, Evidence]) -> None:
    for name in evidence:
        if name not in models:
            raise InputError("evidence of no model", where="evidence", got=name, fix=did_you_mean(name, models))
    (first, champion), *others = models.items()
    for name, model in others:
        if (model.outcome.classes, model.outcome.favourable) != (champion.outcome.classes, champion.outcome.favourable):
            raise InputError(
                "the models decide about different outcomes",
                where=f"model {name!r}",
                got=f"classes {list(model.outcome.classes)}, favourable {model.outcome.favourable!r}",
                allowed=f"those of {first!r}: {list(champion.outcome.classes)}, {champion.outcome.favourable!r}",
                fix="code the outcome alike for all models",
            )


def _refuse_ratio(asked: RatioAsked, **further: Any) -> None:
    """Refuse what is asked of a ratio where there are no groups."""
    nothing = EVERYTHING.to_json()
    for name, value in {**asked.to_json(), **further}.items():
        if value != nothing.get(name):
            raise InputError(
                "a ratio is of groups, and no protected attribute is named",
                where=name,
                got=dict(value) if isinstance(value, Mapping) else value,
                fix="name the protected attributes, or leave it out",
            )


def _read(
    models: Mapping[str, DecisionModel], data: Any, config: DataConfig, development: Any
) -> tuple[Cohort, Any, Any]:
    """The applicants to compare on, and those of the development with their weights, if any."""
    given = tuple(models.values())
    cohort = judged_cohort(given, data, config)
    need_outcomes(cohort, config.target)
    return (cohort, None, None) if development is None else (cohort, *development_rows(given, development, config))


def _rows(X: Any, y: Any, sensitive_features: Any, sample_weight: Any, outcome: Outcome, asked: RatioAsked) -> Cohort:
    if isinstance(X, Cohort):
        cohort = X
    else:
        table = as_table(X)
        groups = (
            None if sensitive_features is None else Groups.from_frame(sensitive_features, expected_rows=table.n_rows)
        )
        read = Cohort.read(table, y, outcome=outcome, groups=groups, sample_weight=sample_weight, complete=True)
        cohort = replace(read, kind=kind_of(X))
    if cohort.groups is None:
        return cohort
    return with_told_groups(replace(cohort, groups=asked.with_references(cohort.groups)))


def _rate(name: str, scored: Scored, asked: float | None) -> float:
    """The share that all are to approve: what is asked for, or what the champion approves of the development rows."""
    weight = scored.cohort.sample_weight
    if asked is not None:
        if reachable_threshold(scored.score, asked, sample_weight=weight, knocked_out=scored.declined_anyway) is None:
            raise InputError(
                "the champion cannot approve so many, because its knock-outs or overrides decline the others",
                where=f"model {name!r}, approval_rate",
                got=asked,
                allowed=f"at most {share_left(scored)!r}",
                fix="ask for fewer",
            )
        return asked
    rate = float(np.average(scored.approved, weights=weight))
    if not 0 < rate < 1:
        raise InputError(
            "the champion decides alike about all development rows, so there is no rate to compare at",
            where=f"model {name!r}, cutoff {number(scored.cutoff)}",
            got=f"{rate:.0%} approved",
            fix="give approval_rate",
        )
    return rate


def _alternative(name: str, model: DecisionModel, evidence: Evidence | None) -> Alternative:
    sha256 = fingerprint(model)
    known = Evidence(model_sha256=sha256) if evidence is None else replace(evidence, model_sha256=sha256)
    return Alternative(method=name, model=model, evidence=known)
