"""Reasons that nobody has put into words: their texts are the names of columns, such as V000 or amt."""

from __future__ import annotations

from collections.abc import Mapping

from scrutable.errors import ScrutableWarning
from scrutable.model import ReasonPolicy, SingleModel

#: Codes that the warning names, and letters of a text; how many more there are it says too.
_SHOWN, _LETTERS = 5, 40


class UnwrittenReasonWarning(ScrutableWarning):
    """A reason is told by the name of a column, which nobody has put into words that an applicant understands."""


def unwritten(model: SingleModel, policy: ReasonPolicy) -> dict[str, str]:
    """Text by code, of the codes whose text is the name of a column that has no label.

    Letters do not tell a word from `amt`, `dti` or `crdlim`, so a name that reads as words, as checking_status does,
    counts too: whoever labels the feature has read it.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> model = models_named()["scorecard"]
    >>> list(unwritten(model, model.reasons).values())
    []
    """
    names = {each.name: {each.title, f"Value of {each.title}"} for each in model.features if not each.label}
    carried = policy.features()
    return {
        code: policy.texts[code]
        for code in policy.order
        if any(policy.texts[code] in names.get(name, ()) for name in carried[code])
    }


def in_words(texts: Mapping[str, str]) -> str:
    """What is said of them, and what to do.

    >>> in_words({f"R{i}": f"V{i}" for i in range(1, 8)}).split(". ")[0]
    "reasons told by the names of columns: R1 'V1', R2 'V2', R3 'V3', R4 'V4', R5 'V5' and 2 more"
    """
    named = ", ".join(f"{code} {text[:_LETTERS]!r}" for code, text in list(texts.items())[:_SHOWN])
    rest = f" and {len(texts) - _SHOWN:,} more" if len(texts) > _SHOWN else ""
    return (
        f"reasons told by the names of columns: {named}{rest}. A notice states specific reasons in words that the "
        "applicant understands: give texts in a reason dictionary, or label the features"
    )
