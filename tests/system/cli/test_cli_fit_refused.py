"""`scrutable fit`: options and data that cannot be used, and what can."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrutable.plugins.registry import registry
from scrutable_lifecycle.config import DEFAULT_LEARNER

Run = Callable[..., Any]

WOE = ["--learner", "scorecard"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--learner", "scorecardd"], ["unknown learner", "did you mean 'scorecard'?"]),
        (["--binner", "quantil"], ["unknown binner", "did you mean 'quantile'?"]),
        (["--protected", "sx"], ["no such column", "did you mean 'sex'?"]),
        (["--drop", "jbo"], ["no such column", "got:     'jbo'", "did you mean 'job'?"]),
        (["--favourable", "maybe"], ["favourable, column 'paid'", "got:     'maybe'", "'no' or 'yes'"]),
        ([*WOE, "--option", "rigde=1"], ["learner 'scorecard'", "unknown option", "did you mean 'ridge'?"]),
        ([*WOE, "--option", "ridge=much"], ["option 'ridge'", "got:     'much'", "a number"]),
        ([*WOE, "--option", "encoding=dummy"], ["option 'encoding'", "got:     'dummy'", "'woe' or 'one-hot'"]),
        (["--option", "kepe=1"], ["learner 'additive'", "unknown option", "did you mean 'keep'?"]),
        (["--option", "keep=much"], ["option 'keep'", "got:     'much'", "a number"]),
        (["--option", "shape=round"], ["option 'shape'", "got:     'round'", "'auto' or 'free'"]),
        (["--option", "ridge=1"], ["an option of the learner 'scorecard'", "got:     'ridge'", "--learner scorecard"]),
        (["--option", "encoding=one-hot"], ["an option of the learner 'scorecard'", "fix:     --learner scorecard"]),
        (["--option", 'scaling={"pod": 3}'], ["option 'scaling'", "did you mean 'pdo'?"]),
        (["--option", "ridge"], ["not an option", "key=value"]),
        (["--option", "ridge=1", "--option", "ridge=2"], ["given twice", "'ridge'"]),
        (["--binner-option", "max_bins=2.5"], ["binner 'quantile', option 'max_bins'", "a whole number"]),
        (["--binner-option", 'cuts={"incme": [1]}'], ["cuts", "did you mean 'income'?"]),
        (["--constraint", "demographic-parity:slack=0.1"], ["needs protected attributes", "--protected"]),
        (
            ["--constraint", "demographic-parity:slack=0.1", "--protected", "sex"],
            ["learner 'additive'", "takes no constraints", "scrutable plugins"],
        ),
        (
            [*WOE, "--constraint", "demographic-parity:slack=0.1", "--protected", "sex"],
            ["learner 'scorecard'", "takes no constraints", "scrutable plugins"],
        ),
        (["--constraint", "parity", "--protected", "sex"], ["unknown constraint", "'demographic-parity'"]),
        (["--weight", "job"], ["weights must be numbers", "column 'job', row 0\n", "got:     a text like 'aaaaa'"]),
        (["--test-size", "-1"], ["test_size", "got:     -1.0"]),
        (["--test-size", "0.999"], ["too few rows"]),
        (["--approval-rate", "7"], ["approval_rate", "7"]),
        (["--protected", "paid"], ["the target cannot be a protected attribute"]),
        (["--drop", "income", "--drop", "job", "--drop", "sex"], ["no column is left as an input"]),
    ],
)
def test_options_are_checked(
    fit_tiny: Run, tiny: Callable[..., Path], arguments: list[str], expected: list[str]
) -> None:
    data = tiny()
    result = fit_tiny(data, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert [each for each in expected if each not in result.stderr] == []
    assert not data.with_name("m.json").exists()


@pytest.mark.parametrize(
    ("columns", "arguments", "expected"),
    [
        ({"paid": ["yes"] * 60}, [], ["only one class", "got:     'yes'", "two classes"]),
        ({"paid": ["yes", None, "no"] * 20}, [], ["the outcome is missing", "row 2 below the header", "20 rows"]),
        ({"paid": ["a", "b", "c"] * 20}, ["--favourable", "a"], ["multiclass", "two classes"]),
        ({"empty": [None] * 60}, [], ["column 'empty'", "every value is missing", "leave the column out"]),
        ({"sex": ["f"] * 60}, ["--protected", "sex"], ["'sex'", "one group"]),
        (
            {"title": ["Mr", "Ms"] * 30, "sex": ["m", "f"] * 30},
            ["--protected", "sex"],
            ["column 'title'", "tells the protected attribute 'sex'", "allow_protected"],
        ),
    ],
)
def test_data_that_cannot_be_used_are_refused(
    fit_tiny: Run, tiny: Callable[..., Path], columns: dict[str, list[Any]], arguments: list[str], expected: list[str]
) -> None:
    data = tiny(**columns)
    result = fit_tiny(data, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert [each for each in expected if each not in result.stderr] == []
    assert not data.with_name("m.json").exists()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("income,income,paid\n1,2,yes\n", ["duplicate column names", "'income'"]),
        ("income,paid\n", ["no rows below the header"]),
        ("", ["the file is empty"]),
        ("income,paid\n1\n", ["another length than the header", "row 1 below the header"]),
    ],
)
def test_files_that_cannot_be_used_are_refused(fit_tiny: Run, tmp_path: Path, text: str, expected: list[str]) -> None:
    (tmp_path / "tiny.csv").write_text(text)
    result = fit_tiny(tmp_path / "tiny.csv")
    assert result.exit_code == 2
    assert [each for each in expected if each not in result.stderr] == []


def test_a_protected_column_that_is_allowed_by_name_passes(fit_tiny: Run, tiny: Callable[..., Path]) -> None:
    data = tiny(title=["Mr", "Ms"] * 30, sex=["m", "f"] * 30)
    refused = fit_tiny(data, "--protected", "sex").stderr
    assert """allow_protected=['title'] (here: --option 'allow_protected=["title"]')""" in refused
    for allowed in ('["title"]', "title", "title,income"):
        option = f"allow_protected={allowed}"
        result = fit_tiny(data, "--protected", "sex", "--option", option, "--json", "--overwrite")
        assert result.exit_code == 0, result.stderr
        assert "title" in json.loads(result.stdout)["inputs"]


def test_numbers_that_become_categories_are_said_once(fit_tiny: Run, tiny: Callable[..., Path]) -> None:
    data = tiny(rate=[f"{i % 5},5" for i in range(60)])
    result = fit_tiny(data)
    assert result.exit_code == 0
    assert (
        result.stderr.count(
            "column 'rate': its values look like numbers, but 60 of 60, for instance a text like '9,9',"
        )
        == 1
    )
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("method", ["read", "fit"])
def test_a_learner_that_favours_another_class_is_refused(
    fit_tiny: Run, tiny: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    learner = registry().load("learner", DEFAULT_LEARNER)
    whole = getattr(learner, method)

    def one_sided(self: Any, *args: Any, **options: Any) -> Any:
        asked, self.favourable = self.favourable, None
        found = whole(self, *args, **options)
        self.favourable = asked
        return found

    monkeypatch.setattr(learner, method, one_sided)
    data = tiny()
    result = fit_tiny(data, "--favourable", "no")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "favours another class than it was asked to" in result.stderr
    assert "got:     'yes'" in result.stderr
    assert not data.with_name("m.json").exists()
    assert fit_tiny(data, "--favourable", "yes").exit_code == 0


@pytest.mark.parametrize(
    ("pair", "told"),
    [
        ("rare_share=2", "got: 2.0 allowed: a finite number from 0 to 1"),
        ("max_bins=0", "got: 0 allowed: a whole number from 1"),
        ("min_share=-1", "got: -1.0 allowed: a finite number from 0 to 0.5"),
    ],
)
def test_impossible_options_of_a_binner_are_refused_by_name(
    run: Run, loans: Path, tmp_path: Path, pair: str, told: str
) -> None:
    target = ["--target", "credit_risk", "--favourable", "good", "--drop", "loan"]
    result = run("fit", loans, *target, "--binner", "optimal", "--binner-option", pair, "-o", tmp_path / "model.json")
    said = " ".join(result.stderr.split())
    assert (result.exit_code, "did not foresee" in said) == (2, False)
    assert f"where: {pair.partition('=')[0]} {told}" in said
