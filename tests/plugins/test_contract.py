"""Every installed component does what the contract of its kind says."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from scrutable.plugins.registry import Listing, registry
from scrutable.testing.contract import Check, Subject
from scrutable.testing.suites import parameters_of, run_under_pytest


@functools.cache
def subject(listing: Listing) -> Subject:
    return Subject(listing)


def cases() -> list[Any]:
    """Each check of each component, with the marks that its known failures get."""
    return [
        pytest.param(
            listing, *case.values, id=f"{listing.component.kind}-{listing.component.name}-{case.id}", marks=case.marks
        )
        for listing in registry().listings()
        for case in parameters_of(subject(listing))
    ]


@pytest.mark.parametrize(("listing", "check"), cases())
def test_contract(listing: Listing, check: Check) -> None:
    run_under_pytest(check, subject(listing))
