"""All checks of a component, one after another, and what came of each."""

from __future__ import annotations

import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from scrutable.plugins.component import Kind
from scrutable.testing.contract.check import AsDeclared, Check, Fault, NotApplicable, checks_for, said
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
    hint : how to mend it; of failures only, once where several have one cause.
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
        counts: dict[str, int] = {}
        for outcome in self.outcomes:
            counts[outcome.status] = counts.get(outcome.status, 0) + 1
        return counts

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {"passed": self.passed, "counts": self.counts(), **asdict(self)}


def run_checks(
    subject: Subject, tracked: Callable[[Iterator[Outcome], int], Iterable[Outcome]] | None = None
) -> Report:
    """Run every check of the component's kind.

    Parameters
    ----------
    tracked : is given the outcomes, each of which comes when its check is done, and how many there will be; gives them
        on as they come, for example to a progress bar.

    Examples
    --------
    >>> report = run_checks(Subject.of("constraint", "demographic-parity"))
    >>> report.passed, report.outcomes[0].check
    (True, 'it-is-found')
    """
    checks = checks_for(subject.component)
    outcomes = _each_fault_once(run_check(each, subject) for each in checks)
    shown = outcomes if tracked is None else tracked(outcomes, len(checks))
    listing = subject.listing
    return Report(
        kind=listing.component.kind,
        name=listing.component.name,
        plugin=listing.plugin,
        distribution=listing.distribution,
        version=listing.version,
        outcomes=tuple(shown),
    )


def _each_fault_once(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """The outcomes; what fails several checks is told in full by the first of them."""
    first: dict[str, str] = {}
    for each in outcomes:
        before = first.setdefault(each.reason, each.check) if each.status == "failed" else each.check
        yield each if before == each.check else replace(each, reason=f"fails as {before} does", hint="")


def run_check(check: Check, subject: Subject) -> Outcome:
    """Run one check; what it raises becomes its outcome, what it prints goes to stderr, and warnings are not shown."""
    started = time.perf_counter()
    declared = check.excuse(subject.component)
    with warnings.catch_warnings(), redirect_stdout(sys.stderr):
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
    where = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if frame.f_globals.get("__name__", "").partition(".")[0] == subject.package:
            where = f" (line {line} of {frame.f_globals['__name__']}, in {frame.f_code.co_name})"
    return said(error) + where


def _tried(check: Check, subject: Subject) -> tuple[Status, str, str]:
    try:
        check.run(subject)
    except NotApplicable as reason:
        return "not applicable", str(reason), ""
    except AsDeclared as failures:
        return "known", str(failures), ""
    except Fault as fault:
        return "failed", str(fault), fault.hint or check.hint
    except (Exception, SystemExit) as error:  # whatever a component fails with is its outcome
        return "failed", told(error, subject), f"mend what raises it; if that is as it should be, {check.hint}"
    return "passed", "", ""
