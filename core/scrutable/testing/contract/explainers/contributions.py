"""Checks of explainers whose explanations say how many points each feature adds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from scrutable.errors import UnsupportedModel
from scrutable.model import Model
from scrutable.model.evaluator import evaluate
from scrutable.testing.contract.check import check, require
from scrutable.testing.contract.examples.models import random_models_accepted
from scrutable.testing.contract.examples.random_models import drawn_rows
from scrutable.testing.contract.explainers.explaining import (
    explained,
    has_score,
    moved,
    near,
    producing,
    random_explained,
    scores_of,
    takes_reference,
    told,
)
from scrutable.testing.contract.explainers.moves import moves, parts_of, terms_of
from scrutable.testing.contract.subject import Subject

_OF = producing("contributions")
#: Rows that are replaced in, and further ones that their values come from.
_REPLACED, _FROM = 3, 20


@check("explainer", of=_OF, hint="contributions are points of the score: baseline + sum(contributions) == score")
def contributions_add_up_to_the_score(subject: Subject) -> None:
    """Baseline and contributions add up to the score of each row, whichever class is the favourable one."""
    for name, model, rows, explanations in random_explained(subject):
        if not has_score(model):
            continue
        names = {feature.name for feature in model.features} | set(parts_of(model, rows))
        scores = scores_of(model, rows)
        for row, each in enumerate(explanations):
            values, baseline = dict(told(each, "contributions")), told(each, "baseline")
            unknown = sorted(set(values) - names)
            require(not unknown, f"contributions to a random {name} of what it does not read", got=unknown)
            total = baseline + sum(values.values())
            fault = f"baseline and contributions of row {row} of the random {name} add up to {total:.6f}"
            require(near(total, scores[row]), fault, got=f"a score of {scores[row]:.6f}")
            plain = dict(each.to_dict()).get("contributions")
            require(plain == values, "to_dict gives other contributions than the explanation", got=plain)


@check(
    "explainer",
    of=_OF,
    hint="measure each feature by its own baseline; a higher score is better, so more is positive; name interactions "
    "by their name and score adjustments by their code, or leave their points to the feature that changed them",
)
def a_replaced_value_moves_its_own_contribution(subject: Subject) -> None:
    """Where one value is replaced, its feature's contribution moves as the score does but for other parts it names."""
    for name, model in random_models_accepted(subject).items():
        rows = drawn_rows(model, _FROM)
        if not has_score(model):
            continue
        for place in range(_REPLACED):
            for feature, others in moved(rows, place):
                both = pd.concat([rows.iloc[[place]], others], ignore_index=True)
                if _comparable(model, both):
                    _check_moves(subject, name, model, feature, both)


@check("explainer", of=_OF, hint="take the baseline of a feature from what that feature is worth, not from another's")
def baselines_are_of_their_features(subject: Subject) -> None:
    """A baseline is between the most and the least that its feature is worth, so contributions are of both signs."""
    for name, model in random_models_accepted(subject).items():
        rows = drawn_rows(model)
        contributions = _contributions(subject, model, rows, rows) if terms_of(model, rows) else []
        for feature in parts_of(model, rows) if contributions else ():
            values = [each.get(feature, 0.0) for each in contributions]
            inside = min(values) <= 1e-6 and max(values) >= -1e-6
            between = f"from {min(values):.6g} to {max(values):.6g}"
            require(inside, f"no value of {feature!r} in a random {name} is worth its baseline", got=between)


def _check_moves(subject: Subject, name: str, model: Model, feature: str, both: pd.DataFrame) -> None:
    """What becomes of contributions from the first row, which is the reference where there is one, to the others."""
    contributions = _contributions(subject, model, both, both.iloc[[0, 0, 0]])
    due = moves(model, feature, both, set().union(*contributions))
    score = scores_of(model, both)
    for row, values in enumerate(contributions):
        was = dict.fromkeys(values, 0.0) if takes_reference(subject) else contributions[0]
        for key in {*values, *was, feature}:
            step = values.get(key, 0.0) - was.get(key, 0.0)
            fault = f"a value of {feature!r} in a random {name} moves the score by {score[row] - score[0]:.6g}"
            right = near(step, due[key][row] if key in due else 0.0)
            require(right, fault, got=f"{step:.6g} in the contribution of {key!r}")


def _comparable(model: Model, both: pd.DataFrame) -> bool:
    """Whether all rows belong to one segment."""
    segment = getattr(evaluate(model, both, reasons=False), "segment", None)
    return segment is None or len(set(np.asarray(segment).tolist())) == 1


def _contributions(subject: Subject, model: Model, rows: Any, reference: Any) -> list[dict[str, float]]:
    """Contributions to each row; none where the model is refused, or is no sum of features and has no reference."""
    if not takes_reference(subject) and not terms_of(model, rows):
        return []
    explanations = explained(subject, model, rows, reference, refused=(UnsupportedModel,)) or ()
    return [dict(told(each, "contributions")) for each in explanations]
