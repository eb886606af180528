"""The good outcome where nobody named it: the class that its label says, else the last one, with a warning in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scrutable.data.labelling import label
from scrutable.data.name_words import words_of
from scrutable.data.orientation import BAD, GOOD, said_by_labels
from scrutable.data.outcome import Outcome
from scrutable.errors import ScrutableWarning, warn_caller

#: Words of names and labels that speak of outcomes, and those that turn what is said.
_GOOD_WORDS = frozenset(words_of(" ".join(GOOD))) - {"fully"}
_BAD_WORDS = (frozenset(words_of(" ".join(BAD))) - {"off"}) | {
    *("defaults", "arrears", "chargeoff", "chargedoff", "delinquency", "writeoff", "loss", "npl"),
}
_NOT = frozenset(("no", "non", "not", "never"))
#: Labels that say that what the column's name says is so.
_YES = frozenset(("1", "true", "yes", "y", "t"))


class AssumedOutcomeWarning(ScrutableWarning):
    """The last class was taken as the good outcome, because none was named, and it may well be the bad one."""


def assumed_favourable(classes: Sequence[Any]) -> Any:
    """The class that is taken as good for the applicant where none is named.

    Parameters
    ----------
    classes : in their order.

    Examples
    --------
    >>> assumed_favourable(["approved", "denied"]), assumed_favourable([0, 1]), assumed_favourable(["a", "b", "c"])
    ('approved', 1, 'c')
    """
    said = said_by_labels(classes) if len(classes) == 2 else None
    return classes[-1] if said is None else said


def doubt_of_assumed(classes: Sequence[Any], taken: Any, target: str, share: float) -> str:
    """Why the class that was taken as the good one may be the bad one, in words; empty where nothing says so.

    Labels that say which is good leave no doubt. Else a word for a bad outcome does, in the label, or in the target's
    name where the class says yes to it; and a share below one half, unless one of these has a word for a good outcome.

    Parameters
    ----------
    classes : two of them; of more there is no doubt.
    taken : the one that was taken.
    target : the name of the column.
    share : that of the rows that have it, by weight.

    Examples
    --------
    >>> doubt_of_assumed((0, 1), 1, "paid", 0.2)
    ''
    >>> doubt_of_assumed((0, 1), 1, "default_90d", 0.6)
    "the name 'default_90d' says that 1 is the bad one"
    """
    if len(classes) != 2 or said_by_labels(classes) is not None:
        return ""
    told = _good(str(taken))
    if told is None and label(taken).casefold() in _YES:
        told = _good(target)
        by = f"the name {target!r}"
    else:
        by = "its label"
    if told is None:
        return "the good outcome is mostly the more frequent one" if share < 0.5 else ""
    return "" if told else f"{by} says that {taken!r} is the bad one"


def warn_of_assumed(outcome: Outcome, share: float) -> None:
    """Warn where the class that was taken as the good one may be the bad one; see `doubt_of_assumed`."""
    taken = outcome.favourable
    if doubt := doubt_of_assumed(outcome.classes, taken, outcome.target, share):
        [other] = (each for each in outcome.classes if each != taken)
        warn_caller(
            f"favourable was not given, so {taken!r}, the last of the classes, was taken as the good outcome for the "
            f"applicant; {share:.0%} of the rows have it, and {doubt}. If {taken!r} is the bad outcome, the model "
            f"approves whom it should decline. Fix: favourable={other!r} if {other!r} is the good outcome, or "
            f"favourable={taken!r} if {taken!r} is.",
            AssumedOutcomeWarning,
        )


def _good(text: str) -> bool | None:
    """Whether a name or label speaks of a good outcome; None where it speaks of none, or of both."""
    words = words_of(text)
    good, bad = bool(words & _GOOD_WORDS), bool(words & _BAD_WORDS)
    return None if good == bad else good != bool(words & _NOT)
