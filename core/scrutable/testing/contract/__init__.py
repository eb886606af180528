"""What every plugin has to do, as checks that run under pytest and from the shell alike.

Under pytest subclass a suite of `scrutable.testing`; from the shell run `scrutable plugins check NAME`; in Python:

>>> from scrutable.testing.contract import Subject, run_checks
>>> report = run_checks(Subject.of("constraint", "opportunity"))
>>> report.passed
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.testing.contract.estimators.alternatives import RATE, makes_them, varied_learner
    from scrutable.testing.contract.estimators.biting import unequal
    from scrutable.testing.contract.examples.known_payers import has_option

__all__ = [
    "RATE",
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
    "has_option",
    "makes_them",
    "require",
    "run_check",
    "run_checks",
    "subject_of",
    "unequal",
    "varied_learner",
]

__getattr__ = lazily(__name__)
