"""A data dictionary in a fit: the same model as by options, which come before it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scrutable.data.datasets import load_german_credit
from scrutable.errors import InputError
from scrutable.model import dumps
from scrutable.plugins import Choice, DataDictionary, config_by_dictionary
from scrutable_lifecycle.config import Run, SearchRun
from scrutable_lifecycle.development.developing import develop
from scrutable_lifecycle.dictionary_run import with_known

USED = ["checking_status", "duration_months", "credit_amount", "savings", "sex", "age", "credit_risk"]
KNOWN = DataDictionary.of(
    {
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
)


@pytest.fixture(scope="module")
def loans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("loans") / "loans.csv"
    load_german_credit().frame[USED].to_csv(path, index=False)
    return path


def run_on(path: Path, learner: str, **said: Any) -> Run:
    return Run(data=config_by_dictionary(KNOWN, path, **said), learner=Choice(name=learner))


def test_a_dictionary_gives_the_model_that_options_give(loans: Path) -> None:
    run, told = with_known(run_on(loans, "scorecard"), KNOWN)
    assert told == ()
    assert run.learner.options == {"select": 'standard:must=["duration_months"]'}
    options = {"favourable": "good", "protected": ("sex",), "drop": ("age", "savings"), "reference": {"sex": "male"}}
    assert {name: getattr(run.data, name) for name in options} == options
    assert run.binner is not None
    assert run.binner.options == {"special_codes": {"duration_months": [-9.0]}}
    by_options = replace(run, data=config_by_dictionary(DataDictionary(), loans, target="credit_risk", **options))
    model, plain = develop(run).model, develop(by_options).model
    assert [each.title for each in model.features if each.name == "duration_months"] == ["Term (months)"]
    assert "Term (months)" in dict(model.reasons.texts).values()
    unlabelled = replace(run, data=replace(run.data, labels={}))
    assert dumps(develop(unlabelled).model) == dumps(plain)


def test_must_is_handed_to_a_learner_that_takes_it(loans: Path) -> None:
    run, told = with_known(run_on(loans, "additive"), KNOWN)
    assert (run.learner.options["must"], told) == (["duration_months"], ())


def test_a_search_gets_what_a_fit_gets(loans: Path) -> None:
    run = run_on(loans, "lda-xgb1")
    search, _ = with_known(SearchRun(data=run.data, learner=run.learner, required_ratio=0.8), KNOWN)
    assert search.learner.options == {"special_codes": {"duration_months": [-9.0]}}


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
    run = run_on(loans, "scorecard")
    options = {} if given is None else {"select": given}
    run = replace(run, learner=replace(run.learner, options=options, none=() if given else ("select",)))
    wanted = DataDictionary.of({"columns": {"duration_months": {}}, "must": ["duration_months"]})
    with_must, said = with_known(run, wanted)
    assert (with_must.learner.all_options["select"], said) == (select, told)


def test_without_a_dictionary_a_run_is_as_it_is(loans: Path) -> None:
    run = run_on(loans, "scorecard")
    assert with_known(run, None) == (run, ())


@pytest.mark.parametrize(
    ("name", "why"), [("sex", "protected"), ("age", "left out"), ("credit_risk", "of another role")]
)
def test_what_has_to_be_kept_and_is_no_input_is_told_as_that(loans: Path, name: str, why: str) -> None:
    data = config_by_dictionary(KNOWN, loans)
    for options in ({"must": [name]}, {"select": f'stepwise:must=["{name}"]'}):
        learner = Choice(name="additive" if "must" in options else "scorecard", options=options)
        with pytest.raises(InputError, match=f"must: the column is there but {why}"):
            develop(Run(data=data, learner=learner))


def test_what_the_dictionary_keeps_and_a_run_leaves_out_is_told(loans: Path) -> None:
    run = Run(data=config_by_dictionary(KNOWN, loans, drop=("duration_months",)))
    assert "must names 'duration_months', which is no input of this run; it is passed over" in with_known(run, KNOWN)[1]
