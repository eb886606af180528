"""Checks of what a descriptor declares: failures that there can be, and limits that are known."""

from __future__ import annotations

from collections.abc import Mapping

from sklearn.utils.estimator_checks import estimator_checks_generator

from scrutable.errors import did_you_mean
from scrutable.plugins.component import Kind
from scrutable.testing.contract.check import checks_for, deciding, require
from scrutable.testing.contract.estimators.each_option import PREFIX
from scrutable.testing.contract.subject import Subject

#: Limits that checks know of, by kind.
_LIMITS: Mapping[Kind, tuple[str, ...]] = {
    "binner": ("trend", "cuts", "merges", "min-share", "max-bins", "divergence"),
    "learner": ("trend", "rate", "divergence"),
}


@deciding(hint="write the name of a check as `scrutable plugins check` shows it, and why it may fail")
def known_failures_name_checks(subject: Subject) -> None:
    """The failures that it declares are of checks that it has to pass, each with a reason."""
    declared = subject.component.known_failures
    checks = checks_for(subject.component)
    deciding, known = {each.name for each in checks if each.decides}, {each.name for each in checks}
    if any(name.startswith("check_") for name in declared) and subject.component.kind in ("binner", "learner"):
        known |= _scikit_learns(subject)
    if any(name.startswith(PREFIX) for name in declared):
        known |= {PREFIX + option for option in subject.parameters}
    for name, reason in declared.items():
        hint = "mend it, or take back what the descriptor claims"
        require(name not in deciding, "known_failures names a check that may not fail", got=name, hint=hint)
        hint = did_you_mean(name, sorted(known))
        require(name in known, f"known_failures names a check that there is not for {subject}", got=name, hint=hint)
        text = isinstance(reason, str) and reason.strip()
        require(text, f"known_failures gives no reason for {name!r}", got=reason)


@deciding("binner", "learner", of_descriptor=True, hint="name a limit that checks know of, or leave it out")
def limits_it_enforces_are_known(subject: Subject) -> None:
    """What its descriptor enforces are limits that the checks of its kind know of."""
    known = _LIMITS[subject.component.kind]
    for name in subject.component.enforces:
        fault = f"enforces names a limit that no check of a {subject.component.kind} knows of"
        require(name in known, fault, got=name, hint=did_you_mean(name, known))


def _scikit_learns(subject: Subject) -> set[str]:
    """The names of the checks that scikit-learn has for it."""
    checks = (each for _, each in estimator_checks_generator(subject.make()))
    return {getattr(each, "func", each).__name__ for each in checks}
