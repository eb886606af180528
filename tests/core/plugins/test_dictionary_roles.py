"""What columns are by a data dictionary: what is stated comes first, and what is not there gets no role."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError
from scrutable.plugins import DataDictionary, config_by_dictionary
from scrutable.plugins.dictionary_roles import completed

ROLES = ["feature", "outcome", "protected", "identifier", "weight", "date", "ignore"]
NAMES = list("abcdefg")
KNOWN = DataDictionary.of(
    {
        "columns": {
            "paid": {"role": "outcome", "favourable": "yes"},
            "sex": {"role": "protected", "reference": "m"},
            "region": {"role": "protected"},
            "w": {"role": "weight"},
            "old": {"role": "ignore"},
            "income": {"range": [0, 9], "special": [-1], "type": "number"},
            "zip": {"type": "text"},
        },
        "never": ["zip"],
    }
)
THERE = list(KNOWN.columns)


def parts(names: list[str] = THERE, **stated: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    return completed(stated, KNOWN, names, "file 'x.csv'")


def test_only_what_is_asked_for_is_said() -> None:
    said, told = parts(target=None, favourable=None, protected=None, reference=None)
    assert said == {"target": "paid", "favourable": "yes", "protected": ("sex", "region"), "reference": {"sex": "m"}}
    assert told == ()
    assert parts(id=None) == ({"id": None}, ())


def test_options_come_before_the_dictionary_and_that_is_told() -> None:
    said, told = parts(target=None, weight="income", protected=None, drop=["sex"])
    assert said == {"target": "paid", "weight": "income", "protected": ("region",), "drop": ("sex", "old", "zip", "w")}
    assert told == (
        "--weight says 'income', and the dictionary 'w'; the option holds",
        "the options give column 'sex' another role than the dictionary, 'protected'; the options hold",
        "the options give column 'income' another role than the dictionary, 'feature'; the options hold",
    )


def test_an_outcome_that_an_option_overrules_is_no_input_and_has_no_favourable_class() -> None:
    said, told = parts(target="old", favourable=None, drop=None)
    assert said == {"target": "old", "favourable": None, "drop": ("zip", "paid")}
    assert told[0].startswith("--target says 'old'")


def test_a_column_that_is_not_there_gets_no_role_and_is_told_of() -> None:
    said, told = parts(["income"], target=None, favourable=None, protected=None, weight=None)
    assert said == {"target": None, "favourable": None, "protected": None, "weight": None}
    assert [line.split("'")[3] for line in told] == ["paid", "w", "sex", "region"]
    assert parts(["income"]) == ({}, ())


def test_a_config_has_all_of_it() -> None:
    frame = pd.DataFrame({name: [1, 2] for name in THERE})
    config = config_by_dictionary(KNOWN, frame, weight="old")
    assert (config.path, config.target, config.weight, config.drop) == (None, "paid", "old", ("zip", "w"))
    assert (config.text, config.numbers) == (("zip",), ("income",))
    assert (config.ranges, config.special) == ({"income": (0.0, 9.0)}, {"income": [-1.0]})
    with pytest.raises(InputError, match="no such column; got 'w'"):
        config_by_dictionary(KNOWN, frame.drop(columns="w"))
    with pytest.raises(InputError, match="nothing says which column is the outcome"):
        config_by_dictionary(DataDictionary(), frame)


@settings(max_examples=200, deadline=None)
@given(
    roles=st.lists(st.sampled_from(ROLES), min_size=7, max_size=7),
    single=st.fixed_dictionaries(
        {part: st.sampled_from([None, *NAMES]) for part in ("target", "weight", "id", "date")}
    ),
    protected=st.lists(st.sampled_from(NAMES), max_size=2, unique=True),
)
def test_no_column_has_two_roles_unless_options_say_so(
    roles: list[str], single: dict[str, str | None], protected: list[str]
) -> None:
    kept = {name: role for name, role in zip(NAMES, roles, strict=True) if role in ("feature", "protected", "ignore")}
    once = {role: name for name, role in zip(NAMES, roles, strict=True) if name not in kept}
    columns = {name: {"role": role} for name, role in kept.items()} | {
        name: {"role": role} for role, name in once.items()
    }
    stated = {**single, "protected": protected, "drop": []}
    said, _ = completed(stated, DataDictionary.of({"columns": columns}), NAMES, "data")
    own = [name for name in single.values() if name is not None] + protected
    new = [name for part, name in said.items() if part in single and single[part] is None and name is not None]
    new += [name for name in said["protected"] if name not in protected] + list(said["drop"])
    assert len(new) == len(set(new))
    assert not set(new) & set(own)
    assert all(said[part] == name for part, name in single.items() if name is not None)
