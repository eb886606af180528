"""What the commands print of groups: both ratios, no interval of a few rows, and what is weighted."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import create, dumps
from scrutable.cli.hooked import Deferred
from scrutable.plugins.registry import registry

Run = Callable[..., Any]

#: Commands whose weights make a policy and no figure.
WITHOUT_FIGURES = {"reasons"}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """Two models and 1,200 applicants, twelve of whom are of a group of their own."""
    folder = tmp_path_factory.mktemp("groups")
    draw = np.random.default_rng(5)
    race = np.where(np.arange(1200) < 12, "few", draw.choice(["a", "b", "c"], 1200, p=[0.5, 0.3, 0.2]))
    steps = np.select([race == "b", race == "c"], [0.6, -0.6], 0.0)
    X = pd.DataFrame({"income": np.round(draw.normal(size=1200) + steps, 1), "age": draw.integers(20, 70, 1200)})
    paid = np.where(draw.random(1200) < 1 / (1 + np.exp(-1 - X["income"])), "yes", "no")
    X.assign(race=race, paid=paid, w=draw.integers(1, 4, 1200)).to_csv(folder / "loans.csv", index=False)
    paths = []
    for name, columns, bins in (("fine", ["income", "age"], 8), ("coarse", ["income"], 3)):
        binner = create("binner", "quantile", max_bins=bins)
        learner = create("learner", "scorecard", binner=binner, favourable="yes", approval_rate=0.6)
        paths.append(folder / f"{name}.json")
        model = learner.fit(X[columns], paid).model_
        content = dumps(model)
        paths[-1].write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder / "loans.csv", paths[0], paths[1]


def said(run: Run, *arguments: Any, **variables: str) -> str:
    done = run(*arguments, **variables)
    assert done.exit_code in (0, 1), done.output
    return " ".join(done.stdout.split())


def test_bins_of_equal_pds_are_told_with_the_test(run: Run, files: tuple[Path, Path, Path]) -> None:
    loans, _, coarse = files
    assert re.search(
        r"Hosmer-Lemeshow \d+\.\d\d, p [\d.<> ]+, of 3 bins, since equal PDs share one: the largest has \d\d%",
        said(run, "validate", coarse, loans, "--target", "paid", COLUMNS="200"),
    )


def test_groups_of_ages_are_named_by_their_cuts(run: Run, files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    loans, fine, coarse = files
    ages = ("--protected", "age", "--group-cuts", "age=26,40", "--reference", "age=>= 40")
    for command in (("validate", fine, loans), ("strategy", "bands", fine, loans), ("monitor", fine, loans, loans)):
        text = said(run, *command, "--target", "paid", *ages)
        assert "26 to 39" in text, command
    words = tmp_path / "ages.toml"
    words.write_text('[columns.age]\nrole = "protected"\nreference = ">= 40"\ncuts = [26, 40]\n')
    compared = ("compare", fine, coarse, "--data", loans, "--target", "paid", "--no-picture", "--margin", "0")
    text = said(run, *compared, "--require", "0.5", "--dictionary", words, "-o", tmp_path / "out")
    assert "'>= 40'" in text
    for options, error in (
        (("--protected", "race", "--group-cuts", "age=26,40"), "there is no such protected attribute"),
        (("--protected", "age", "--group-cuts", "age=40,26"), "groups begin at numbers that grow"),
    ):
        refused = run("validate", fine, loans, "--target", "paid", *options)
        assert (refused.exit_code, error in " ".join(refused.stderr.split())) == (2, True), refused.stderr


def test_validate_and_fit_mark_few_rows_and_tell_both_ratios(
    run: Run, files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    loans, fine, _ = files
    text = said(run, "validate", fine, loans, "--target", "paid", "--protected", "race")
    assert re.search(r"race: few \(small\) 12 [\d.]+% \d\.\d{3} [\d.]+ \([\d.]+\)", text)
    assert re.search(r"race: few \(small\) -?\d\.\d{3} Four", text)
    assert re.search(r"race few \(small\) 12 [\d.]+%", text)
    assert re.search(r"race: c / b 0\.\d{3} \[0\.\d{3}, 0\.\d{3}\] 3 few", text)
    fitted = ("fit", loans, "--target", "paid", "--favourable", "yes", "--protected", "race", "--drop", "w")
    text = said(run, *fitted, "--binner", "quantile", "-o", tmp_path / "model.json")
    assert re.search(r"adverse impact ratio, race: b / a \d\.\d{3} \[\d\.\d{3}, \d\.\d{3}\]", text)
    assert re.search(r"four-fifths ratio, race: c / b 0\.\d{3} \[0\.\d{3}, 0\.\d{3}\]", text)
    assert "Copies of these are refused, proxies are not" in text
    for word in ("nan", "inf", "∞"):
        assert not re.search(rf"(?<![a-z]){word}(?![a-z])", text), word


def test_what_is_weighted_is_said(run: Run, files: tuple[Path, Path, Path]) -> None:
    loans, fine, coarse = files
    common = ("--target", "paid", "--protected", "race")
    swap = ("strategy", "swap", fine, coarse, loans, *common, "--at", "approval-rate")
    plain, weighted = said(run, *swap), said(run, *swap, "--weight", "w")
    note = "Figures, applicants too, are weighted by column 'w'; whatever is called rows is their number."
    assert note in weighted
    assert note not in plain
    assert "1,200 rows" in weighted
    assert re.search(r"the challenger approves [\d.]+% to its [\d.]+%: equal scores leave no rate between", weighted)
    assert "four-fifths ratio, race" in weighted
    found = json.loads(run(*swap, "--weight", "w", "--json").stdout)
    assert (found["rows"], found["weighted"]) == (1200, True)
    assert found["equal"]["approval_rate"] == pytest.approx(found["challenger"]["approval_rate"])
    assert found["champion"]["four_fifths"][0]["too_small"] == ["few"]
    for command in (
        ("validate", fine, loans),
        ("strategy", "bands", fine, loans),
        ("strategy", "rounding", fine, loans),
    ):
        assert note in said(run, *command, *common, "--weight", "w"), command


def test_every_command_with_weights_says_so() -> None:
    """By their source: a new command with the option cannot leave the line out."""
    calling = {}
    for offer in registry().commands():
        given = offer.descriptor
        if any("--weight" in option.opts for option in Deferred(offer).command.params):
            source = inspect.getsource(importlib.import_module(given.path.partition(":")[0]))
            calling[given.name] = any(map(says_so, ast.walk(ast.parse(source))))
    assert {name for name, says in calling.items() if not says} == WITHOUT_FIGURES
    assert {"fit", "swap", "monitor", "compare"} < set(calling)


def says_so(node: ast.AST) -> bool:
    """Whether code mentions the weights, by itself or at its ending."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute):
        return node.func.attr == "tell" and "weight" in [keyword.arg for keyword in node.keywords]
    return isinstance(node.func, ast.Name) and node.func.id == "say_weighted"


def test_monitor_alerts_by_the_ratio_that_is_asked_for(run: Run, files: tuple[Path, Path, Path]) -> None:
    loans, fine, _ = files
    options = ("monitor", fine, loans, loans, "--protected", "race", "--json")
    found = json.loads(run(*options).stdout)
    [check] = [each for each in found["checks"] if each["figure"] == "four-fifths-ratio"]
    [ratio] = found["new"]["four_fifths"]
    assert check["value"] == ratio["four_fifths_ratio"]
    assert (check["subject"], found["thresholds"]["ratio"]) == ("race: c / b", "four-fifths")
    old = json.loads(run(*options, "--ratio", "adverse-impact").stdout)
    assert {each["subject"] for each in old["checks"] if each["figure"] == "adverse-impact-ratio"} == {
        "race: b / a",
        "race: c / a",
        "race: few / a",
    }
    refused = run(*options, "--ratio", "80%")
    assert refused.exit_code == 2
