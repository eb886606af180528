"""The check of every component that needs another process."""

from __future__ import annotations

from scrutable.testing.contract.check import check, require
from scrutable.testing.contract.processes import made_in_another_process
from scrutable.testing.contract.results import results_of
from scrutable.testing.contract.subject import Subject


@check(hint="sort what comes out of sets, and take no hash() of a text: PYTHONHASHSEED changes both")
def another_process_gives_the_same(subject: Subject) -> None:
    """Another process, with other hashes of texts, makes the same of the same, to the byte."""
    theirs = made_in_another_process(subject, "results")
    for what, text in results_of(subject).items():
        require(theirs.get(what) == text, f"in another process {what} differs, so it is not deterministic")
