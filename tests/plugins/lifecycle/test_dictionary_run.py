"""A data dictionary in a fit: the same model as by options, which come before it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scrutable.data.datasets import load_german_credit
from scrutable.errors import InputError
from scrutable.model import dumps
from scrutable.plugins import Choice, DataDictionary
from scrutable_lifecycle.config import Run
from scrutable_lifecycle.development import DataConfig
from scrutable_lifecycle.development.developing import develop
from scrutable_lifecycle.dictionary_run import completed, required_target

USED = ["checking_status", "duration_months", "credit_amount", "savings", "sex", "age", "credit_risk"]
SAID: dict[str, Any] = {
    "columns": {
        "credit_risk": {"role": "outcome", "favourable": "good"},
        "sex": {"role": "protected", "reference": "male"},
        "age": {"role": "ignore"},
        "duration_months": {"label": "Term", "unit": "months", "special": [-9]},
        "savings": {"label": "Savings"},
    },
    "must": ["duration_months"],
    "never": ["savings"],
}


@pytest.fixture(scope="module")
def loans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("loans") / "loans.csv"
    load_german_credit().frame[USED].to_csv(path, index=False)
    return path


def run_on(path: Path, **said: Any) -> Run:
    learner = Choice(name=said.pop("learner", "scorecard"))
    return Run(data=DataConfig(path=str(path), **{"target": "credit_risk", **said}), learner=learner)


def test_a_dictionary_gives_the_model_that_options_give(loans: Path) -> None:
    run, told = completed(run_on(loans), DataDictionary.of(SAID))
    assert told == ()
    assert run.learner.options == {"select": 'standard:must=["duration_months"]'}
    options = {"favourable": "good", "protected": ("sex",), "drop": ("age", "savings"), "reference": {"sex": "male"}}
    assert {name: getattr(run.data, name) for name in options} == options
    assert run.binner.options == {"special_codes": {"duration_months": [-9.0]}}
    by_options = replace(run_on(loans, **options), binner=run.binner, learner=run.learner)
    model, plain = develop(run).model, develop(by_options).model
    assert [each.title for each in model.features if each.name == "duration_months"] == ["Term (months)"]
    assert "Term (months)" in dict(model.reasons.texts).values()
    unlabelled = replace(run, data=replace(run.data, labels={}))
    assert dumps(develop(unlabelled).model) == dumps(plain)


def test_must_is_handed_to_a_learner_that_takes_it(loans: Path) -> None:
    run, told = completed(run_on(loans, learner="additive"), DataDictionary.of(SAID))
    assert (run.learner.options["must"], told) == (["duration_months"], ())


@pytest.mark.parametrize(
    ("given", "select", "told"),
    [
        ("iv:floor=0.1", 'iv:floor=0.1,must=["duration_months"]', ()),
        (
            "iv:must=savings",
            "iv:must=savings",
            ("the selector is given a list must, which holds; the dictionary's is passed over",),
        ),
        (None, None, ()),
    ],
)
def test_must_is_handed_to_the_selector_of_a_learner(
    loans: Path, given: str | None, select: str | None, told: tuple[str, ...]
) -> None:
    run = run_on(loans)
    options = {} if given is None else {"select": given}
    run = replace(run, learner=replace(run.learner, options=options, none=() if given else ("select",)))
    with_must, said = completed(
        run, DataDictionary.of({"columns": {"duration_months": {}}, "must": ["duration_months"]})
    )
    assert (with_must.learner.all_options["select"], said) == (select, told)


def test_options_come_before_the_dictionary_and_that_is_told(loans: Path) -> None:
    said = {**SAID, "columns": {**SAID["columns"], "credit_amount": {"role": "weight"}}}
    run, told = completed(run_on(loans, weight="age", drop=("sex",)), DataDictionary.of(said))
    assert (run.data.weight, run.data.protected) == ("age", ())
    assert set(run.data.drop) == {"sex", "savings", "credit_amount"}
    assert any("--weight says 'age', and the dictionary 'credit_amount'" in line for line in told)
    assert any("column 'sex' another role than the dictionary, 'protected'" in line for line in told)


def test_an_outcome_that_an_option_overrules_is_no_input(loans: Path) -> None:
    said = {"columns": {"credit_risk": {"role": "outcome"}}}
    run, told = completed(run_on(loans, target="sex"), DataDictionary.of(said))
    assert (run.data.target, run.data.drop) == ("sex", ("credit_risk",))
    assert "--target says 'sex'" in told[0]


def test_columns_that_the_file_lacks_are_refused(loans: Path) -> None:
    with pytest.raises(InputError, match="no such column; got 'savngs'; allowed: did you mean 'savings'"):
        completed(run_on(loans), DataDictionary.of({"columns": {"savngs": {}}}))


def test_the_target_is_said_by_an_option_or_the_dictionary() -> None:
    assert required_target(None, DataDictionary.of(SAID)) == "credit_risk"
    assert required_target("paid", DataDictionary.of(SAID)) == "paid"
    with pytest.raises(InputError, match='role = "outcome"'):
        required_target(None, DataDictionary())
