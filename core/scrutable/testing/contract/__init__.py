"""What every plugin has to do, as checks that run under pytest and from the shell alike.

Under pytest subclass a suite of `scrutable.testing`; from the shell run `scrutable plugins check NAME`; in Python:

>>> from scrutable.testing.contract import Subject, run_checks
>>> report = run_checks(Subject.of("constraint", "opportunity"))
>>> report.passed
True
"""

from scrutable.testing.contract.check import (
    AsDeclared,
    Check,
    Fault,
    NotApplicable,
    check,
    checks_for,
    checks_of,
    require,
)
from scrutable.testing.contract.running import Outcome, Report, run_check, run_checks
from scrutable.testing.contract.subject import Subject, subject_of

__all__ = [
    "AsDeclared",
    "Check",
    "Fault",
    "NotApplicable",
    "Outcome",
    "Report",
    "Subject",
    "check",
    "checks_for",
    "checks_of",
    "require",
    "run_check",
    "run_checks",
    "subject_of",
]
