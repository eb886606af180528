"""Checks of binners inside of what uses them: every installed learner that takes a binner."""

from __future__ import annotations

import functools
from typing import Any

from scrutable.plugins.registry import registry
from scrutable.testing.contract.check import deciding, failing_as, require
from scrutable.testing.contract.examples.data import fit, fitted, learns_classes, sample_for, with_special_codes
from scrutable.testing.contract.examples.known_payers import cuts_for, has_option, rows_with, worth
from scrutable.testing.contract.subject import Subject
from scrutable.testing.contract.unchanged import changed_state, state_of

_HINT = (
    "leave fit, read, bin and the other methods of Binner as they are, and override find_cuts, find_groups or propose"
)


@deciding("binner", hint=_HINT)
def bin_does_what_fit_does(subject: Subject) -> None:
    """`bin` of data that `read` has read, as learners call them, gives what `fit` gives, and changes nothing else."""
    sample = sample_for(subject)
    binner = subject.make(**with_special_codes(subject))
    given = {"sensitive_features": None, "sample_weight": None}
    before = state_of(binner)
    binning = binner.bin(binner.read(sample.X, sample.y, **given))
    kept = changed_state(before, state_of(binner))
    require(not kept, "read and bin change the binner, which belongs to whoever made it", got=kept)
    require(binning == fitted(subject).binning_, "bin and fit give different binnings")


@deciding("binner", hint=_HINT)
def learners_can_use_it(subject: Subject) -> None:
    """Every installed learner of classes that takes a binner fits with it, and its scores follow its attributes."""
    for learner in _learners():
        name = learner.component.name
        for shares in ({1.0: 0.1, 2.0: 0.9, None: 0.02}, {"a": 0.1, "b": 0.9, None: 0.02}):
            by_hand = {} if "a" in shares else cuts_for(subject, 2.0)
            for turned in (False, True):
                given = {value: 1 - share if turned else share for value, share in shares.items()}
                made = _tried(learner, subject.make(**by_hand), rows_with(learner, given), name)
                low, high, missing = worth(made, list(shares))
                right = low > high < missing if turned else low < high > missing
                require(right, f"in the learner {name!r} scores do not follow the rows", got=[low, high, missing])
        _tried(learner, subject.make(**with_special_codes(subject)), sample_for(learner), name)


def _tried(learner: Subject, binner: Any, sample: Any, name: str) -> Any:
    with failing_as(f"the learner {name!r} fails with it"):
        return fit(learner.make(binner=binner), sample)


@functools.cache
def _learners() -> tuple[Subject, ...]:
    """The installed learners of classes that take a binner."""
    learners = [Subject(each) for each in registry().listings("learner") if not each.component.absent]
    return tuple(each for each in learners if has_option(each, "binner") and learns_classes(each))
