"""Options that name tables say whether a dot stands between schema and name."""

from __future__ import annotations

import pytest

from scrutable.cli import refuse_dotted
from scrutable.errors import InputError


@pytest.mark.parametrize("key", ["table", "name", "texts"])
def test_a_dot_says_what_it_is(key: str) -> None:
    with pytest.raises(InputError, match=f"--option {key}: schema and name, or one name with a dot") as refused:
        refuse_dotted([f"{key}=risk.reason_texts"])
    assert ("--texts" in str(refused.value)) is False
    refuse_dotted([f'{key}=["risk", "reason_texts"]', f'{key}="risk.reason_texts"', f"{key}=reason_texts"])
