"""Every installed component does what the contract of its kind says."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from scrutable.plugins.registry import Listing, registry
from scrutable.testing.contract import Check, Subject
from scrutable.testing.suites import parameters_of, run_under_pytest

from .conftest import QUICK


@functools.cache
def subject(listing: Listing, *, quick: bool) -> Subject:
    return Subject(listing, QUICK.get(listing.component.name) if quick else None)


def cases(*, quick: bool) -> list[Any]:
    """Each check of each component, with the marks that its known failures get; unless quick, of those that may be."""
    return [
        pytest.param(
            listing, *case.values, id=f"{listing.component.kind}-{listing.component.name}-{case.id}", marks=case.marks
        )
        for listing in registry().listings()
        if quick or listing.component.name in QUICK
        for case in parameters_of(subject(listing, quick=quick))
    ]


@pytest.mark.parametrize(("listing", "check"), cases(quick=True))
def test_contract(listing: Listing, check: Check) -> None:
    run_under_pytest(check, subject(listing, quick=True))


@pytest.mark.deep
@pytest.mark.parametrize(("listing", "check"), cases(quick=False))
def test_contract_with_the_defaults(listing: Listing, check: Check) -> None:
    run_under_pytest(check, subject(listing, quick=False))
