"""The check of constraints and explainers that nothing is kept from one call to the next."""

from __future__ import annotations

from scrutable.testing.contract.calling import shared_calls
from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.processes import made_in_another_process
from scrutable.testing.contract.subject import Subject


@deciding(
    "constraint",
    "explainer",
    hint="keep nothing by the object, the model or the number of rows: count and average anew in each call",
)
def nothing_is_kept_between_calls(subject: Subject) -> None:
    """Called again with one argument changed, even in place, it answers as another process does that is called anew."""
    due = made_in_another_process(subject, "calls")
    for what, text in shared_calls(subject).items():
        require(text == due.get(what), f"{what} are others after calls that share the rest", got=text)
