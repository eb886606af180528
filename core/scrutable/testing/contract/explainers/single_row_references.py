"""Checks of explainers by what would have to change: one row that holds the one value that helps is enough."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from scrutable.errors import ScrutableError
from scrutable.model import Model
from scrutable.testing.contract.check import check, require
from scrutable.testing.contract.examples.known_payers import has_option
from scrutable.testing.contract.examples.models import random_models_accepted
from scrutable.testing.contract.examples.random_models import drawn_rows
from scrutable.testing.contract.explainers.answers import CODED, reached, single_changes, wanted_of
from scrutable.testing.contract.explainers.explaining import explained, population, producing, takes_reference
from scrutable.testing.contract.explainers.influence import SORTS, sorts_of
from scrutable.testing.contract.subject import Subject

_OF = producing("counterfactuals")
#: Rows of each random model that are asked, those that others come from, and copies of a row that helps nobody.
_ASKED, _FROM, _COPIES = 40, 200, 50


@check(
    "explainer",
    of=_OF,
    hint="take values from every row of the reference, whatever else it holds and however few have it",
)
def one_row_of_a_reference_is_enough(subject: Subject) -> None:
    """Where one row alone holds the value that helps, it is proposed: of a declined, an incomplete or a rare one."""
    if not takes_reference(subject):
        return
    most: dict[str, Any] = {"max_changes": 1} if has_option(subject, "max_changes") else {}
    for name, model in random_models_accepted(subject).items():
        for row, feature, value, wanted in _helped(subject, model):
            for sort, reference in _references(model, row, feature, value, wanted):
                for explanation in explained(subject, model, row, reference, **most) or ():
                    fault = f"a row of a random {name} gets no answer, and one of the reference, {sort}, holds it"
                    require(explanation.answers, fault, got=f"{feature} {value!r}")


@check("explainer", of=_OF, hint='keep to "up", "down" and "none" of actions for every feature, or refuse the word')
def every_word_of_actions_is_kept(subject: Subject) -> None:
    """A feature that an answer changes does not change once `actions` say "none", nor the other way than they say."""
    if not has_option(subject, "actions"):
        return
    forms: list[Callable[[str], Any]] = [str, *([_mapped] if _reads_mappings(subject) else [])]
    for name, model in random_models_accepted(subject).items():
        for row, feature, before, after in _changed(subject, model):
            numbers = feature not in CODED and _is_number(model, feature, before)
            words = ["none", *(["up" if after < before else "down"] if numbers else [])]
            for word, form in ((word, form) for word in words for form in forms):
                explanations = explained(subject, model, row, population(model), actions={feature: form(word)}) or []
                for way in _values_of(explanations, feature):
                    turned = word != "none" and numbers and (way > before if word == "up" else way < before)
                    fault = f"actions={{{feature!r}: {form(word)!r}}} is not kept in a random {name}"
                    require(turned, fault, got=f"{before!r} becomes {way!r}")


def _helped(subject: Subject, model: Model) -> Iterator[tuple[pd.DataFrame, str, Any, Any]]:
    """A row that does not have what is wanted, a feature and a value of it that would be enough, and what is wanted."""
    rows, others = drawn_rows(model, _ASKED), population(model)
    for place, each in enumerate(explained(subject, model, rows, others) or ()):
        row, wanted = rows.iloc[[place]], wanted_of(each)
        for feature, ways in () if reached(model, row, wanted)[0] else single_changes(model, row, others):
            helps = np.flatnonzero(reached(model, ways, wanted))
            if len(helps):
                yield row, feature, ways[feature].iloc[int(helps[0])], wanted
                return


def _references(
    model: Model, row: pd.DataFrame, feature: str, value: Any, wanted: Any
) -> Iterator[tuple[str, pd.DataFrame]]:
    """References of which one row holds the value: it alone, or beside something for which a row might be left out.

    All others are the row itself and one that has what is wanted, whose single values are of no help.
    """
    drawn = drawn_rows(model, _FROM)
    silent = drawn[_of_no_help(model, row, drawn, wanted)]
    good = silent[reached(model, silent, wanted)].iloc[:1]
    usual: pd.DataFrame = pd.concat([row] * _COPIES + [good], ignore_index=True)
    holders = silent.assign(**{feature: pd.Series(value, index=silent.index, dtype=drawn[feature].dtype)})
    sorts = sorts_of(model, holders)
    for sort in SORTS:
        alone = [place for place, each in enumerate(sorts) if sort in each]
        if alone:
            yield f"with {sort}", pd.concat([usual, holders.iloc[alone[:1]]], ignore_index=True)
    yield "otherwise like it", pd.concat([usual, row.assign(**{feature: [value]})], ignore_index=True)


def _of_no_help(model: Model, row: pd.DataFrame, others: pd.DataFrame, wanted: Any) -> Any:
    """(n,) others of which no single value would be enough in the row."""
    helps = np.zeros(len(others), dtype=bool)
    for feature in [str(name) for name in others]:
        ways = row.iloc[[0] * len(others)].assign(**{feature: others[feature].to_numpy()})
        helps |= np.asarray(reached(model, ways, wanted))
    return ~helps


def _changed(subject: Subject, model: Model) -> Iterator[tuple[pd.DataFrame, str, Any, Any]]:
    """For each feature that an unrestricted answer changes: the row, the feature, and its values before and after."""
    rows = drawn_rows(model, _ASKED)
    used: set[str] = set()
    for place, each in enumerate(explained(subject, model, rows, population(model)) or ()):
        for answer in each.answers[:1]:
            for feature in [change.feature for change in answer.changes]:
                if feature not in used:
                    used.add(feature)
                    yield rows.iloc[[place]], feature, rows[feature].iloc[place], answer.values[feature]


def _is_number(model: Model, feature: str, value: Any) -> bool:
    """Whether it is a number that rises and falls: neither missing nor a special code."""
    codes = next(each.special_codes for each in model.features if each.name == feature)
    return isinstance(value, float) and value == value and value not in codes


def _values_of(explanations: list[Any], feature: str) -> list[Any]:
    """What answers change a feature to."""
    answers = [answer for each in explanations for answer in each.answers]
    changing = [each for each in answers if feature in {change.feature for change in each.changes}]
    return [each.values[feature] for each in changing]


def _mapped(word: str) -> dict[str, str]:
    """A word of `actions` as a mapping of parameters."""
    return {"change": word}


def _reads_mappings(subject: Subject) -> bool:
    """Whether `actions` may be mappings of parameters: a word is taken in one, and refused where it means nothing."""
    try:
        subject.make(actions={"x": _mapped("up")})
        subject.make(actions={"x": _mapped("sideways")})
    except ScrutableError as error:
        return "sideways" in str(error)
    return False
