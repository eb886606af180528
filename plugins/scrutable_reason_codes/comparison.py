"""Methods of choosing reasons side by side, on the same declined applicants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.model import ReasonPolicy, SingleModel
from scrutable.model.evaluator import evaluate


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How often a method gives declined applicants what another one gives them.

    Parameters
    ----------
    method : the one that is compared.
    declined : how many were declined.
    first : share of the declined with the same first reason.
    same : share with the same reasons, in whatever order.
    shared : reasons of the other method that this one gives too, as a share of all of them.
    without : declined applicants to whom this method gives no reason.
    note : why the method cannot be taken, in which case there are no figures.
    segment : whose applicants these are; None where the model has no segments.
    """

    method: str
    declined: int
    first: float | None = None
    same: float | None = None
    shared: float | None = None
    without: int | None = None
    note: str = ""
    segment: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def agreements(
    model: SingleModel, first: ReasonPolicy, others: Mapping[str, ReasonPolicy | str], X: Any
) -> list[Agreement]:
    """A policy and others by method, on the declined among the rows of X; a text says why one cannot be taken."""
    ours = _reasons(model, first, X)
    compared = [_agreement(first.method, ours, ours)]
    for method, policy in others.items():
        if isinstance(policy, str):
            compared.append(Agreement(method=method, declined=len(ours), note=policy))
        else:
            compared.append(_agreement(method, ours, _reasons(model, policy, X)))
    return compared


def _reasons(model: SingleModel, policy: ReasonPolicy, X: Any) -> NDArray[np.object_]:
    evaluation = evaluate(replace(model, reasons=policy), X)
    assert evaluation.reasons is not None
    return evaluation.reasons[~evaluation.approved]


def _agreement(method: str, ours: NDArray[np.object_], theirs: NDArray[np.object_]) -> Agreement:
    pairs = [(set(a) - {None}, set(b) - {None}) for a, b in zip(ours.tolist(), theirs.tolist(), strict=True)]
    if not pairs:
        return Agreement(method=method, declined=0, note="nobody is declined")
    given = sum(len(a) for a, _ in pairs)
    return Agreement(
        method=method,
        declined=len(pairs),
        first=float(np.mean(ours[:, 0] == theirs[:, 0])),
        same=float(np.mean([a == b for a, b in pairs])),
        shared=sum(len(a & b) for a, b in pairs) / given if given else None,
        without=sum(not b for _, b in pairs),
    )
