"""From the constraints that a user gives to bounds on the groups of the training rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from scrutable.data.training_rows import LabelledRows
from scrutable.errors import InputError, KindError
from scrutable.fairness import Bound, RateBound
from scrutable.fairness.bounds import kinds_of
from scrutable.plugins.bases.capable import one_of, producers
from scrutable.plugins.bases.constraint import FairnessConstraint
from scrutable.plugins.registry import registry


def bound_by(
    constraints: FairnessConstraint | Iterable[FairnessConstraint],
    data: LabelledRows,
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
    InputError : something that is no constraint, constraints without groups, or a bound of a kind that the component
        cannot keep.
    KindError : a constraint on approvals, and more than two classes.
    """
    listed = _listed(constraints)
    if not listed:
        return ()
    for constraint in listed:
        if not isinstance(constraint, FairnessConstraint):
            names = [name for kind in accepts for name in producers("constraint", kind)]
            make = f"make one by its name, scrutable.create('constraint', NAME, ...): {one_of(names)}"
            fix = make if names else f"leave it out: {component} keeps no constraint"
            raise InputError("expected fairness constraints", where="constraints", got=constraint, fix=fix)
    if data.groups is None:
        raise InputError(
            "a constraint needs to know the groups",
            where="constraints",
            got=list(listed),
            fix="pass sensitive_features to fit",
        )
    bounds = tuple(bound for constraint in listed for bound in _bind(constraint, data))
    for bound in bounds:
        if not set(kinds_of(bound)) & set(accepts):
            raise InputError(
                f"{component} cannot keep a bound on a {bound.kind}",
                where="constraints",
                got=bound,
                allowed=", ".join(accepts) or "no constraint",
                fix="choose another component or constraint",
            )
    return bounds


def _listed(given: Any) -> tuple[FairnessConstraint, ...]:
    """What is given, one or several; whether these are constraints is not looked at."""
    if isinstance(given, Iterator):  # the next fit would find it empty
        raise InputError(
            "expected a list of constraints", where="constraints", got=type(given).__name__, fix="list(...)"
        )
    single = isinstance(given, FairnessConstraint | str) or not isinstance(given, Iterable)
    return (given,) if single else tuple(given)


def _bind(constraint: FairnessConstraint, data: LabelledRows) -> tuple[Bound, ...]:
    try:
        bounds = tuple(constraint.bind(*data.witnesses()))
    except KindError as error:
        if data.outcome.binary:
            raise
        raise _needs_two_classes(constraint, data) from error
    if not data.outcome.binary and any(isinstance(b, RateBound) and b.rate == "approval" for b in bounds):
        raise _needs_two_classes(constraint, data)
    return bounds


def _needs_two_classes(constraint: FairnessConstraint, data: LabelledRows) -> KindError:
    constraints = registry().listings("constraint")
    on_errors = [each.name for each in constraints if any(one.startswith("error") for one in each.component.enforces)]
    return KindError(
        "a constraint on approvals needs two classes",
        where="constraints",
        got=constraint,
        allowed=f"with {len(data.outcome.classes)} classes, constraints on errors",
        fix=f"use {one_of([*on_errors, 'an outcome of two classes'])}",
    )
