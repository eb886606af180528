"""Reasons that nobody has put into words: their texts are the names of columns, such as V000 or PAY_0."""

from __future__ import annotations

from collections.abc import Mapping

from scrutable.errors import ScrutableWarning
from scrutable.model import ReasonPolicy
from scrutable.model.segments import SingleModel

#: Words of one or two letters, among others of a name.
_SHORT = frozenset({"a", "at", "by", "de", "in", "is", "no", "of", "on", "or", "to"})


class UnwrittenReasonWarning(ScrutableWarning):
    """A reason is told by the name of a column, which nobody has put into words that an applicant understands."""


def unwritten(model: SingleModel, policy: ReasonPolicy) -> dict[str, str]:
    """Text by code, of the codes whose text is the name of a column that has no label, and no words.

    Words are of three letters or more, small but for the first, and have a vowel: the column checking_status, which
    becomes "Checking status", is told in words.

    Examples
    --------
    >>> from scrutable.testing.contract.models import models_named
    >>> model = models_named()["scorecard"]
    >>> list(unwritten(model, model.reasons).values())
    []
    """
    raw = {
        each.name: {each.title, f"Value of {each.title}"}
        for each in model.features
        if not each.label and not all(map(is_word, each.title.split()))
    }
    carried = policy.features()
    return {
        code: policy.texts[code]
        for code in policy.order
        if any(policy.texts[code] in raw.get(name, ()) for name in carried[code])
    }


def is_word(token: str) -> bool:
    """Whether a part of a name is a word, as far as letters tell.

    >>> [token for token in ("Checking", "of", "V000", "PAY_0", "MSinceOldest", "Bkt", "Größe") if is_word(token)]
    ['Checking', 'of', 'Größe']
    """
    if not token.isalpha() or not token.isascii():
        return token.isalpha()
    vowels = sum(token.casefold().count(vowel) for vowel in "aeiouy")
    return token.casefold() in _SHORT or (len(token) > 2 and vowels > 0 and token[1:].islower())


def in_words(found: Mapping[str, str]) -> str:
    """What is said of them, and what to do."""
    named = ", ".join(f"{code} {text!r}" for code, text in found.items())
    return (
        f"reasons told by the names of columns: {named}. A notice states specific reasons in words that the applicant "
        "understands: give texts in a reason dictionary, or label the features"
    )
