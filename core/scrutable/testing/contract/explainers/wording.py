"""Checks of explainers: what the words say is what the values say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pandas as pd

from scrutable.model import Model, Scorecard
from scrutable.model.evaluator import evaluate
from scrutable.testing.contract.check import check, require
from scrutable.testing.contract.examples.models import random_models_accepted
from scrutable.testing.contract.examples.random_models import drawn_rows
from scrutable.testing.contract.explainers.explaining import (
    explained,
    moved,
    producing,
    random_explained,
    takes_reference,
    told,
)
from scrutable.testing.contract.explainers.moves import moves
from scrutable.testing.contract.subject import Subject

#: Rows of which two at a time are explained beside one another.
_ROWS = 10


@check("explainer", of=producing("reasons"), hint="make the words of the same reasons as the values, in their order")
def words_name_the_reasons_in_order(subject: Subject) -> None:
    """The words of an explanation name each of its reasons, by code or text, in their order."""
    for name, _, _, explanations in random_explained(subject):
        for row, each in enumerate(explanations):
            words, place = each.describe(), 0
            for reason in told(each, "reasons"):
                at = [words.find(text, place) for text in (reason.code, getattr(reason, "text", reason.code))]
                require(max(at) >= 0, f"the words for row {row} of a random {name} lack {reason.code} there", got=words)
                place = min(position for position in at if position >= 0) + 1


@check("explainer", of=producing("contributions"), hint="name in words the features whose contributions are largest")
def words_name_what_counts_most(subject: Subject) -> None:
    """Where words name features, one of them has the highest, the lowest or the largest of contributions."""
    for name, model, _, explanations in random_explained(subject):
        for row, each in enumerate(explanations):
            values = dict(told(each, "contributions"))
            named = {feature for feature in values if _names(each.describe(), model, feature)}
            ends = (min(values.values()), max(values.values()), *_largest(values)) if values else ()
            fault = f"the words for row {row} of a random {name} name features that count less than others"
            require(not named or any(values[key] in ends for key in named), fault, got=(each.describe(), values))


@check(
    "explainer",
    of=producing("contributions"),
    hint="choose words by the sign of each contribution, not by the decision",
)
def words_follow_the_signs(subject: Subject) -> None:
    """Two rows of one decision that differ in one value, each explained beside the other, are not told the same."""
    if not takes_reference(subject):
        return
    cards = {name: each for name, each in random_models_accepted(subject).items() if isinstance(each, Scorecard)}
    for name, model in cards.items():
        rows = drawn_rows(model, _ROWS)
        for place in range(len(rows)):
            for feature, moved_rows in moved(rows, place):
                pair = pd.concat([rows.iloc[[place]], moved_rows.iloc[[0]]], ignore_index=True)
                says = evaluate(model, pair, reasons=False)
                if says.approved[0] != says.approved[1] or any(each is not None for each in says.knock_out):
                    continue
                both = [explained(subject, model, pair.iloc[[row]], pair.iloc[[1 - row]]) or () for row in (0, 1)]
                named = set().union(*(told(each[0], "contributions") for each in both if each))
                if not moves(model, feature, pair, named)[feature][1]:
                    continue
                first, second = (each[0].describe() if each else "" for each in both)
                told_alike = first != "" and first == second
                fault = f"in a random {name} {feature!r} is told alike where it adds points and where it takes them"
                require(not told_alike or not _names(first, model, feature), fault, got=first)


@check("explainer", of=producing("counterfactuals"), hint="name in words each feature that is to change")
def words_name_what_is_to_change(subject: Subject) -> None:
    """The words of an explanation name every feature that its first answer changes."""
    for name, model, _, explanations in random_explained(subject):
        for row, each in enumerate(explanations):
            for answer in tuple(told(each, "answers"))[:1]:
                lacking = [one.feature for one in answer.changes if not _names(each.describe(), model, one.feature)]
                fault = f"the words for row {row} of a random {name} do not name {lacking}"
                require(not lacking, fault, got=each.describe())


def _largest(values: Mapping[str, float]) -> tuple[float, float]:
    largest = max(abs(each) for each in values.values())
    return largest, -largest


def _names(words: str, model: Model, feature: str) -> bool:
    """Whether words name a feature, by its name or title."""
    titles: dict[str, Any] = {each.name: each.title for each in model.features}
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words) for name in (feature, titles.get(feature, feature)))
