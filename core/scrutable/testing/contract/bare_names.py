"""Checks of every kind: a name where a list of names belongs is that name, or is refused; it is no list of letters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args, get_origin

import numpy as np

from scrutable.errors import ScrutableError
from scrutable.fairness import Groups
from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.estimators.each_option import stated_of
from scrutable.testing.contract.examples.data import fit, sample_for
from scrutable.testing.contract.examples.models import random_models_accepted
from scrutable.testing.contract.examples.random_models import drawn_rows
from scrutable.testing.contract.explainers.explaining import population, said_of, takes_reference
from scrutable.testing.contract.results import content
from scrutable.testing.contract.subject import Subject

_HINT = "take a text for a list of one, or refuse it by InputError: scrutable.plugins.check_options does"
_ROWS = 16


@deciding("binner", "learner", "constraint", "explainer", hint=_HINT)
def one_name_is_no_list_of_letters(subject: Subject) -> None:
    """Where an option is a list of names, a bare name does what a list of it does, or is refused."""
    for option in _lists_of_names(subject):
        for name in _NAMES[subject.component.kind](subject):
            wanted, bare = (_made(subject, option, value) for value in ([name], name))
            told = f"{option}={name!r} is neither refused nor what a list of it is"
            require(bare is None or bare == wanted, told)


def _lists_of_names(subject: Subject) -> list[str]:
    """Options that may be a list of texts, and no text."""
    options = []
    for option, alternatives in stated_of(subject).items():
        hints = [hint for hint, _ in alternatives]
        lists = [hint for hint in hints if _is_list(hint) and str in get_args(hint)]
        if lists and str not in hints:
            options.append(option)
    return options


def _is_list(hint: Any) -> bool:
    origin = get_origin(hint)
    return isinstance(origin, type) and issubclass(origin, Iterable) and not issubclass(origin, Mapping)


def _made(subject: Subject, option: str, value: Any) -> Any:
    """What comes of an option; None where it is refused."""
    try:
        return _RESULTS[subject.component.kind](subject, subject.make(**{option: value}))
    except (ScrutableError, TypeError, ValueError):
        return None


def _learned(subject: Subject, made: Any) -> str:
    return content(fit(made, sample_for(subject)))


def _bounds(subject: Subject, made: Any) -> str:
    sample = sample_for(subject)
    groups = Groups.from_frame(sample.sensitive_features.assign(age=np.where(sample.y == "good", "old", "young")))
    return repr(made.bind((sample.y == "good").to_numpy(), groups))


def _explanations(subject: Subject, made: Any) -> list[str]:
    texts: list[str] = []
    for model in list(random_models_accepted(subject).values())[:2]:
        reference = population(model) if takes_reference(subject) else None
        texts += map(said_of, made.explain(model, drawn_rows(model, _ROWS), reference=reference))
    return texts


def _features(subject: Subject) -> list[str]:
    first = next(iter(random_models_accepted(subject).values()))
    return [each.name for each in first.features]


_NAMES: dict[Any, Any] = {
    "binner": lambda subject: ["late_payments"],
    "learner": lambda subject: ["late_payments"],
    "constraint": lambda subject: ["sex"],
    "explainer": _features,
}
_RESULTS: dict[Any, Any] = {
    "binner": _learned,
    "learner": _learned,
    "constraint": _bounds,
    "explainer": _explanations,
}
