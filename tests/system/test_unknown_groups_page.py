"""The page on groups that are not known prints what it says, and its command lines work."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrutable.data.datasets import make_credit

PAGE = (Path(__file__).parents[2] / "docs" / "unknown-groups.md").read_text()


def test_the_examples_print_what_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    code, printed = (re.findall(rf"```{kind}\n(.*?)```", PAGE, re.S) for kind in ("python", "text"))
    assert len(code) == len(printed) == 3
    for block, expected in zip(code, printed, strict=True):
        exec(compile(block, "unknown-groups.md", "exec"), names)
        assert capsys.readouterr().out == expected


def test_the_command_lines_work(run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    data = make_credit(1500, seed=2)
    minority = data.sensitive_features["group"] != "A"
    frame = data.frame.assign(paid=data.y.map({0: "yes", 1: "no"}), p_minority=minority.map({True: 0.8, False: 0.1}))
    frame = frame.assign(p_majority=1 - frame["p_minority"]).drop(columns=["default", "group"])
    frame.to_csv(tmp_path / "loans.csv", index=False)
    lines = re.findall(r"^    scrutable (.*)$", PAGE.replace("\\\n", ""), re.M)
    assert len(lines) == 2
    for line in lines:
        done = run(*line.split(), "--json")
        assert done.exit_code == 0, done.output
        if line.startswith("fit"):
            groups = json.loads(done.stdout)["held_out"]["at_cutoff"]["groups"]
            assert {each["reference"] for each in groups if each["attribute"] == "race"} == {"majority"}
    assert (tmp_path / "report.html").exists()
