"""Checks of binners and learners: objects that they are given as options belong to whoever made them."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from scrutable.errors import ScrutableError
from scrutable.model import Scaling
from scrutable.plugins.registry import registry
from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.estimators.alternatives import makes_them
from scrutable.testing.contract.estimators.set_later import values_of_options
from scrutable.testing.contract.examples.data import CODE, TrainingSample, fit, quantile, sample_for
from scrutable.testing.contract.examples.known_payers import has_option
from scrutable.testing.contract.results import content
from scrutable.testing.contract.subject import Subject
from scrutable.testing.contract.unchanged import changed_state, state_of

_HINT = "clone an option before you set anything in it: sklearn.base.clone(self.binner).set_params(...)"
_ALTERNATIVES = 4
_REFUSED = (ScrutableError, TypeError, ValueError)


@deciding("binner", "learner", hint=_HINT)
def what_it_is_given_stays_as_it_was(subject: Subject) -> None:
    """Fits, refused ones too, and what is asked afterwards change no option object, whatever other option is set."""
    sample = sample_for(subject)
    for options in ({}, *values_of_options(subject)):
        given = {**_objects(subject), **options}
        before = {name: _deep(value) for name, value in given.items()}
        with contextlib.suppress(*(_REFUSED if options else ())):
            made = subject.make(**given)
            _use(made, sample, makes_them(subject.component) and not options)
            with contextlib.suppress(*_REFUSED):
                made.fit(sample.X, sample.y[:-1])
        for name, value in given.items():
            change = changed_state(before[name], _deep(value))
            beside = list(options) or "nothing else"
            require(not change, f"the option {name} is changed where {beside} is set", got=change)


@deciding("learner", hint=_HINT)
def learners_on_one_binner_do_not_disturb_one_another(subject: Subject) -> None:
    """Of two learners on one binner, with other options each, both learn what they do on a binner of their own."""
    if not has_option(subject, "binner"):
        return
    sample = sample_for(subject)
    wanted = content(fit(subject.make(binner=quantile()), sample))
    for options in values_of_options(subject):
        if "binner" in options:
            continue
        shared = quantile()
        with contextlib.suppress(*_REFUSED):
            fit(subject.make(binner=shared, **options), sample, sensitive_features=sample.sensitive_features)
        learned = content(fit(subject.make(binner=shared), sample))
        require(learned == wanted, "a learner learns otherwise on a binner that another one used", got=options)


def _use(made: Any, sample: TrainingSample, varies: bool) -> None:
    """Fit it, ask it all there is, and make a few alternatives."""
    fit(made, sample, sensitive_features=sample.sensitive_features)
    for method in ("transform", "predict", "predict_proba", "evaluate"):
        if hasattr(made, method):
            getattr(made, method)(sample.X[:20])
    if varies:
        alternatives = made.alternatives(sample.X, sample.y, sensitive_features=sample.sensitive_features)
        list(itertools.islice(alternatives, _ALTERNATIVES))


def _objects(subject: Subject) -> dict[str, Any]:
    """Objects for the options that take one; an explainer where there is one by default."""
    made: dict[str, Any] = {
        "binner": quantile(),
        "explainer": registry().create("explainer", "reason-codes"),
        "scaling": Scaling(),
        "special_codes": {"bureau_score": [CODE]},
        "categorical": ["late_payments"],
        "allow_protected": [],
    }
    options = dict(subject.parameters)
    if "explainer" in options and options["explainer"].default is None:  # its models may have none
        del options["explainer"]
    return {name: value for name, value in made.items() if name in options}


def _deep(value: Any) -> dict[str, str]:
    """What an option holds, all the way down, as texts."""
    texts = {**state_of(value), "value": repr(value)}
    if isinstance(value, Mapping):
        texts |= {f"entry {key!r}": repr(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        texts |= {f"element {place}: {name}": text for place, name, text in _elements(value)}
    if hasattr(value, "get_params"):
        texts |= {f"parameter {name}": repr(each) for name, each in value.get_params(deep=True).items()}
    return texts


def _elements(values: Any) -> Iterator[tuple[int, str, str]]:
    for place, each in enumerate(values):
        for name, text in state_of(each).items():
            yield place, name, text
