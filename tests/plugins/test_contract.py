"""Every installed component does what the contract of its kind says."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from scrutable.plugins.registry import Listing, registry
from scrutable.testing.contract import Check, Subject
from scrutable.testing.suites import parameters_of, run_under_pytest

from .conftest import QUICK, SLOW

#: Checks that tell another process the options, which must be plain values for it.
TOLD = ("another-process-gives-the-same", "what-a-process-did-before-does-not-matter")


@functools.cache
def subject(listing: Listing, *, quick: bool) -> Subject:
    return Subject(listing, QUICK.get(listing.component.name) if quick else None)


def cases(*, quick: bool) -> list[Any]:
    """Each check of each component, with the marks that its known failures get; unless quick, of those that may be.

    What is declared to fail is about the defaults.
    """
    return [
        pytest.param(
            subject(listing, quick=quick and not case.marks and case.id not in TOLD),
            *case.values,
            id=f"{listing.component.kind}-{listing.component.name}-{case.id}",
            marks=case.marks,
        )
        for listing in registry().listings()
        if quick or listing.component.name in {**QUICK, **SLOW}
        for case in parameters_of(subject(listing, quick=quick))
        if not quick or case.id not in SLOW.get(listing.component.name, ())
    ]


@pytest.mark.parametrize(("component", "check"), cases(quick=True))
def test_contract(component: Subject, check: Check) -> None:
    run_under_pytest(check, component)


@pytest.mark.deep
@pytest.mark.parametrize(("component", "check"), cases(quick=False))
def test_contract_with_the_defaults(component: Subject, check: Check) -> None:
    run_under_pytest(check, component)
