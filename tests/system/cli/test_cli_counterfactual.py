"""`scrutable explain --explainer counterfactual`: answers, summary, picture, and what is refused."""

from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable.cli import output
from scrutable.data.datasets import load_german_credit
from scrutable.data.frames import read_file
from scrutable.model import load
from scrutable.model.evaluator import evaluate

Run = Callable[..., Any]

COUNTERFACTUAL = ["--explainer", "counterfactual", "--option", "max_changes=2"]
PAGE = Path(__file__).parents[3] / "docs" / "plugins" / "counterfactual.md"


@pytest.fixture(scope="module")
def few(loans: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty applicants."""
    path = tmp_path_factory.mktemp("few") / "few.csv"
    pd.read_csv(loans).head(40).to_csv(path, index=False)
    return path


def declined(model: Path, data: Path) -> np.ndarray:
    """Numbers of the rows that the model declines."""
    return np.flatnonzero(~evaluate(load(model), read_file(data)).approved) + 1


def test_every_answer_in_json_turns_the_decision(run: Run, model: Path, few: Path, loans: Path) -> None:
    result = run("explain", model, few, *COUNTERFACTUAL, "--reference", loans, "--id", "loan", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    said = json.loads(result.stdout)
    assert [each["row"] for each in said] == list(range(1, 41))
    assert [each["row"] for each in said if each["status"] != "met"] == declined(model, few).tolist()
    assert {each["status"] for each in said} >= {"met", "optimal"}
    answers = [answer for each in said for answer in each["answers"]]
    found = evaluate(load(model), {name: [each["values"][name] for each in answers] for name in answers[0]["values"]})
    assert found.approved.all()
    assert found.score.tolist() == [answer["score"] for answer in answers]
    assert max(len(answer["changes"]) for answer in answers) <= 2
    assert said[0]["id"] == "L0000"


def test_answers_in_words(run: Run, model: Path, few: Path) -> None:
    result = run("explain", model, few, *COUNTERFACTUAL, "--only-declined", "--id", "loan", "--limit", "2")
    assert result.exit_code == 0
    first = declined(model, few)[0]
    said = " ".join(result.stdout.split())
    assert re.match(rf"Row {first}, loan =?L\d+ declined with [\d.]+ points; [\d.]+ are needed for an approval\.", said)
    assert "The model would have approved (score" in said
    assert "Nothing has to change" not in said
    assert f"40 applicants, {len(declined(model, few))} declined; " in said


def test_options_are_json(run: Run, model: Path, few: Path) -> None:
    free = json.loads(run("explain", model, few, *COUNTERFACTUAL, "--json").stdout)
    changed = {change["feature"] for each in free for answer in each["answers"] for change in answer["changes"]}
    kept = json.dumps(dict.fromkeys(sorted(changed), "none"))
    options = ["--option", f"actions={kept}"]
    held = json.loads(run("explain", model, few, *COUNTERFACTUAL, *options, "--json").stdout)
    still = {change["feature"] for each in held for answer in each["answers"] for change in answer["changes"]}
    assert changed
    assert not changed & still
    wanted = ["--option", 'wanted={"kind": "probability", "at_least": 0.9}']
    likely = json.loads(run("explain", model, few, *COUNTERFACTUAL, *wanted, "--json").stdout)
    assert min(answer["probability"] for each in likely for answer in each["answers"]) >= 0.9


def test_the_summary_counts_what_the_explanations_say(run: Run, model: Path, few: Path) -> None:
    each = json.loads(run("explain", model, few, *COUNTERFACTUAL, "--json").stdout)
    summary = ["--summary", "--protected", "sex"]
    result = run("explain", model, few, *COUNTERFACTUAL, *summary, "--json")
    assert result.exit_code == 0
    assert "groups smaller than 30" in result.stderr
    said = json.loads(result.stdout)
    statuses = [its["status"] for its in each]
    assert said["met"] == statuses.count("met")
    assert said["applicants"] == 40 - said["met"]
    answered = sum(bool(its["answers"]) for its in each)
    assert said["with_answer"] * said["applicants"] == pytest.approx(answered)
    assert [group["group"] for group in said["groups"]] == ["female", "male"]
    assert sum(group["applicants"] for group in said["groups"]) == said["applicants"]
    text = run("explain", model, few, *COUNTERFACTUAL, *summary).stdout
    assert "Wanted is an approval" in text
    assert "What has to change" in text
    assert "(reference)" in text
    only = json.loads(run("explain", model, few, *COUNTERFACTUAL, "--summary", "--only-declined", "--json").stdout)
    assert (only["met"], only["applicants"]) == (0, said["applicants"])


def test_the_picture_of_one_applicant(run: Run, model: Path, few: Path, tmp_path: Path) -> None:
    row = declined(model, few)[0]
    picture = tmp_path / "path.svg"
    asked = ["explain", model, few, *COUNTERFACTUAL, "--row", row, "--plot", picture]
    result = run(*asked)
    assert (result.exit_code, "wrote" in result.stdout) == (0, True)
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    assert "exists already" in run(*asked).stderr
    content = picture.read_bytes()
    picture.write_bytes(b"")
    assert run(*asked, "--overwrite").exit_code == 0
    assert picture.read_bytes() == content


def test_what_is_refused(run: Run, model: Path, few: Path, tmp_path: Path) -> None:
    picture = tmp_path / "path.svg"
    accepted = int(np.setdiff1d(np.arange(1, 41), declined(model, few))[0])
    for arguments, expected in (
        ([*COUNTERFACTUAL, "--plot", picture], ["a picture shows one applicant", "got:     40", "--row 7"]),
        (
            [*COUNTERFACTUAL, "--plot", picture, "--row", accepted],
            ["no such answer to draw", "the search ended as 'met'"],
        ),
        ([*COUNTERFACTUAL, "--plot", tmp_path / "path.pdf", "--row", 2], ["--plot", ".svg or .png"]),
        ([*COUNTERFACTUAL, "--plot", picture, "--summary"], ["a summary has no picture"]),
        ([*COUNTERFACTUAL, "--protected", "sex"], ["only a summary compares groups", "add --summary"]),
        ([*COUNTERFACTUAL, "--summary", "--protected", "sexx"], ["--protected", "did you mean 'sex'?"]),
        (["--summary"], ["this explainer sums nothing up", "--explainer counterfactual"]),
        (["--plot", picture, "--row", 2], ["there is no picture of this explanation"]),
        (
            [*COUNTERFACTUAL, "--option", "actions={'age': 'none'}"],
            ["not valid JSON", "--option actions", "double quotes"],
        ),
        ([*COUNTERFACTUAL, "--option", 'together=["a",]'], ["not valid JSON", "--option together"]),
        ([*COUNTERFACTUAL, "--option", 'actions={"purpse": "none"}'], ["did you mean 'purpose'?"]),
        ([*COUNTERFACTUAL, "--option", "wanted=approved"], ["unknown kind", "approval, decline"]),
        ([*COUNTERFACTUAL, "--option", "max_change=3"], ["did you mean 'max_changes'?"]),
    ):
        result = run("explain", model, few, *arguments)
        assert result.exit_code == 2, arguments
        # an explanation stands there before it turns out that it cannot be drawn
        assert result.stdout == "" or "--row" in arguments, arguments
        assert [each for each in expected if each not in result.stderr] == [], result.stderr
    assert not picture.exists()


def test_a_bar_on_a_terminal_and_none_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr("sys.stderr", stream)
        monkeypatch.setenv("TERM", "xterm")
        assert list(output.tracked(iter("abc"), 3, "Explaining [bold]x\x1b[31m")) == ["a", "b", "c"]
        said = stream.getvalue()
        assert ("Explaining [bold]x\\x1b[31m" in said) is shown
        assert ("/3" in said) is shown


def test_the_commands_of_the_page_work(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_german_credit().frame.to_csv(tmp_path / "german.csv", index=False)
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text().replace("\\\n", "")
    lines = re.findall(r"^    scrutable (.*)$", text, re.MULTILINE)
    assert len(lines) == 5
    for line in lines:
        arguments = [part.strip("'") for part in re.findall(r"'[^']*'|\S+", line)]
        result = run(*arguments)
        assert result.exit_code == 0, result.output
