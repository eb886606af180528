"""Checks of fairness constraints: wishes that hold no data, and become bounds once groups are known."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from scrutable.errors import InputError, KindError
from scrutable.fairness import Bound, Groups
from scrutable.testing.contract.check import Fault, check, failing_as, refused, require
from scrutable.testing.contract.subject import Subject
from scrutable.testing.contract.unchanged import changed_state, state_of

_ROWS = 480
#: Values out of the range of options that limit rates.
_OUT_OF_RANGE: dict[str, tuple[Any, ...]] = {
    "slack": (-0.1, 1.5, float("nan"), "much"),
    "ratio": (0.0, 1.5, float("nan"), "much"),
    "bound": (-0.1, float("nan"), "much"),
    "min_group_size": (0, 1.5),
}
#: Two values of each that no bounds can have in common.
_IN_RANGE: dict[str, tuple[float, float]] = {"slack": (0.05, 0.2), "ratio": (0.7, 0.9), "bound": (0.05, 0.2)}


@check("constraint", hint="make it a frozen dataclass, with tuples in place of lists")
def it_is_immutable(subject: Subject) -> None:
    """It is immutable, and one made with the same options is equal and has the same hash."""
    made, again = subject.make(), subject.make()
    require(made == again, "two that are made with the same options are not equal")
    with failing_as("it cannot be hashed"):
        require(hash(made) == hash(again), "two that are equal have other hashes")
    try:
        made.min_group_size = 2
    except AttributeError:
        return
    raise Fault("an option can be changed after it is made", got="min_group_size")


@check("constraint", hint="yield RateBound or DivergenceBound, and name their kinds in produces of the Component")
def it_makes_bounds_of_the_kinds_it_produces(subject: Subject) -> None:
    """bind gives a tuple of bounds, all of kinds that its descriptor produces."""
    bounds = subject.make().bind(_outcomes(), _groups())
    require(isinstance(bounds, tuple), "bind gives no tuple", got=bounds)
    require(bounds, "bind gives no bound on two groups of sufficient size")
    for bound in bounds:
        require(isinstance(bound, Bound), "bind gives something that is no bound", got=bound)
    kinds = {bound.kind for bound in bounds}
    require(
        kinds <= set(subject.component.produces),
        f"it makes bounds on a {', '.join(kinds)}, which produces does not name",
    )


@check("constraint", hint="say in bounds_for what one group must satisfy, and leave bind to the base class")
def every_known_group_is_bounded(subject: Subject) -> None:
    """Every known group but the reference is bounded; rows of unknown membership are no group."""
    made, groups = subject.make(), _groups()
    bounded = {bound.group for bound in made.bind(_outcomes(), groups)}
    attribute = groups["region"]
    wanted = set(attribute.known) - {made.reference_of(attribute)}
    require(wanted <= bounded, "a known group is not bounded", got=sorted(wanted - bounded))
    require(bounded <= set(attribute.known), "rows of unknown membership are bounded", got=sorted(bounded))


@check("constraint", hint="leave bind to the base class, which reads attributes")
def attributes_restrict_it(subject: Subject) -> None:
    """Restricted to some attributes it bounds these alone; one that the groups lack is refused by its name."""
    both = Groups.from_frame(_frame().assign(sex=np.where(np.arange(_ROWS) % 4 < 2, "f", "m")))
    bounded = {bound.attribute for bound in subject.make(attributes=["sex"]).bind(_outcomes(), both)}
    require(bounded == {"sex"}, "restricted to 'sex', it bounds other attributes", got=sorted(bounded))
    error = _refused(lambda: subject.make(attributes=["nobody"]).bind(_outcomes(), both), "an unknown attribute")
    require("nobody" in error, "the error for an unknown attribute does not name it", got=error)


@check("constraint", hint="ask favourable(y, 'y') where the favourable outcome matters: it raises KindError for labels")
def labels_do_or_are_refused_as_labels(subject: Subject) -> None:
    """Labels in place of booleans give bounds for the same groups, or a KindError."""
    made, groups = subject.make(), _groups()
    labels = np.where(_outcomes(), "good", "bad").astype(object)
    wanted = {bound.group for bound in made.bind(_outcomes(), groups)}
    with suppress(KindError), failing_as("it fails on class labels with an error that is no KindError", KindError):
        bounded = {bound.group for bound in made.bind(labels, groups)}
        require(bounded == wanted, "class labels give bounds on other groups than booleans", got=sorted(bounded))


@check("constraint", hint="keep no state: a constraint is a frozen dataclass of its options")
def binding_is_deterministic(subject: Subject) -> None:
    """Bound twice, it gives equal bounds in the same order, and changes neither the outcomes nor the groups."""
    made, outcomes, groups = subject.make(), _outcomes(), _groups()
    before = state_of(made), outcomes.copy(), groups["region"].membership.copy()
    first, second = made.bind(outcomes, groups), made.bind(outcomes, groups)
    require(first == second, "bound twice it gives other bounds, so it is not deterministic", got=(first, second))
    require(np.array_equal(before[1], outcomes), "bind changes the outcomes")
    require(np.array_equal(before[2], groups["region"].membership), "bind changes the groups")
    change = changed_state(before[0], state_of(made))
    require(not change, "bind changes the constraint itself", got=change)


@check("constraint", hint="hand the option on to the bounds: RateBound(..., slack=self.slack)")
def its_limit_reaches_the_bounds(subject: Subject) -> None:
    """Another slack, ratio or bound, where it has such an option, gives other bounds."""
    for option, values in _IN_RANGE.items():
        if option in subject.parameters:
            first, second = (subject.make(**{option: value}).bind(_outcomes(), _groups()) for value in values)
            require(first != second, f"{option}={values[0]} and {option}={values[1]} give the same bounds", got=first)


@check("constraint", hint="leave bind to the base class, which refuses what cannot be compared")
def what_cannot_be_compared_is_refused(subject: Subject) -> None:
    """An attribute with one known group is refused, and so are outcomes of another number of rows."""
    alone = Groups.from_frame({"region": np.array(["north", None], dtype=object)[np.arange(_ROWS) % 2]})
    error = _refused(lambda: subject.make().bind(_outcomes(), alone), "a single known group")
    require("region" in error, "the error for a single known group does not name the attribute", got=error)
    _refused(lambda: subject.make().bind(_outcomes()[:-1], _groups()), "outcomes of other rows")


@check("constraint", hint="check options in __post_init__, after super().__post_init__()")
def options_out_of_range_are_refused(subject: Subject) -> None:
    """Limits out of their range, and group sizes that are none, are refused when it is made."""
    for option, values in _OUT_OF_RANGE.items():
        for value in values if option in subject.parameters else ():
            _refused(partial(subject.make, **{option: value}), f"{option}={value!r}")


def _refused(act: Any, what: str) -> str:
    """The text of the InputError that an act must raise."""
    other = f"it fails on {what} with an error that is no InputError"
    return str(refused(act, InputError, other, f"it takes {what}"))


def _outcomes() -> Any:
    """(n,) outcomes, both in every group alike."""
    return np.arange(_ROWS) // 4 % 2 == 0


def _groups() -> Groups:
    """Three groups of equal size, and rows of unknown membership."""
    return Groups.from_frame(_frame())


def _frame() -> pd.DataFrame:
    regions = np.array(["north", "south", "west", None], dtype=object)
    return pd.DataFrame({"region": regions[np.arange(_ROWS) % 4]})
