"""Checks of binners and learners by two fits whose results have to agree, under each of their options."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from scrutable.errors import ScrutableError
from scrutable.testing.contract.check import check, require
from scrutable.testing.contract.estimators.repeated import SCIKIT_LEARNS
from scrutable.testing.contract.examples.data import TrainingSample, fit, learns_classes
from scrutable.testing.contract.examples.known_payers import has_option, worths
from scrutable.testing.contract.examples.rich import CODES, TEXTS, by_hand, rich, settings, with_codes
from scrutable.testing.contract.results import content
from scrutable.testing.contract.subject import Subject

#: Numbers that the codes may be as well: above all others, below all others, and among them; under options in turn.
_OTHER_CODES = ((997.0, 998.0), (-3.0, -2.0), (3.05, 55.55))
#: How far results may be apart, that are found by steps in learners.
_NEAR, _PROBABLE = 1e-6, 0.02


@check("binner", "learner", hint="take the rows of every special code out before anything is cut")
def codes_may_be_any_numbers(subject: Subject) -> None:
    """Special codes that are other numbers, wherever these lie, change nothing, under each of its options."""
    if with_codes(subject) is None:
        return
    sample = rich(subject)
    for turn, (options, usual) in enumerate(_each(subject, sample)):
        for codes in [_OTHER_CODES[turn % len(_OTHER_CODES)]] if turn else _OTHER_CODES:
            renamed = sample.X["amount"].replace(dict(zip(CODES, codes, strict=True)))
            other = replace(sample, X=sample.X.assign(amount=renamed))
            made = _made(subject, other, {**options, **(with_codes(subject, codes) or {})})
            told = f"with {_told(options)} codes of {codes} do not score as codes of {CODES}"
            _agree(subject, usual, made, (sample.X, other.X), told)


@check("binner", "learner", hint="count by data.weight wherever bins and groups are made and merged")
def whole_weights_are_repeated_rows_under_every_option(subject: Subject) -> None:
    """A row of weight 3 is three rows to what merges many numbers and texts, under each of its options."""
    if SCIKIT_LEARNS in subject.component.known_failures:
        return
    sample = rich(subject)
    first = sample.y == sample.y.max() if sample.y.dtype == object else sample.y > sample.y.mean()
    odd = sample.X["text"].isin(TEXTS[::2]).to_numpy()
    weight = np.where(first.to_numpy() == odd, 3.0, 1.0)
    repeated = sample.repeated(weight.astype(int))
    for options, usual in _each(subject, sample, weight):
        if _draws(subject, sample, options):
            continue
        made = _made(subject, repeated, options)
        told = f"with {_told(options)} a row of weight 3 is not what three rows are"
        _agree(subject, usual, made, (sample.X, sample.X), told)


@check(
    "binner", "learner", hint="find what is learned of each column anew, and keep nothing by its values or its place"
)
def the_order_of_columns_means_nothing(subject: Subject) -> None:
    """Columns in another order, of which two have the same numbers, are learned alike, under each of its options."""
    sample = rich(subject)
    turned = replace(sample, X=sample.X[sample.X.columns[::-1]])
    _are_learned_alike(subject, turned, "columns in another order are learned otherwise")


@check("binner", "learner", hint="sort by what is learned, not by labels, and keep what is sorted beside its own label")
def names_of_categories_mean_nothing(subject: Subject) -> None:
    """Texts of other names, and so in another order, are worth what they were, under each of its options."""
    sample = rich(subject)
    others = {text: f"{TEXTS[place * 11 % len(TEXTS)]}!" for place, text in enumerate(TEXTS)}
    renamed = replace(sample, X=sample.X.assign(text=sample.X["text"].map(others)))
    _are_learned_alike(subject, renamed, "texts of other names are worth something else")


@check("binner", "learner", hint="read columns by position, or by their names all along")
def names_of_columns_mean_nothing(subject: Subject) -> None:
    """Columns of other names, which sort otherwise, are learned alike, under each of its options."""
    sample = rich(subject)
    names = {"amount": "z last", "years": "m middle", "text": "a first"}
    renamed = replace(sample, X=sample.X.rename(columns=names))
    _are_learned_alike(subject, renamed, "columns of other names are learned otherwise", names)


@check("binner", hint="weigh rows by weight as it is: never as whole numbers, and limits as shares of all weight")
def the_scale_of_weights_means_nothing(subject: Subject) -> None:
    """Weights of a quarter, so that all are below 1, are worth what whole weights are, under each of its options."""
    sample = rich(subject)
    weight = 1.0 + np.arange(len(sample.y)) % 3
    for options, usual in _each(subject, sample, weight):
        made = None if usual is None else _made(subject, sample, options, weight / 4)
        told = f"with {_told(options)} weights of a quarter give something else"
        _agree(subject, usual, made, (sample.X, sample.X), told)


def _are_learned_alike(
    subject: Subject, other: TrainingSample, fault: str, names: dict[str, str] | None = None
) -> None:
    """Require that the same rows, told otherwise, are learned alike under each option that draws nothing."""
    sample = rich(subject)
    for options, usual in _each(subject, sample):
        if not _draws(subject, sample, options):
            made = _made(subject, other, _renamed(options, names or {}))
            _agree(subject, usual, made, (sample.X, other.X), f"with {_told(options)} {fault}")


def _renamed(options: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """Options in which columns have other names."""
    renamed = {}
    for key, value in options.items():
        if key == "binner" and names:
            value = clone(value).set_params(special_codes=_renamed(value.special_codes or {}, names))
        elif isinstance(value, dict):
            value = {names.get(name, name): entry for name, entry in value.items()}
        renamed[names.get(key, key)] = value
    return renamed


def _each(subject: Subject, sample: TrainingSample, weight: Any = None) -> Iterator[tuple[dict[str, Any], Any]]:
    """Options with the special codes declared, and what is learned with them; None where it refuses the data."""
    codes = with_codes(subject) or {}
    for own in settings(subject):
        options = {**by_hand(subject, sample), **codes, **own}
        key = f"learned of the rich sample with {options}, {'' if weight is None else weight.sum()}"
        yield options, subject.once(key, functools.partial(_made, subject, sample, options, weight))


def _draws(subject: Subject, sample: TrainingSample, options: dict[str, Any]) -> bool:
    """Whether what is learned hangs on the seed: who draws rows or columns draws others in another order."""
    if not has_option(subject, "random_state"):
        return False
    return subject.once(f"draws with {options}", lambda: _hangs_on_the_seed(subject, sample, options))


def _hangs_on_the_seed(subject: Subject, sample: TrainingSample, options: dict[str, Any]) -> bool:
    first, second = (_made(subject, sample, {**options, "random_state": seed}) for seed in (1, 2))
    return first is not None and second is not None and content(first) != content(second)


def _made(subject: Subject, sample: TrainingSample, options: dict[str, Any], weight: Any = None) -> Any:
    try:
        return fit(subject.make(**options), sample, sample_weight=weight)
    except (ScrutableError, TypeError, ValueError):
        return None


def _agree(subject: Subject, first: Any, again: Any, rows: tuple[pd.DataFrame, pd.DataFrame], told: str) -> None:
    """Require that both are refused, or say the same of the same rows: probabilities, or values."""
    require((first is None) == (again is None), told, got="one of them is refused")
    if first is None:
        return
    if learns_classes(subject):
        ours, theirs = (np.asarray(each.predict_proba(X)) for each, X in zip((first, again), rows, strict=True))
        allowed = _PROBABLE
    else:
        ours, theirs = (np.array(worths(each, X)) for each, X in zip((first, again), rows, strict=True))
        allowed = _NEAR * max(1.0, float(np.ptp(ours)))
    far = np.abs(ours - theirs)
    far = far.max(axis=1) if far.ndim > 1 else far
    require(far.max() <= allowed, told, got=f"{far.max():g} apart for {rows[0].iloc[int(far.argmax())].to_dict()}")


def _told(options: dict[str, Any]) -> str:
    own = {name: value for name, value in options.items() if name not in ("special_codes", "cuts", "binner")}
    return f"{own}" if own else "no options"
