"""A code once used keeps its meaning, through every version that was read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scrutable.errors import InputError, ModelError
from scrutable.model import FrozenMapping, Model
from scrutable.model.segmented import succeeding
from scrutable_deployment import deploy, roll_back

from .conftest import Bank
from .planted import model


def coded(codes: dict[str, str], base_points: float = 500.0) -> Model:
    """The model with other codes, each of which says what feature it is of."""
    policy = model().reasons
    assert policy is not None
    texts = FrozenMapping({code: f"{name}: it's low \\ \u00e9" for name, code in codes.items()})
    reasons = replace(policy, codes=FrozenMapping(codes), texts=texts, order=tuple(texts))
    return replace(model(), base_points=base_points, reasons=reasons)


FIRST = {"age": "R1", "income": "R2", "housing": "R3"}
SWAPPED = {"age": "R2", "income": "R1", "housing": "R3"}


def done(bank: Bank, whole: Model, **options: Any) -> Any:
    return deploy(whole, "score", url=bank.url, key=["id"], run=True, **options)


@pytest.mark.parametrize("bank", ["postgres", "duckdb", "sqlite", "clickhouse", "mariadb"], indirect=True)
def test_a_version_that_gives_a_code_another_meaning_is_refused(bank: Bank) -> None:
    bank.applicants()
    done(bank, coded(FIRST))
    before = bank.rows("SELECT COUNT(*) FROM score_versions")
    for options in ({}, {"shadow": True}):
        with pytest.raises(
            InputError, match=r"'R1': a code of version 1 .*got \"income: .*allowed: age: .*--predecessor"
        ):
            done(bank, coded(SWAPPED, 505.0), **options)
    assert bank.rows("SELECT COUNT(*) FROM score_versions") == before
    followed = succeeding(coded(SWAPPED, 505.0), coded(FIRST))  # type: ignore[arg-type]
    assert done(bank, followed).version == 2


def test_codes_of_a_version_before_the_last_are_kept_too(bank_of_sqlite: Bank) -> None:
    bank = bank_of_sqlite
    bank.applicants()
    done(bank, coded(FIRST))
    done(bank, coded({"age": "R1", "income": "R4", "housing": "R3"}, 505.0))
    with pytest.raises(InputError, match="'R2': a code of version 1"):
        done(bank, coded({"age": "R1", "income": "R4", "housing": "R2"}, 510.0))
    roll_back("score", url=bank.url, run=True)
    with pytest.raises(InputError, match="'R4': a code of version 2"):
        done(bank, coded({"age": "R1", "income": "R2", "housing": "R4"}, 515.0))


def test_codes_that_nobody_was_given_are_free(bank_of_sqlite: Bank) -> None:
    bank = bank_of_sqlite
    bank.applicants()
    done(bank, coded(FIRST))
    done(bank, coded({"age": "R1", "income": "R2", "housing": "R9"}, 505.0), shadow=True)
    assert done(bank, coded({"age": "R9", "income": "R2", "housing": "R3"}, 510.0)).version == 3


def test_codes_that_cannot_be_read_are_told(bank_of_sqlite: Bank) -> None:
    bank = bank_of_sqlite
    bank.applicants()
    done(bank, coded(FIRST))
    bank.execute("DROP TRIGGER score_versions_kept_update", "UPDATE score_versions SET codes = '{}' WHERE entry = 1")
    with pytest.raises(ModelError, match="registry score_versions, codes of version 1: no codes of a model"):
        done(bank, coded(FIRST, 505.0))
