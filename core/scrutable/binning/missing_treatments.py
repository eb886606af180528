"""What learners take for missing values and special codes where the user asks for another value than their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import InputError
from scrutable.model.conditions import describe_alike

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributePolicy:
    """How one attribute is valued; an attribute without a policy has its own value.

    Parameters
    ----------
    position : the attribute's, of missing values or a special code.
    treated : "neutral" is a value of 0; "worst" the lowest value of any interval or category that was seen; "with" the
        value of another attribute, with which it is counted together.
    bin : position of that other attribute.
    """

    position: int
    treated: Literal["neutral", "worst", "with"]
    bin: int | None = None


def counted_with(policies: Sequence[AttributePolicy], size: int) -> NDArray[np.intp]:
    """(size,) position of the attribute that each one is counted with: itself, or a policy's bin.

    >>> missing = AttributePolicy(position=2, treated="with", bin=0)
    >>> counted_with([missing, AttributePolicy(position=3, treated="worst")], 4).tolist()
    [0, 1, 0, 3]
    """
    places = np.arange(size)
    for each in policies:
        if each.bin is not None:
            places[each.position] = each.bin
    return places


def counted_beside(policies: Sequence[AttributePolicy]) -> dict[int, int]:
    """The attribute that each policy "with" counts another with, by the position of the other."""
    return {each.position: each.bin for each in policies if each.bin is not None}


def hosted(policies: Sequence[AttributePolicy], host: Callable[[int], int]) -> tuple[AttributePolicy, ...]:
    """Policies whose attributes are those that theirs count with."""
    return tuple(each if each.bin is None else replace(each, bin=host(each.bin)) for each in policies)


def pooled(counts: Floats, policies: Sequence[AttributePolicy]) -> Floats:
    """(attributes, ...) sums in which what is counted with another attribute is added to it, and 0 in its own place.

    >>> pooled(np.array([1.0, 2.0, 3.0]), [AttributePolicy(position=2, treated="with", bin=0)]).tolist()
    [4.0, 2.0, 0.0]
    """
    sums = np.zeros_like(counts)
    np.add.at(sums, counted_with(policies, len(counts)), counts)
    return sums


def valued(values: Floats, policies: Sequence[AttributePolicy], candidates: Sequence[int]) -> Floats:
    """(attributes,) values with those of the policies in their places.

    Parameters
    ----------
    candidates : positions of the intervals and categories that were seen; where there are none, the worst is neutral.

    Examples
    --------
    >>> valued(np.array([0.5, -0.5, 0.1]), [AttributePolicy(position=2, treated="worst")], [0, 1]).tolist()
    [0.5, -0.5, -0.5]
    """
    treated = values.copy()
    for each in policies:
        if each.bin is not None:
            treated[each.position] = values[each.bin]
        elif each.treated == "neutral" or not len(candidates):
            treated[each.position] = 0.0
        else:
            treated[each.position] = values[list(candidates)].min()
    return treated


def refuse_policies(tables: Sequence[Any], component: str) -> None:
    """For whoever cannot give missing values or special codes the value that a policy says.

    Parameters
    ----------
    tables : the `AttributeTable` of each feature.
    component : what cannot, for the message.

    Raises
    ------
    InputError : names the first feature under a policy, and the policy.
    """
    for table in tables:
        for policy in table.policies:
            words = describe_alike(table.conditions)[policy.position]
            raise InputError(
                f"{component} cannot keep a policy for missing values or special codes",
                where=f"column {table.feature.name!r}, {words}",
                got=policy.treated,
                allowed="'own'",
                fix="undo the edit, or use the learner scorecard with encoding='woe'",
            )
