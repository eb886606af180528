"""Checks of explainers whose explanations say what would have to change."""

from __future__ import annotations

from typing import Any

import pandas as pd

from scrutable.model import Model
from scrutable.model.evaluator import evaluate
from scrutable.testing.contract.check import check, require
from scrutable.testing.contract.explainers.explaining import near, producing, random_explained, told
from scrutable.testing.contract.subject import Subject

_OF = producing("counterfactuals")
_ROWS = 12


@check("explainer", of=_OF, hint="score the changed values by scrutable.evaluate; list every change, and no other")
def answers_are_what_the_model_says(subject: Subject) -> None:
    """An answer's values, replaced in the row, get its score and decision, and its changes are what differs."""
    for name, model, rows, explanations in random_explained(subject, _ROWS):
        for row, each in enumerate(explanations):
            for answer in told(each, "answers"):
                _check_answer(name, model, rows.iloc[[row]], answer)


@check(
    "explainer", of=_OF, hint="give an answer only where it reaches what is wanted, and where something is to change"
)
def answers_reach_what_is_wanted(subject: Subject) -> None:
    """The score of an answer is between `low` and `high`; without them the answer approves who was declined."""
    answered = 0
    for name, _, _, explanations in random_explained(subject, _ROWS):
        for row, each in enumerate(explanations):
            for answer in each.answers:
                answered += 1
                low, high = getattr(each, "low", None), getattr(each, "high", None)
                reached = answer.approved is True if low is None or high is None else low <= answer.score <= high
                require(
                    reached, f"an answer to row {row} of the random {name} does not reach what is wanted", got=answer
                )
                require(len(answer.changes), f"an answer to row {row} of the random {name} changes nothing", got=answer)
    require(answered or subject.options, "no row of any random model gets an answer")


def _check_answer(name: str, model: Model, row: pd.DataFrame, answer: Any) -> None:
    values, changes = dict(told(answer, "values")), {each.feature: each for each in told(answer, "changes")}
    before = {str(key): _plain(row[key].iloc[0]) for key in row}
    differing = {key for key in before if _plain(values.get(key)) != before[key]}
    fault = f"the changes of an answer of the random {name} are not what its values differ in"
    require(differing == set(changes), fault, got=(sorted(changes), sorted(differing)))
    for key, change in changes.items():
        require(_plain(change.value) == before[key], f"a change of {key!r} begins at another value", got=change.value)
    changed = pd.DataFrame({key: pd.Series([values[key]], dtype=row[key].dtype) for key in before})
    says = evaluate(model, changed, reasons=False)
    assert says.score is not None
    right = near(answer.score, says.score[0])
    require(right, f"an answer of the random {name} gives another score", got=(answer.score, says.score[0]))
    approved = getattr(says, "approved", None)
    same = approved is None or answer.approved is None or bool(approved[0]) == answer.approved
    require(same, f"an answer of the random {name} gives another decision", got=answer.approved)


def _plain(value: Any) -> Any:
    """A value as it compares with others: None is missing."""
    return None if value is None or value != value else value
