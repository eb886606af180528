"""Checks of explainers: every sort of row of the reference counts, missing and special values and declined ones too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from scrutable.errors import ScrutableError
from scrutable.model import Model, Scorecard, TreeEnsemble
from scrutable.model.evaluator import evaluate
from scrutable.plugins.component import Component
from scrutable.testing.contract.check import check, require
from scrutable.testing.contract.examples.models import random_models_accepted
from scrutable.testing.contract.examples.random_models import drawn_rows
from scrutable.testing.contract.explainers.explaining import takes_reference, told
from scrutable.testing.contract.explainers.moves import terms_of, unadjusted
from scrutable.testing.contract.subject import Subject

#: The text of random rows that no model has seen.
_UNSEEN = "unseen"
#: What rows of a reference may be, in words.
SORTS = ("a missing value", "a special code", "an unseen text", "a score below the cutoff", "a knock-out")
_COPIES = 9
#: Rows of a sort, and other values, of which one is looked for that is worth other points.
_TRIED = 10


@dataclass(frozen=True, kw_only=True)
class _Pair:
    """An ordinary row, a row of one sort alone, and the same with one other value, which is worth other points.

    Parameters
    ----------
    feature : whose value it is.
    terms : the characteristics and interactions that it moves; none of trees.
    """

    sort: str
    usual: pd.DataFrame
    before: pd.DataFrame
    after: pd.DataFrame
    feature: str
    terms: frozenset[str]


def compares(component: Component) -> bool:
    """That explanations may compare points with those of a population."""
    return not {"contributions", "reasons"}.isdisjoint(component.produces)


@check(
    "explainer",
    of=compares,
    hint="average over all rows of the reference, whatever they hold; declare it where some are left out with reason",
)
def every_sort_of_reference_row_counts(subject: Subject) -> None:
    """A reference of which nine in ten rows lack a value, hold a code or are declined is compared with all the same."""
    if not takes_reference(subject):
        return
    for name, model in random_models_accepted(subject).items():
        for pair in _pairs(subject, name, model):
            both = [_baselines(subject, model, _mostly(pair.usual, each)) for each in (pair.before, pair.after)]
            moved = {key for key in both[0] if both[0][key] != both[1].get(key)}
            named = pair.terms & set(both[0]) or {pair.feature}
            right = not both[0] or named <= moved or (moved and isinstance(model, TreeEnsemble))
            fault = f"in a random {name}, reference rows with {pair.sort} do not count"
            words = f"{fault}: another {pair.feature!r} in nine of ten does not move the baselines of {sorted(named)}"
            require(right, words, got=sorted(moved))


@check(
    "explainer",
    of=compares,
    hint="average over rows, not over those that differ; declare it where a best or worst of the reference is meant",
)
def rows_of_a_reference_count_as_often_as_they_stand_there(subject: Subject) -> None:
    """Nine rows of one sort and one of another are another population than one of each, whichever are the nine."""
    if not takes_reference(subject):
        return
    for name, model in random_models_accepted(subject).items():
        for pair in _pairs(subject, name, model):
            even, often, seldom = (
                _baselines(subject, model, pd.concat([*[pair.before] * one, *[pair.after] * other], ignore_index=True))
                for one, other in ((1, 1), (_COPIES, 1), (1, _COPIES))
            )
            fault = f"in a random {name}, a reference in which rows stand nine times is that of the rows that differ"
            require(not even or not even == often == seldom, fault, got=f"rows that differ in {pair.feature!r}")


def sorts_of(model: Model, rows: pd.DataFrame) -> list[frozenset[str]]:
    """What each row is, of `SORTS`; an ordinary row is nothing of these."""
    says: Any = evaluate(model, rows, reasons=False)
    codes = {feature.name: feature.special_codes for feature in model.features}
    sorts = []
    for place, row in enumerate(rows.to_dict("records")):
        values = {str(name): value for name, value in row.items()}
        held = (
            any(value is None or value != value for value in values.values()),
            any(value in codes[name] for name, value in values.items()),
            _UNSEEN in values.values(),
            not says.approved[place] and says.knock_out[place] is None,
            says.knock_out[place] is not None,
        )
        sorts.append(frozenset(sort for sort, holds in zip(SORTS, held, strict=True) if holds))
    return sorts


def _pairs(subject: Subject, name: str, model: Model) -> list[_Pair]:
    """A pair for each sort that there is, found once for all checks; none of models of other kinds."""
    if not isinstance(model, Scorecard | TreeEnsemble):
        return []
    return subject.once(f"pairs of the random {name}", lambda: list(_found_pairs(model)))


def _found_pairs(model: Model) -> Iterator[_Pair]:
    rows = drawn_rows(model)
    sorts = sorts_of(model, rows)
    usual = [place for place, each in enumerate(sorts) if not each]
    for sort in SORTS:
        alone = [place for place, each in enumerate(sorts) if each == {sort}]
        for place in alone[:_TRIED] if usual else ():
            changed = _changed(model, rows, place, sort)
            if changed is not None:
                after, feature, terms = changed
                before, ordinary = rows.iloc[[place]], rows.iloc[[usual[0]]]
                yield _Pair(sort=sort, usual=ordinary, before=before, after=after, feature=feature, terms=terms)
                break


def _changed(
    model: Model, rows: pd.DataFrame, place: int, sort: str
) -> tuple[pd.DataFrame, str, frozenset[str]] | None:
    """The row with one value replaced by one that is worth more or less, its feature and the terms that it moves.

    It stays of its sort. What moves interactions too comes first.
    """
    cuts = Counter(cut.feature for cut in getattr(model, "cuts", ()))
    for feature in sorted(map(str, rows), key=lambda name: -cuts[name]):
        ways = rows.iloc[[place] * len(rows)].assign(**{feature: rows[feature].to_numpy()})
        terms = terms_of(model, ways)
        moved = sum(points != points[place] for points in (terms or {"trees": unadjusted(model, ways)}).values())
        most = [other for other in np.argsort(-moved, kind="stable")[:_TRIED] if moved[other]]
        for other, each in zip(most, sorts_of(model, ways.iloc[most]) if most else (), strict=True):
            if each == {sort}:
                names = frozenset(key for key, points in terms.items() if points[other] != points[place])
                return ways.iloc[[other]], feature, names
    return None


def _mostly(usual: pd.DataFrame, row: pd.DataFrame) -> pd.DataFrame:
    """A row, and nine copies of another."""
    return pd.concat([usual, *[row] * _COPIES], ignore_index=True)


def _baselines(subject: Subject, model: Model, reference: pd.DataFrame) -> dict[str, Any]:
    """What a row of the reference is compared with, by feature; nothing where the model or the reference is refused."""
    made, baselines = subject.make(), {}
    try:
        if "reasons" in subject.component.produces:
            policy = made.policy(model, reference)
            baselines = {**policy.baselines, "effects of trees": policy.effects}
        if "contributions" in subject.component.produces:
            [explained] = made.explain(model, reference.iloc[[0]], reference=reference)
            baselines |= dict(told(explained, "contributions"))
    except ScrutableError:
        return {}
    return baselines
