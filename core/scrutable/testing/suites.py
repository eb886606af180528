"""Suites that a plugin's own tests subclass; pytest runs every check of the contract as a test of its own.

>>> class TestQuantile(BinnerSuite):
...     component = "quantile"
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, ClassVar

import pytest

from scrutable.errors import PluginError, ScrutableWarning
from scrutable.plugins.component import Kind
from scrutable.testing.contract import AsDeclared, Check, Fault, NotApplicable, Subject, check, checks_for


class Suite:
    """Base of the suites; a subclass names its component.

    Attributes
    ----------
    component : its name.
    options : what it is made with, beyond the options that its descriptor names.
    """

    kind: ClassVar[Kind]
    component: ClassVar[str] = ""
    options: ClassVar[Mapping[str, Any]] = {}
    _made: ClassVar[Subject]

    @classmethod
    def subject(cls) -> Subject:
        """The component; what checks share is made once for a class.

        Raises
        ------
        PluginError : it is not found, and why.
        """
        if "_made" not in vars(cls):
            if not cls.component:
                raise PluginError("the suite names no component", where=cls.__name__, fix="component = 'its-name'")
            cls._made = Subject.of(cls.kind, cls.component, cls.options)
        return cls._made

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """A test for each check; known failures are expected, and must fail."""
        if metafunc.function.__name__ == "test_contract":
            metafunc.parametrize("check", _parameters(type(self)))

    def test_contract(self, check: Check) -> None:
        """One check of the contract."""
        __tracebackhide__ = True
        run_under_pytest(check, self.subject())


class BinnerSuite(Suite):
    """What every binner has to do."""

    kind = "binner"


class LearnerSuite(Suite):
    """What every learner has to do."""

    kind = "learner"


class ConstraintSuite(Suite):
    """What every fairness constraint has to do."""

    kind = "constraint"


class ExplainerSuite(Suite):
    """What every explainer has to do."""

    kind = "explainer"


class ExporterSuite(Suite):
    """What every exporter has to do."""

    kind = "exporter"


def run_under_pytest(check: Check, subject: Subject) -> None:
    """Run a check; a fault fails the test in its own words, a declared one is expected, and what says nothing skips.

    What Scrutable warns of is due to the data of the checks, and stays out of the way of `-W error`.
    """
    __tracebackhide__ = True
    outcome: NotApplicable | AsDeclared | Fault
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ScrutableWarning)
            check.run(subject)
        return
    except (NotApplicable, AsDeclared, Fault) as raised:
        outcome = raised
    if isinstance(outcome, NotApplicable):
        pytest.skip(str(outcome))
    if isinstance(outcome, AsDeclared):
        pytest.xfail(str(outcome))
    pytest.fail(f"{subject}: {outcome}\nHint: {outcome.hint or check.hint}.", pytrace=False)


def parameters_of(subject: Subject) -> list[Any]:
    """Each check of a component as pytest's parameter, known failures with a strict mark."""
    excuses = ((each, each.excuse(subject.component)) for each in checks_for(subject.component))
    return [
        pytest.param(
            each, id=each.name, marks=[] if excuse is None else [pytest.mark.xfail(reason=excuse, strict=True)]
        )
        for each, excuse in excuses
    ]


def _parameters(suite: type[Suite]) -> list[Any]:
    try:
        return parameters_of(suite.subject())
    except PluginError as error:
        reason = str(error)

    @check(suite.kind, hint="install the plugin where pytest runs", of_descriptor=True)
    def it_is_found(subject: Subject) -> None:
        """It is found."""
        raise Fault(reason.rstrip("."))

    return [pytest.param(it_is_found, id=it_is_found.name)]
