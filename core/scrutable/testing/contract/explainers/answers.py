"""Checks of explainers by what would have to change: answers are possible, needed, and given where there are any."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from scrutable.model import Model
from scrutable.model.evaluator import evaluate
from scrutable.testing.contract.check import check, require
from scrutable.testing.contract.examples.drawing import COLUMNS
from scrutable.testing.contract.examples.known_payers import has_option
from scrutable.testing.contract.examples.models import random_models_accepted
from scrutable.testing.contract.examples.random_models import drawn_rows
from scrutable.testing.contract.explainers.explaining import explained, population, producing, random_explained
from scrutable.testing.contract.subject import Subject

_OF = producing("counterfactuals")
_ROWS = 24
#: Columns whose values have no order.
CODED = {column.feature.name for column in COLUMNS if column.coded}


@check("explainer", of=_OF, hint="propose values that somebody can come to have: no missing ones, and no special codes")
def answers_are_values_to_have(subject: Subject) -> None:
    """No answer proposes that a value be missing, or a special code."""
    for name, model, _, row, answer in _answers(subject):
        codes = {feature.name: feature.special_codes for feature in model.features}
        for change in answer.changes:
            value = answer.values[change.feature]
            odd = value is None or value != value or value in codes[change.feature]
            require(not odd, f"an answer to row {row} of the random {name} proposes {change.feature!r} as", got=value)


@check("explainer", of=_OF, hint="leave out of an answer what it would reach without")
def every_change_is_needed(subject: Subject) -> None:
    """An answer without one of its changes does not reach what is wanted."""
    for name, model, rows, row, answer in _answers(subject):
        changed = _frame(rows.iloc[[row]], answer.values)
        for change in answer.changes if len(answer.changes) > 1 else ():
            less = changed.assign(**{change.feature: rows[change.feature].iloc[[row]].array})
            fault = f"an answer to row {row} of the random {name} needs no change of {change.feature!r}"
            require(not reached(model, less, answer.wanted)[0], fault, got=dict(answer.values))


@check("explainer", of=_OF, hint="search all values of all features before saying that nothing helps")
def who_can_get_there_is_told_how(subject: Subject) -> None:
    """Nobody is left without an answer who would reach what is wanted with one value of somebody in the reference."""
    for name, model, rows, explanations in random_explained(subject, _ROWS):
        for row, each in enumerate(explanations):
            there = bool(reached(model, rows.iloc[[row]], wanted_of(each))[0])
            if each.answers or there:
                continue
            for feature, ways in single_changes(model, rows.iloc[[row]], population(model)):
                helps = reached(model, ways, wanted_of(each))
                fault = f"row {row} of the random {name} gets no answer, and {feature!r} alone would be one"
                value = ways[feature].iloc[int(np.argmax(helps))]
                require(not helps.any(), fault, got=value)


@check(
    "explainer", of=_OF, hint="read immutable, max_changes and actions where there is such an option, of each feature"
)
def answers_keep_to_the_options(subject: Subject) -> None:
    """Immutable features do not change, no more features do than `max_changes`, and numbers rise that can only rise."""
    for model in random_models_accepted(subject).values():
        for feature in model.features:
            name = feature.name
            if has_option(subject, "immutable"):
                for change in _changes(subject, model, immutable=[name]):
                    require(change[0] != name, f"{name!r} is immutable, and an answer changes it", got=change)
            if has_option(subject, "actions") and name not in CODED:
                for ways, sign in (("up", 1), ("down", -1)):
                    _check_way(subject, model, name, ways, sign)
        if has_option(subject, "max_changes"):
            rows = drawn_rows(model, _ROWS)
            most = max((len(answer.changes) for _, answer in _found(subject, model, rows, max_changes=1)), default=0)
            require(most <= 1, "with max_changes=1 an answer has more changes", got=most)


def _check_way(subject: Subject, model: Model, name: str, ways: str, sign: int) -> None:
    codes = next(feature.special_codes for feature in model.features if feature.name == name)
    for feature, before, after in _changes(subject, model, actions={name: ways}):
        number = feature == name and before is not None and before == before and before not in codes
        right = not number or sign * (after - before) > 0
        require(right, f"{name!r} may only go {ways}, and an answer changes it from {before} to {after}")


def _changes(subject: Subject, model: Model, **options: Any) -> Iterator[tuple[str, Any, Any]]:
    rows = drawn_rows(model, _ROWS)
    for row, answer in _found(subject, model, rows, **options):
        for change in answer.changes:
            yield change.feature, rows[change.feature].iloc[row], answer.values[change.feature]


def _found(subject: Subject, model: Model, rows: pd.DataFrame, **options: Any) -> Iterator[tuple[int, Any]]:
    """Answers by their row, under options; none where the model is refused."""
    explanations = explained(subject, model, rows, population(model), **options) or ()
    yield from ((row, answer) for row, each in enumerate(explanations) for answer in each.answers)


class _Asked:
    """An answer, and the scores that are wanted."""

    def __init__(self, explanation: Any, answer: Any) -> None:
        self.changes, self.values, self.wanted = answer.changes, answer.values, wanted_of(explanation)


def _answers(subject: Subject) -> Iterator[tuple[str, Model, pd.DataFrame, int, _Asked]]:
    for name, model, rows, explanations in random_explained(subject, _ROWS):
        for row, each in enumerate(explanations):
            for answer in each.answers:
                yield name, model, rows, row, _Asked(each, answer)


def wanted_of(explanation: Any) -> tuple[float, float] | None:
    """The scores that an explanation says are wanted; None where it is approval."""
    low, high = getattr(explanation, "low", None), getattr(explanation, "high", None)
    return None if low is None or high is None else (low, high)


def reached(model: Model, rows: pd.DataFrame, wanted: tuple[float, float] | None) -> Any:
    """(n,) rows that have the wanted score, or are approved."""
    says: Any = evaluate(model, rows, reasons=False)
    if wanted is None:
        return says.approved
    return (says.score >= wanted[0]) & (says.score <= wanted[1])


def single_changes(model: Model, row: pd.DataFrame, others: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """For each feature that has an ordinary value: the row with this value replaced by the ordinary ones of others."""
    for feature in model.features:
        name, codes = feature.name, feature.special_codes
        usual = [each for each in others[name] if each is not None and each == each and each not in codes]
        own = row[name].iloc[0]
        if own is not None and own == own and own not in codes:
            ways = row.iloc[[0] * len(usual)].reset_index(drop=True)
            yield name, ways.assign(**{name: pd.Series(usual, dtype=row[name].dtype)})


def _frame(row: pd.DataFrame, values: Any) -> pd.DataFrame:
    return pd.DataFrame({key: pd.Series([values[key]], dtype=row[key].dtype) for key in row})
