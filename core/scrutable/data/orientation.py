"""Which class is good for the applicant: the one that is named, or the one whose label says it; else it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from scrutable.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

#: Labels that say by themselves which outcome they are. Numbers and yes/no never do: a default is a 1 or a yes as well.
GOOD = ("good", "paid", "fully paid", "repaid", "performing", "approved", "accepted")
BAD = (
    *("bad", "default", "defaulted", "charged off", "late", "delinquent", "unpaid", "fraud"),
    *("declined", "denied", "rejected"),
)


def favourable_class(y: pd.Series, asked: str | int | float | bool | None) -> Any:
    """The class of a target that is good for the applicant; None of more or fewer classes than two, and none named.

    Raises
    ------
    InputError : a class that the target does not have; none is named, and the labels do not say it.

    Examples
    --------
    >>> import pandas as pd
    >>> favourable_class(pd.Series(["approved", "denied"]), None), favourable_class(pd.Series([0, 1]), "0")
    ('approved', 0)
    """
    if asked is not None:
        return class_named(y, asked)
    classes = y.drop_duplicates().sort_values().tolist()
    return said_or_asked(classes, f"column {y.name!r}") if len(classes) == 2 else None


def class_named(y: pd.Series, wanted: str | int | float | bool) -> Any:
    """The class that a text or number of a command line or config names."""
    from scrutable.data.labelling import label

    classes = y.drop_duplicates().sort_values().tolist()
    for value in classes:
        if str(value) == str(wanted) or label(value) == label(wanted):
            return value
    raise InputError(
        "no such class in the target",
        where=f"favourable, column {y.name!r}",
        got=wanted,
        allowed=" or ".join(repr(value) for value in classes[:10]),
        fix="name the class that is good for the applicant",
    )


def said_or_asked(classes: Sequence[Any], where: str) -> Any:
    """The one of two classes that is good for the applicant by their labels.

    Raises
    ------
    InputError : they do not say it.

    Examples
    --------
    >>> said_or_asked(["Default", "no default"], "column 'status'")
    'no default'
    """
    said = said_by_labels(classes)
    if said is not None:
        return said
    raise InputError(
        "which outcome is good for the applicant is not said, and its labels do not tell",
        where=where,
        got=list(classes),
        allowed=f"labels such as {', '.join(GOOD[:3])}, {', '.join(BAD[:3])}; numbers and yes/no never tell",
        fix=f"name the good outcome: --favourable {' or --favourable '.join(map(str, classes))} (in a config, "
        "favourable under [data]; in a dictionary, favourable of the column)",
    )


def said_by_labels(classes: Sequence[Any]) -> Any:
    """The one of two classes that is good for the applicant by their labels; None where they do not say it.

    >>> said_by_labels(["bad", "good"]), said_by_labels([0, 1])
    ('good', None)
    """
    words = {each: " ".join(str(each).casefold().replace("_", " ").replace("-", " ").split()) for each in classes}
    good = [each for each in classes if words[each] in GOOD]
    not_bad = [each for each in classes if words[each] not in BAD]
    return next((labels[0] for labels in (good, not_bad) if len(labels) == 1), None)
