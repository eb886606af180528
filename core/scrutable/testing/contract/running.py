"""All checks of a component, one after another, and what came of each."""

from __future__ import annotations

import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from scrutable.component import Kind
from scrutable.testing.contract.check import Check, Fault, NotApplicable, checks_for, said
from scrutable.testing.contract.subject import Subject

Status = Literal["passed", "failed", "known", "not applicable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a check.

    Parameters
    ----------
    check : its name.
    says : what holds of a component that passes.
    status : "known" is a failure that the descriptor declares.
    reason : what is wrong, or why the failure is known or the check says nothing; empty where it passed.
    hint : how to mend it; of failures only.
    seconds : how long it took.
    """

    check: str
    says: str
    status: Status
    reason: str = ""
    hint: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What came of all checks of a component."""

    kind: Kind
    name: str
    plugin: str
    distribution: str
    version: str
    outcomes: tuple[Outcome, ...]

    @property
    def passed(self) -> bool:
        """Whether no check failed but those that are declared to."""
        return bool(self.outcomes) and not any(outcome.status == "failed" for outcome in self.outcomes)

    def counts(self) -> dict[str, int]:
        """How many checks came to each status, those that any came to."""
        found: dict[str, int] = {}
        for outcome in self.outcomes:
            found[outcome.status] = found.get(outcome.status, 0) + 1
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {"passed": self.passed, "counts": self.counts(), **asdict(self)}


def run_checks(subject: Subject, on_progress: Callable[[Outcome], None] | None = None) -> Report:
    """Run every check of the component's kind.

    Parameters
    ----------
    on_progress : called with each outcome as it is there.

    Examples
    --------
    >>> report = run_checks(Subject.of("constraint", "demographic-parity"))
    >>> report.passed, report.outcomes[0].check
    (True, 'it-is-found')
    """
    outcomes = []
    for each in checks_for(subject.component):
        outcomes.append(run_check(each, subject))
        if on_progress is not None:
            on_progress(outcomes[-1])
    listing = subject.listing
    return Report(
        kind=listing.component.kind,
        name=listing.component.name,
        plugin=listing.plugin,
        distribution=listing.distribution,
        version=listing.version,
        outcomes=tuple(outcomes),
    )


def run_check(check: Check, subject: Subject) -> Outcome:
    """Run one check; what it raises becomes its outcome, and warnings are not shown."""
    started = time.perf_counter()
    declared = subject.component.known_failures.get(check.name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        status, reason, hint = _tried(check, subject)
    if declared is not None and status == "failed":
        status, reason, hint = "known", declared, ""
    elif declared is not None and status == "passed":
        status, reason = "failed", f"it is declared to fail, and passes; the reason given was: {declared}"
        hint = f"take {check.name!r} out of known_failures"
    seconds = round(time.perf_counter() - started, 3)
    return Outcome(check=check.name, says=check.says, status=status, reason=reason, hint=hint, seconds=seconds)


def told(error: BaseException, subject: Subject) -> str:
    """An exception that is no `Fault`: type, message, and the last line of the plugin's code that it passed."""
    package = subject.component.path.partition(":")[0].partition(".")[0]
    where = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if frame.f_globals.get("__name__", "").partition(".")[0] == package:
            where = f" (line {line} of {frame.f_globals['__name__']}, in {frame.f_code.co_name})"
    return said(error) + where


def _tried(check: Check, subject: Subject) -> tuple[Status, str, str]:
    try:
        check.run(subject)
    except NotApplicable as reason:
        return "not applicable", str(reason), ""
    except Fault as fault:
        return "failed", str(fault), fault.hint or check.hint
    except Exception as error:  # whatever a component fails with is its outcome
        return "failed", told(error, subject), check.hint
    return "passed", "", ""
