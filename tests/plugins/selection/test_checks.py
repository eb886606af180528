"""Ours keep what every selector promises, and the check finds what does not."""

from __future__ import annotations

from typing import Any

import pytest

from scrutable.plugins.bases import Selector
from scrutable.plugins.registry import registry
from scrutable.testing.selecting import check_selector


@pytest.mark.parametrize("name", registry().names("selector"))
def test_ours_keep_it(name: str) -> None:
    chosen = check_selector(lambda **options: registry().create("selector", name, **options))
    assert {"column 0", "column 1"} & {*chosen.kept}


def test_what_forgets_a_list_is_told() -> None:
    class Forgetful(Selector):
        def choose(self, pool: Any) -> None:
            pool._must = frozenset()
            pool.drop(pool.names[-1], step="place", reason="it is the last")

    with pytest.raises(AssertionError, match="must stay and left"):
        check_selector(Forgetful)


def test_a_drop_without_a_reason_is_told() -> None:
    class Silent(Selector):
        def choose(self, pool: Any) -> None:
            pool.drop(pool.names[-1], step="place", reason="")

    with pytest.raises(AssertionError, match="without a step or a reason"):
        check_selector(Silent)
