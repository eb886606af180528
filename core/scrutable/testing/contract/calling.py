"""Calls of constraints and explainers one after another, each with one argument changed: what is answered, as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from scrutable.errors import ScrutableError
from scrutable.fairness import Groups
from scrutable.model import Model, RegressionScorecard, Scorecard, SegmentedModel, TreeEnsemble, dumps, loads, snap
from scrutable.testing.contract.constraints.payers import bound_quietly, regions
from scrutable.testing.contract.examples.altered import altered
from scrutable.testing.contract.examples.known_payers import has_option
from scrutable.testing.contract.examples.models import random_models_accepted
from scrutable.testing.contract.examples.random_models import drawn_rows
from scrutable.testing.contract.explainers.explaining import has_score, said_of, scores_of, takes_reference
from scrutable.testing.contract.subject import Subject

T = TypeVar("T")
#: What is called, and the call.
Calls = Iterator[tuple[str, Callable[[], str]]]
#: Rows of each region, and good ones of them: in one outcome, and in another.
_REGIONS = {"north": (200, (110, 140)), "south": (90, (70, 20)), "west": (70, (20, 60))}
_LIMITS = {"slack": 0.17, "ratio": 0.71, "bound": 0.23, "min_group_size": 75}
_EXPLAINED, _REFERENCE = 8, 60
Frames = tuple[pd.DataFrame, pd.DataFrame]


class Objects:
    """What calls are made with.

    Parameters
    ----------
    shared : whether what was made of a name is given again, or everything is made anew.
    """

    def __init__(self, *, shared: bool) -> None:
        self._shared = shared
        self._kept: dict[str, Any] = {}

    def get(self, name: str, make: Callable[[], T]) -> T:
        """What is made, or was made of this name."""
        if not self._shared or name not in self._kept:
            self._kept[name] = make()
        kept: T = self._kept[name]
        return kept


def shared_calls(subject: Subject) -> dict[str, str]:
    """What it answers, by the call, where calls share every object that they do not change."""
    return {what: call() for what, call in _calls(subject, Objects(shared=True))}


def fresh_calls(subject: Subject) -> dict[str, str]:
    """What it answers, by the call, from the last to the first, each with objects of its own."""
    return {what: call() for what, call in [*_calls(subject, Objects(shared=False))][::-1]}


def _calls(subject: Subject, objects: Objects) -> Calls:
    if subject.component.kind == "constraint":
        yield from _bindings(subject, objects)
        return
    of_each_kind = {type(model): (name, model) for name, model in [*random_models_accepted(subject).items()][::-1]}
    for name, model in of_each_kind.values():
        for what, call in _explanations(subject, objects, name, model):
            yield f"{what} of a random {name}", call


def _bindings(subject: Subject, objects: Objects) -> Calls:
    usual = partial(_bound, subject, objects)
    options = [{name: value} for name, value in _LIMITS.items() if has_option(subject, name)]
    others: list[tuple[str, dict[str, Any]]] = [
        ("other outcomes", {"outcome": 1}),
        ("other groups", {"turned": True}),
        *((f"another {next(iter(each))}", {"options": each}) for each in options),
        ("outcomes that were changed in place", {"outcome": 1, "in_place": True}),
    ]
    for what, changes in others:
        yield f"bounds before {what}", usual
        yield f"bounds on {what}", partial(usual, **changes)


def _bound(
    subject: Subject,
    objects: Objects,
    *,
    outcome: int = 0,
    turned: bool = False,
    in_place: bool = False,
    options: dict[str, Any] | None = None,
) -> str:
    """The bounds on outcomes and groups, or how they are refused."""
    y = objects.get(f"outcome {0 if in_place else outcome}", lambda: _outcomes(0 if in_place else outcome))
    if in_place:
        y[:] = _outcomes(outcome)
    groups = objects.get(f"groups, turned: {turned}", lambda: _groups(turned))
    made = objects.get(f"made with {options}", lambda: subject.make(**(options or {})))
    try:
        return repr(bound_quietly(made, y, groups))
    except ScrutableError as error:
        return repr(error)


def _outcomes(which: int) -> Any:
    """(n,) outcomes: of each region the first rows are good."""
    return np.concatenate([np.arange(rows) < good[which] for rows, good in _REGIONS.values()])


def _groups(turned: bool) -> Groups:
    region = np.repeat(list(_REGIONS), [rows for rows, _ in _REGIONS.values()]).astype(object)
    return regions(region[::-1] if turned else region)


def _explanations(subject: Subject, objects: Objects, name: str, model: Model) -> Calls:
    usual = partial(_explained, subject, objects, name, model, _frames(model))
    feature = model.features[0].name
    ways = {"immutable": [feature], "max_changes": 1, "k": 1}
    options = [{key: value} for key, value in ways.items() if has_option(subject, key)]
    others: list[tuple[str, dict[str, Any]]] = [
        ("other rows", {"place": 1}),
        ("another model", {"other": True}),
        *((f"another {next(iter(each))}", {"options": each}) for each in options),
        ("rows that were changed in place", {"place": 1, "in_place": "rows"}),
    ]
    if takes_reference(subject):
        others[1:1] = [("another reference", {"high": 1}), ("a weighted reference", {"weighted": True})]
        others += [("a reference that was changed in place", {"high": 1, "in_place": "reference"})]
    for what, changes in others:
        yield f"explanations before {what}", usual
        yield f"explanations with {what}", partial(usual, **changes)


def _explained(
    subject: Subject,
    objects: Objects,
    name: str,
    model: Model,
    frames: tuple[Frames, Frames],
    *,
    place: int = 0,
    high: int = 0,
    other: bool = False,
    weighted: bool = False,
    in_place: str = "",
    options: dict[str, Any] | None = None,
) -> str:
    """The explanations, and the policy where there is one, or how they are refused."""
    explained = objects.get(f"{name}, other: {other}", lambda: _other(model) if other else loads(dumps(model)))
    rows = _frame(objects, f"{name} rows", frames[0], place, in_place == "rows")
    reference = _frame(objects, f"{name} reference", frames[1], high, in_place == "reference")
    made = objects.get(f"made with {options}", lambda: subject.make(**(options or {})))
    try:
        explanations = made.explain(explained, rows, reference=reference if takes_reference(subject) else None)
        told = [said_of(each) for each in explanations]
        if "reasons" in subject.component.produces and not isinstance(explained, SegmentedModel):
            weight = np.arange(len(reference)) % 3 + 0.5 if weighted else None
            told.append(repr(made.policy(explained, reference, weight=weight)))
    except ScrutableError as error:
        return repr(error)
    return "\n".join(told)


def _frame(objects: Objects, name: str, both: Frames, which: int, in_place: bool) -> pd.DataFrame:
    """One of two frames; where it is changed in place, the object of the other one with the values of this."""
    frame = objects.get(f"{name} {1 - which if in_place else which}", lambda: both[which].copy())
    for column in frame:
        frame[column] = both[which][column].to_numpy()
    return frame


def _frames(model: Model) -> tuple[Frames, Frames]:
    """Rows and others, to be explained; rows of low scores and as many of high ones, for reference."""
    rows = drawn_rows(model)
    order = np.argsort(scores_of(model, rows), kind="stable") if has_score(model) else np.arange(len(rows))
    places = (np.arange(_EXPLAINED), np.arange(_EXPLAINED, 2 * _EXPLAINED), order[:_REFERENCE], order[-_REFERENCE:])
    first, second, low, high = (rows.iloc[each].reset_index(drop=True) for each in places)
    return (first, second), (low, high)


def _other(model: Model) -> Model:
    """A model that reads the same and says something else; of some kinds the same one."""
    if isinstance(model, Scorecard | RegressionScorecard):
        return altered(model)
    return replace(model, base_score=snap(model.base_score + 7)) if isinstance(model, TreeEnsemble) else model
