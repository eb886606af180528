"""The page on policies does what it says: its file, its command lines and what they print, its Python."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import fields
from io import StringIO
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scrutable import load
from scrutable.cli.app import app
from scrutable.data.datasets import load_german_credit
from scrutable_policy import policy_edits
from scrutable_policy.rules_file import rules_of

PAGE = (Path(__file__).parents[3] / "docs" / "policy.md").read_text()
TABLES, PRINTED = re.findall(r"```text\n(.*?)```", PAGE, re.S)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the data, the file of the page, and what its command lines wrote and said."""
    made = tmp_path_factory.mktemp("policy")
    load_german_credit().frame.to_csv(made / "loans.csv", index=False)
    [rules] = re.findall(r"```toml\n(.*?)```", PAGE, re.S)
    (made / "rules.toml").write_text(rules)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(made)
        lines = re.findall(r"^    scrutable (.*)$", PAGE, re.M)
        assert len(lines) == 6
        for position, line in enumerate(lines):
            result = CliRunner(env={"COLUMNS": "110"}).invoke(app, shlex.split(line))
            assert result.exit_code == 0, result.output
            (made / f"said-{position}.txt").write_text(f"{result.stdout}\n{result.stderr}")
        yield made


def test_the_command_lines_write_what_they_say(folder: Path) -> None:
    final = load(folder / "final.json")
    assert [rule.code for rule in final.policy.rules] == ["K1", "K3", "A1", "O1"]
    assert [edit.action for edit in policy_edits(final)] == ["added"] * 5 + ["removed"]
    assert (folder / "effect.svg").read_bytes().startswith(b"<?xml")


def test_the_tables_of_the_page_are_those_that_are_printed(folder: Path) -> None:
    said = (folder / "said-1.txt").read_text().replace("wrote effect.svg", "")
    assert [line.split() for line in said.split("\n") if line.strip()] == [
        line.split() for line in TABLES.split("\n") if line.strip()
    ]


def test_the_python_of_the_page_prints_what_it_says(folder: Path) -> None:
    [code] = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(code, "policy.md", "exec"), {})
    assert printed.getvalue() == PRINTED


def test_the_page_names_each_key_of_a_rule() -> None:
    cells = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", PAGE, re.M)
    rows = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}
    common = {"code": "K1", "reason": "Age", "when": "age < 18"}
    made = rules_of({"adjustment": [{**common, "points": 1}], "override": [{**common, "decision": "approve"}]})
    assert rows == {each.name for rule in made for each in fields(rule)}
