"""Checks of every alternative that a learner makes, the baseline and the others: weights and classes count in each."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from scrutable.model import fingerprint
from scrutable.model.evaluator import evaluate
from scrutable.plugins.bases.alternative import Alternative
from scrutable.plugins.decisions import Decision
from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.estimators.alternatives import makes_them, varied_learner
from scrutable.testing.contract.estimators.biting import unequal
from scrutable.testing.contract.examples.data import TrainingSample
from scrutable.testing.contract.examples.known_payers import X, frame_of, has_option, rows_with
from scrutable.testing.contract.subject import Subject

_RATE = 0.3
_ROWS = 320
_HINT = "make every alternative of the rows, weights and classes of the data that vary is given, as learn does"


@deciding("learner", of=makes_them, hint=_HINT)
def every_alternative_follows_weights(subject: Subject) -> None:
    """Of rows that contradict one another those that weigh more decide in every alternative."""
    sample, original = _contradicted()
    good = (sample.y == "good").to_numpy()
    for heavy in (original, ~original):
        weight = np.where(heavy, 40.0, 1.0)
        for each in _made(subject, sample, weight):
            gap = _gap(each, sample, good & heavy, ~good & heavy)
            require(gap > 0, f"in the alternative {each.name!r} rows that weigh little decide", got=f"{gap:g} points")


@deciding("learner", of=makes_them, hint=_HINT)
def every_alternative_follows_the_favourable_class(subject: Subject) -> None:
    """Every alternative favours the class that is asked for, in its outcome and in its scores."""
    sample = _fair()
    for favourable in ("good", "bad") if has_option(subject, "favourable") else ("good",):
        given = {"favourable": favourable} if has_option(subject, "favourable") else {}
        wanted = (sample.y == favourable).to_numpy()
        for each in _made(subject, sample, None, **given):
            named, told = each.model.outcome.favourable, f"with favourable={favourable!r} the alternative {each.name!r}"
            require(named == favourable, f"{told} favours another class", got=named)
            gap = _gap(each, sample, wanted, ~wanted)
            require(gap > 0, f"{told} scores the other class higher", got=f"{gap:g} points")


@deciding("learner", of=makes_them, hint="learn from all rows; only bounds are about rows of known groups")
def every_alternative_follows_rows_of_unknown_groups(subject: Subject) -> None:
    """Of rows that contradict one another the many whose group nobody knows decide in every alternative."""
    sample, original = _contradicted()
    good = (sample.y == "good").to_numpy()
    for many in (original, ~original):
        groups = sample.sensitive_features.copy()
        groups.loc[many & (np.arange(len(good)) % 16 > 1), "sex"] = None
        repeated = replace(sample, sensitive_features=groups).repeated(np.where(many, 4, 1))
        for each in _made(subject, repeated, None):
            gap = _gap(each, sample, good & many, ~good & many)
            told = f"in the alternative {each.name!r} rows of unknown groups say nothing"
            require(gap > 0, told, got=f"{gap:g} points")


@deciding("learner", of=makes_them, hint="leave cutoffs and evidence to the base class, which weighs rows")
def every_alternative_does_what_it_says(subject: Subject) -> None:
    """Every alternative approves the rate that is asked for by weight, and its evidence is about its own model."""
    sample = unequal("f")
    for weight in (None, np.where(sample.X["x"] > 2, 5.0, 1.0)):
        rows = np.ones(len(sample.y)) if weight is None else weight
        given = {"approval_rate": _RATE} if has_option(subject, "approval_rate") else {}
        for each in _made(subject, sample, weight, **given):
            evaluation, name = evaluate(each.model, sample.X), each.name
            score, approved = np.asarray(evaluation.score), np.asarray(evaluation.approved)
            share = float(np.average(approved, weights=rows))
            if given:
                above = score > score[approved].min() if approved.any() else approved
                right = share >= _RATE - 1e-9 and np.average(above, weights=rows) < _RATE
                told = f"with approval_rate={_RATE:g} the alternative {name!r} approves another share of weight"
                require(right, told, got=share)
            own = fingerprint(each.model)
            require(each.evidence.model_sha256 == own, f"the evidence of {name!r} is about another model")
            decision = Decision.of(each.evidence)
            told = f"the evidence of {name!r} states another share approved than {share:g}"
            require(decision is None or abs(decision.approved - share) < 1e-9, told, got=decision)


@deciding("learner", of=makes_them, hint=_HINT)
def every_alternative_follows_missing_values(subject: Subject) -> None:
    """Missing values score as their rows say in every alternative: like the worst where these are bad, or the best."""
    for share in (0.02, 0.98):
        plain = rows_with(subject, {1.0: 0.1, 2.0: 0.9, None: share})
        beside = np.random.default_rng(1).integers(1, 4, len(plain.y)) + (plain.sensitive_features["sex"] == "m")
        sample = replace(plain, X=plain.X.assign(beside=beside.astype(float)))
        rows = frame_of({X: [1.0, 2.0, None], "beside": [2.0] * 3})
        for each in _made(subject, sample, None):
            low, high, missing = scores = np.asarray(evaluate(each.model, rows).score)
            right = missing <= low <= high if share < 0.5 else low <= high <= missing
            told = f"missing values do not score as their rows say in the alternative {each.name!r}"
            require(right, told, got=scores.tolist())


def _made(subject: Subject, sample: TrainingSample, weight: Any, **options: Any) -> list[Alternative]:
    learner = varied_learner(subject).set_params(**options)
    made = learner.alternatives(sample.X, sample.y, sensitive_features=sample.sensitive_features, sample_weight=weight)
    return list(made)


def _gap(alternative: Alternative, sample: TrainingSample, first: Any, second: Any) -> float:
    """By how much the mean score of some rows is above that of others."""
    score = np.asarray(evaluate(alternative.model, sample.X).score)
    return float(score[first].mean() - score[second].mean())


@functools.cache
def _fair() -> TrainingSample:
    """Who pays depends on z, which tells no group, and a little on x, which is lower in one of them."""
    chance, place = np.random.default_rng(8), np.arange(_ROWS)
    poor, z = place % 2 == 0, place // 2 % 4
    x = np.clip(chance.integers(0, 3, _ROWS) + ~poor, 0, 3)
    good = chance.uniform(size=_ROWS) < np.array([0.05, 0.3, 0.7, 0.95])[z] + np.array([-0.05, 0.0, 0.0, 0.05])[x]
    return TrainingSample.of({"x": x + 1.0, "z": z + 1.0}, good, sex=np.where(poor, "f", "m"))


@functools.cache
def _contradicted() -> tuple[TrainingSample, Any]:
    """Rows, each with a second one of the other outcome, and which the first ones are."""
    sample = _fair()
    rows, groups = (pd.concat([each, each], ignore_index=True) for each in (sample.X, sample.sensitive_features))
    y = pd.concat([sample.y, sample.y.map({"good": "bad", "bad": "good"})], ignore_index=True)
    return TrainingSample(X=rows, y=y, sensitive_features=groups), np.arange(len(y)) < len(sample.y)
