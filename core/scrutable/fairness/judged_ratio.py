"""Which ratio of approval rates a requirement or a threshold is about."""

from __future__ import annotations

from typing import Any, Literal, get_args

from scrutable.errors import InputError

RatioKind = Literal["four-fifths", "adverse-impact"]


def check_ratio_kind(value: Any, where: str = "ratio") -> None:
    """Refuse what is no kind of ratio.

    Raises
    ------
    InputError : names the kinds that there are.
    """
    if value not in get_args(RatioKind):
        raise InputError(
            "unknown ratio of approval rates",
            where=where,
            got=value,
            allowed=" or ".join(map(repr, get_args(RatioKind))),
            fix="'four-fifths' divides the lowest rate by the highest, 'adverse-impact' each by the reference's",
        )
