"""`scrutable select`: what a data dictionary says is kept, in what it looks at and in what it writes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable.plugins import DataDictionary

Run = Callable[..., Any]
FIT = ("--learner", "scorecard", "--option", "select=standard", "--json")
KNOWN = """must = ["noise"]
never = ["barred"]

[columns.loan]
role = "identifier"

[columns.sex]
role = "protected"
reference = "f"

[columns.paid]
role = "outcome"
favourable = "yes"

[columns.debts]
label = "Debts"
unit = "EUR"
type = "number"
range = [-9, 5000]
special = [-9]
code = "R1"
reason = "Debts"

[columns.noise]
label = "Noise"

[columns.barred]
role = "feature"

[reasons]
k = 2
"""


@pytest.fixture
def loans(tmp_path: Path) -> Path:
    """2,000 loans: debts tell by their code and by their size, income tells, noise and luck tell nothing."""
    chance = np.random.default_rng(3)
    n = 2000
    debts = np.where(chance.random(n) < 0.2, -9, chance.integers(0, 5000, n))
    income = chance.normal(size=n)
    odds = np.where(debts == -9, 0, 1.5 - debts / 2000) + 0.8 * income
    frame = pd.DataFrame(
        {
            "loan": [f"L{row:04d}" for row in range(n)],
            "sex": np.where(chance.random(n) < 0.5, "f", "m"),
            "debts": debts,
            "income": income,
            "noise": chance.normal(size=n),
            "luck": chance.normal(size=n),
            "barred": income + chance.normal(size=n),
            "paid": np.where(chance.random(n) < 1 / (1 + np.exp(-odds)), "yes", "no"),
        }
    )
    frame.to_csv(tmp_path / "loans.csv", index=False)
    (tmp_path / "known.toml").write_text(KNOWN)
    return tmp_path / "loans.csv"


def out(result: Any) -> Any:
    assert result.exit_code == 0, result.output + result.stderr
    return json.loads(result.stdout)


def test_special_codes_and_must_of_a_dictionary_count_as_in_a_fit(run: Run, loans: Path) -> None:
    known = ("--dictionary", loans.with_name("known.toml"))
    selected = out(run("select", loans, *known, "--json"))
    fitted = out(run("fit", loans, *known, *FIT, "-o", loans.with_name("model.json")))
    iv = {each["feature"]: each["iv"] for each in selected["characteristics"]}
    evidence = run("fit", loans, *known, *FIT, "-o", loans.with_name("m.json"), "--evidence", loans.with_name("e.json"))
    tables = json.loads(loans.with_name("e.json").read_text())["binning"]["tables"]
    assert evidence.exit_code == 0
    assert iv == {name: pytest.approx(table["iv"], abs=1e-12) for name, table in tables.items()}
    assert selected["kept"] == ["debts", "income", "noise"]
    assert fitted["left_out"] == ["luck"]


def test_what_is_written_says_all_that_the_dictionary_says(run: Run, loans: Path) -> None:
    known, written = loans.with_name("known.toml"), loans.with_name("selected.toml")
    out(run("select", loans, "--dictionary", known, "--json", "-o", written))
    before, after = DataDictionary.read(known), DataDictionary.read(written)
    assert after.never == ("barred", "luck")
    assert after.must == before.must
    assert after.reasons == before.reasons
    assert {name: after.columns[name] for name in before.columns} == dict(before.columns)
    assert {*after.columns} - {*before.columns} == {"income", "luck"}
    out(run("fit", loans, "--dictionary", written, *FIT, "-o", loans.with_name("model.json")))


def test_what_options_say_is_written_too(run: Run, loans: Path) -> None:
    written = loans.with_name("selected.toml")
    roles = ("--target", "paid", "--favourable", "yes", "--protected", "sex", "--reference", "sex=m", "--id", "loan")
    out(run("select", loans, *roles, "--drop", "barred", "--json", "-o", written))
    said = DataDictionary.read(written)
    assert said.having("outcome", "identifier", "protected", "ignore") == ("paid", "loan", "sex", "barred")
    assert said.columns["paid"].favourable == "yes"
    assert said.columns["sex"].reference == "m"
    assert said.never == ("noise", "luck")
    out(run("fit", loans, "--dictionary", written, *FIT, "-o", loans.with_name("model.json")))


def test_options_hold_before_the_dictionary_in_what_is_written(run: Run, loans: Path) -> None:
    known, written = loans.with_name("known.toml"), loans.with_name("selected.toml")
    options = ("--drop", "income", "--protected", "barred", "--selector", "iv:floor=5,must=debts")
    out(run("select", loans, "--dictionary", known, *options, "--json", "-o", written))
    said = DataDictionary.read(written)
    assert said.having("ignore", "protected") == ("sex", "barred", "income")
    assert (said.must, said.never) == ((), ("noise", "luck"))
    assert said.columns["debts"].special == (-9,)
