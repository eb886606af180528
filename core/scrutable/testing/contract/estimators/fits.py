"""Checks of binners and learners: they are scikit-learn estimators, and fit is all that changes them."""

from __future__ import annotations

from functools import partial

import numpy as np
import sklearn
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from scrutable.binning.tables import Binning
from scrutable.errors import InputError
from scrutable.model import Evidence
from scrutable.model.codec import tag
from scrutable.testing.contract.check import AsDeclared, Fault, check, refused, require
from scrutable.testing.contract.examples.data import edge_applicants, features_of, fit, fitted, sample_for, weights
from scrutable.testing.contract.results import learned, results, results_of
from scrutable.testing.contract.subject import Subject
from scrutable.testing.contract.unchanged import changed, changed_sample


@check("binner", "learner", hint="run sklearn.utils.estimator_checks.check_estimator on it; a declared one must fail")
def scikit_learns_checks_pass(subject: Subject) -> None:
    """It passes scikit-learn's check_estimator, but for checks that its descriptor declares by name."""
    known = subject.component.known_failures
    results = check_estimator(subject.make(), on_fail=None, on_skip=None, expected_failed_checks=dict(known))
    failed = {each["check_name"]: each["exception"] for each in results if each["status"] == "failed"}
    for name, error in failed.items():
        more = f"; {len(failed) - 1} more fail" if len(failed) > 1 else ""
        raise Fault(f"scikit-learn's {name} fails: {type(error).__name__}: {error}{more}")
    declared = {each["check_name"] for each in results} & set(known)
    as_declared = {each["check_name"] for each in results if each["status"] == "xfail"}
    stale = sorted(declared - as_declared)
    require(not stale, f"scikit-learn's {', '.join(stale)} is declared to fail, and does not")
    if as_declared:
        raise AsDeclared("; ".join(f"scikit-learn's {name}: {known[name]}" for name in sorted(as_declared)))


@check("binner", "learner", hint="return self from fit, and leave fit to the base class where that is possible")
def fit_gives_what_its_descriptor_says(subject: Subject) -> None:
    """fit returns the estimator, with a Binning in `binning_`, or a model that `produces` names in `model_`."""
    estimator, sample = subject.make(), sample_for(subject)
    returned = estimator.fit(sample.X, sample.y)
    require(returned is estimator, "fit does not return the estimator itself", got=returned)
    if subject.component.kind == "binner":
        binning = getattr(estimator, "binning_", None)
        require(isinstance(binning, Binning), "binning_ is no Binning after fit", got=binning)
        names = [table.feature.name for table in estimator.binning_.tables]
        require(names == list(sample.X), "binning_ has no table for each column of X, in order", got=names)
        return
    model, produces = getattr(estimator, "model_", None), subject.component.produces
    require(tag(type(model)) in produces, f"model_ is of no kind that it produces ({', '.join(produces)})", got=model)
    evidence = getattr(estimator, "evidence_", None)
    require(isinstance(evidence, Evidence), "evidence_ is no Evidence after fit", got=evidence)


@check("binner", "learner", hint="set in __init__ only what it was given, under the same names, and keep nothing else")
def a_clone_fits_the_same(subject: Subject) -> None:
    """A clone has the same options and learns the same from the same rows."""
    first = fitted(subject)
    again = clone(first)
    ours, theirs = (each.get_params(deep=False) for each in (first, again))
    differing = [name for name in ours if repr(ours[name]) != repr(theirs.get(name))]
    require(not differing, "a clone has other options", got=differing)
    _same(learned(first), learned(fit(again, sample_for(subject))), "a clone learns something else")


@check("binner", "learner", hint="copy what you change: arrays of read data may be the caller's own")
def fit_leaves_its_data_as_it_was(subject: Subject) -> None:
    """Neither fit nor what is asked of a fitted estimator changes X, y, sensitive_features or sample_weight."""
    sample, weight = sample_for(subject), weights()
    before, kept = sample.copy(), weight.copy()
    estimator = fit(subject.make(), sample, sensitive_features=sample.sensitive_features, sample_weight=weight)
    change = changed_sample(before, sample) or changed(kept, weight)
    require(not change, "fit changes the data that it is given", got=change)
    rows = edge_applicants()
    asked, untouched = _asked_of(subject), rows.copy()
    for method in asked:
        getattr(estimator, method)(rows)
        change = changed(untouched, rows)
        require(not change, f"{method} changes the rows that it is given", got=change)


@check("binner", "learner", hint="seed every draw from an option, and sort what comes out of sets and threads")
def fit_is_deterministic(subject: Subject) -> None:
    """Two fits of the same rows learn the same, to the byte."""
    _same(results_of(subject), results(subject), "two fits of the same rows differ, so it is not deterministic")


@check("binner", "learner", hint="take sensitive_features and sample_weight as keywords in fit, as the base class does")
def metadata_is_routed(subject: Subject) -> None:
    """Inside a pipeline, sensitive_features and sample_weight reach it where they are requested."""
    sample, weight = sample_for(subject), weights()
    direct = fit(subject.make(), sample, sample_weight=weight)
    told = sample.sensitive_features.assign(told=sample.X["housing"].fillna("unknown"))
    with sklearn.config_context(enable_metadata_routing=True):
        asking = subject.make().set_fit_request(sensitive_features=True, sample_weight=True)
        pipeline = make_pipeline("passthrough", asking)
        routed = pipeline.fit(sample.X, sample.y, sample_weight=weight, sensitive_features=None)[-1]
        _same(learned(direct), learned(routed), "sample_weight does not reach it inside a pipeline")
        try:
            make_pipeline("passthrough", clone(asking)).fit(sample.X, sample.y, sensitive_features=told)
        except InputError:
            return
    raise Fault("a protected attribute that an input tells is taken, or sensitive_features do not reach it")


@check("binner", "learner", hint="call sklearn.utils.validation.check_is_fitted first, as the base class does")
def unfitted_it_says_so(subject: Subject) -> None:
    """What needs a fit raises NotFittedError before it."""
    for method in _asked_of(subject):
        fault = f"{method} of an unfitted estimator raises no NotFittedError"
        refused(
            partial(getattr(subject.make(), method), sample_for(subject).X),
            NotFittedError,
            fault,
            fault,
            got="a result",
        )


@check("binner", "learner", hint="what is protected is for fit alone: neither a model nor a binning reads it")
def sensitive_features_are_for_fit_only(subject: Subject) -> None:
    """Fitted with sensitive_features, it needs none afterwards."""
    sample = sample_for(subject)
    estimator = fit(subject.make(), sample, sensitive_features=sample.sensitive_features)
    for method in _asked_of(subject):
        results = np.asarray(getattr(estimator, method)(sample.X))
        require(len(results) == len(sample.X), f"{method} gives another number of rows", got=len(results))
    read = {feature.name for feature in features_of(estimator)}
    require(read <= set(sample.X), "what it learned reads a column that is no input", got=sorted(read - set(sample.X)))


def _asked_of(subject: Subject) -> tuple[str, ...]:
    """Methods that a fitted estimator has."""
    if subject.component.kind == "binner":
        return ("transform",)
    return tuple(name for name in ("predict", "predict_proba") if hasattr(subject.load(), name))


def _same(ours: dict[str, str], theirs: dict[str, str], fault: str) -> None:
    for what, text in ours.items():
        require(theirs.get(what) == text, fault, got=f"{what} differs")
