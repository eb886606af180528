"""The examples and command lines of the page about points tables work as they stand."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from scrutable import evaluate, load

PAGE = Path(__file__).parents[4] / "docs" / "points-tables.md"


def test_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    assert len(blocks) == 1
    for block in blocks:
        exec(compile(block, PAGE.name, "exec"), {})
    assert "Layout plain: 3 rows" in capsys.readouterr().out


def test_command_lines_work(tmp_path: Path) -> None:
    shutil.copy(Path(__file__).parent / "scorecardpy" / "card.csv", tmp_path)
    [by_hand] = re.findall(r"```csv\n(.*?)```", PAGE.read_text(), re.S)
    (tmp_path / "by-hand.csv").write_text(by_hand)
    lines = re.findall(r"^    scrutable (.*)$", PAGE.read_text(), re.M)
    assert len(lines) == 3
    for line in lines:
        command = [sys.executable, "-m", "scrutable.cli", *shlex.split(line)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "certificate.json").is_file()
    model = load(tmp_path / "by-hand.json")
    applicants = pd.DataFrame(
        {"income": [1500.0, -9, None, 0], "housing": ["own", "rent", "other", None]}, dtype=object
    ).astype({"income": float})
    assert evaluate(model, applicants).score.tolist() == [485, 445, 435, 430]
