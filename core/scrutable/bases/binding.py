"""From the constraints that a user gives to bounds on the groups of the training rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scrutable.bases.constraint import FairnessConstraint
from scrutable.errors import InputError, KindError
from scrutable.fairness import Bound, Groups, RateBound
from scrutable.training import TrainingData


def bound_by(
    constraints: FairnessConstraint | Iterable[FairnessConstraint],
    data: TrainingData,
    accepts: Sequence[str],
    component: str,
) -> tuple[Bound, ...]:
    """The bounds that constraints set on the groups of the training rows.

    Parameters
    ----------
    accepts : kinds of bound that the component can keep.
    component : whose constraints they are, for errors.

    Raises
    ------
    InputError : there are constraints and no groups, or a bound of a kind that the component cannot keep.
    KindError : a constraint on approvals, and more than two classes.
    """
    constraints = (constraints,) if isinstance(constraints, FairnessConstraint | str) else tuple(constraints)
    if not constraints:
        return ()
    for constraint in constraints:
        if not isinstance(constraint, FairnessConstraint):
            fix = "make one by its name: scrutable.create('constraint', 'fairness-information-value', bound=0.1)"
            raise InputError("expected fairness constraints", where="constraints", got=constraint, fix=fix)
    if data.groups is None:
        raise InputError(
            "a constraint needs to know the groups",
            where="constraints",
            got=list(constraints),
            fix="pass sensitive_features to fit",
        )
    found = tuple(bound for constraint in constraints for bound in _bind(constraint, data, data.groups))
    for bound in found:
        if bound.kind not in accepts:
            raise InputError(
                f"{component} cannot keep a bound on a {bound.kind}",
                where="constraints",
                got=bound,
                allowed=", ".join(accepts) or "no constraint",
                fix="choose another component or constraint",
            )
    return found


def _bind(constraint: FairnessConstraint, data: TrainingData, groups: Groups) -> tuple[Bound, ...]:
    try:
        found = tuple(constraint.bind(data.outcomes, groups))
    except KindError as error:
        if data.outcome.binary:
            raise
        raise _needs_two_classes(constraint, data) from error
    if not data.outcome.binary and any(isinstance(b, RateBound) and b.rate == "approval" for b in found):
        raise _needs_two_classes(constraint, data)
    return found


def _needs_two_classes(constraint: FairnessConstraint, data: TrainingData) -> KindError:
    return KindError(
        "a constraint on approvals needs two classes",
        where="constraints",
        got=constraint,
        allowed=f"with {len(data.outcome.classes)} classes, constraints on errors",
        fix="use disparate-mistreatment or overall-mistreatment, or an outcome of two classes",
    )
