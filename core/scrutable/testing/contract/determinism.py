"""The check of every component that needs another process."""

from __future__ import annotations

import json
from dataclasses import asdict

from scrutable.testing.contract.check import NotApplicable, check, require
from scrutable.testing.contract.processes import in_another_process
from scrutable.testing.contract.results import results_of
from scrutable.testing.contract.subject import Subject


@check(hint="sort what comes out of sets, and take no hash() of a text: PYTHONHASHSEED changes both")
def another_process_gives_the_same(subject: Subject) -> None:
    """Another process, with other hashes of texts, makes the same of the same, to the byte."""
    asked = asdict(subject.component) | {"options": subject.options}
    try:
        json.dumps(asked)
    except (TypeError, ValueError) as error:
        raise NotApplicable("its options are no plain values, so another process cannot be given them") from error
    ours, theirs = results_of(subject), in_another_process("scrutable.testing.contract.elsewhere", asked)
    for what, text in ours.items():
        require(theirs.get(what) == text, f"in another process {what} differs, so it is not deterministic")
