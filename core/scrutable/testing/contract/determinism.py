"""Checks of every kind: what comes out does not depend on the process, or on what it did before."""

from __future__ import annotations

from scrutable.testing.contract.check import check, deciding, require
from scrutable.testing.contract.estimators.repeated_fits import fits, learned_in_order
from scrutable.testing.contract.processes import made_in_another_process
from scrutable.testing.contract.results import results_of
from scrutable.testing.contract.subject import Subject


@check(hint="sort what comes out of sets, and take no hash() of a text: PYTHONHASHSEED changes both")
def another_process_gives_the_same(subject: Subject) -> None:
    """Another process, with other hashes of texts, makes the same of the same, to the byte."""
    theirs = made_in_another_process(subject, "results")
    for what, text in results_of(subject).items():
        require(theirs.get(what) == text, f"in another process {what} differs, so it is not deterministic")


@deciding("binner", "learner", hint="keep nothing in a module or a class that a fit reads, such as a memo")
def what_a_process_did_before_does_not_matter(subject: Subject) -> None:
    """Of the same columns with other outcomes, weights or class a process learns the same, whatever it did before."""
    theirs = made_in_another_process(subject, "fits")
    ours = learned_in_order(subject, list(fits(subject))[::-1])  # what comes last there comes first here
    for name, learned in ours.items():
        fault = f"with {name} it learns something else where the same columns were fitted with others before"
        require(theirs.get(name) == learned, fault)
