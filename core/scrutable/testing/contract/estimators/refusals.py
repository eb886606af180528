"""Checks of binners and learners: what cannot be used is refused, in words that name it and say how to mend it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from scrutable.errors import ScrutableError
from scrutable.testing.contract.check import Fault, check, refused, require
from scrutable.testing.contract.examples.data import (
    TrainingSample,
    edge_applicants,
    features_of,
    fit,
    fitted,
    learns_quantities,
    sample_for,
)
from scrutable.testing.contract.subject import Subject

_HINT = (
    "raise scrutable.errors.InputError with where=, got=, allowed= and fix=, before anything of the estimator is set"
)


@check("binner", "learner", hint=_HINT)
def no_rows_are_refused(subject: Subject) -> None:
    """Data without any row is refused."""
    sample = sample_for(subject)
    _refused(subject, sample.repeated(0), "data without any row")


@check("binner", "learner", hint=_HINT)
def useless_outcomes_are_refused(subject: Subject) -> None:
    """Outcomes of one class only, or with missing values, are refused; y is named."""
    sample = sample_for(subject)
    missing = sample.y.copy()
    missing.iloc[3] = None
    _refused(subject, replace(sample, y=missing), "an outcome that is missing", names="y")
    if not learns_quantities(subject):
        _refused(
            subject, replace(sample, y=pd.Series(["good"] * len(sample.y))), "outcomes of a single class", names="y"
        )


@check("binner", "learner", hint=_HINT)
def columns_without_values_are_refused(subject: Subject) -> None:
    """A column in which every value is missing is refused by its name."""
    sample = sample_for(subject)
    _refused(subject, replace(sample, X=sample.X.assign(nothing=np.nan)), "a column without values", names="nothing")


@check("binner", "learner", hint=_HINT)
def mixed_columns_are_refused(subject: Subject) -> None:
    """A column of numbers and texts is refused by its name."""
    sample = sample_for(subject)
    mixed = pd.Series([1.0, "one"] * (len(sample.X) // 2), dtype=object)
    _refused(subject, replace(sample, X=sample.X.assign(mixed=mixed)), "a column of numbers and texts", names="mixed")


@check("binner", "learner", hint=_HINT)
def negative_weights_are_refused(subject: Subject) -> None:
    """Weights below zero are refused."""
    sample = sample_for(subject)
    weight = np.full(len(sample.y), -1.0)
    _refused(subject, sample, "negative weights", names="sample_weight", sample_weight=weight)


@check("binner", "learner", hint="read rows as the base class does, with the protected groups")
def protected_inputs_are_refused(subject: Subject) -> None:
    """An input that is a protected attribute, or tells one, is refused by its name."""
    sample = sample_for(subject)
    sex = sample.sensitive_features
    itself = replace(sample, X=sample.X.assign(sex=sex["sex"]))
    _refused(subject, itself, "an input that is a protected attribute", names="sex", sensitive_features=sex)
    proxy = replace(sample, X=sample.X.assign(title=sex["sex"].map({"female": "Ms", "male": "Mr"})))
    _refused(subject, proxy, "an input that tells a protected attribute", names="title", sensitive_features=sex)


@check("binner", "learner", hint="let transform and predict read their rows as the base class does")
def columns_must_be_those_of_fit(subject: Subject) -> None:
    """Rows that lack a column, or have texts in one of numbers, are refused by its name after fit."""
    estimator, rows = fitted(subject), edge_applicants()
    method = "transform" if subject.component.kind == "binner" else "predict"
    wrong = {"rows that lack a column": ("income", rows.drop(columns="income"))}
    numbers = [feature.name for feature in features_of(estimator) if feature.kind == "numeric"]
    if numbers:
        wrong["texts in a column of numbers"] = (numbers[0], rows.assign(**{numbers[0]: "high"}))
    for what, (name, frame) in wrong.items():
        ask = partial(getattr(estimator, method), frame)
        error = refused(ask, ValueError, f"{method} fails on {what}", f"{method} takes {what}")
        require(name in str(error), f"the error for {what} does not name the column", got=str(error))


@check("binner", "learner", hint="set attributes at the end of fit, when nothing can fail, as the base class does")
def a_refused_fit_changes_nothing(subject: Subject) -> None:
    """A fit that is refused leaves an estimator as it was: unfitted, or as fitted before."""
    sample = sample_for(subject)
    unusable = replace(sample, X=sample.X.assign(nothing=np.nan))
    for estimator, was in ((subject.make(), "unfitted"), (fit(subject.make(), sample), "fitted")):
        before = dict(vars(estimator))
        try:
            fit(estimator, unusable)
        except Exception:
            after = vars(estimator)
            differing = sorted({*before, *after} - {name for name in before if before[name] is after.get(name)})
            require(not differing, f"a refused fit changes an estimator that was {was}", got=differing)
        else:
            raise Fault("a column without values is taken")


def _refused(subject: Subject, sample: TrainingSample, what: str, *, names: str = "", **more: Any) -> None:
    """Require that fit refuses a sample by an error of ours that names a thing, and says how to mend it."""
    estimator = subject.make()
    before = set(vars(estimator))
    other = f"fit fails on {what} with an error that is no ScrutableError"
    error = refused(partial(fit, estimator, sample, **more), ScrutableError, other, f"fit takes {what}")
    require(names in str(error), f"the error for {what} does not name {names!r}", got=str(error))
    require(error.fix or error.allowed, f"the error for {what} does not say how to mend it", got=str(error))
    left = sorted(set(vars(estimator)) - before)
    require(not left, f"a fit that was refused for {what} leaves something behind", got=left)
