"""The guide to reviews does what it says: its Python, its file, and its command lines."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import get_args

import pytest
from typer.testing import CliRunner

from scrutable import load
from scrutable.binning.edits import Action
from scrutable.cli.app import app
from scrutable.data.datasets import load_german_credit
from scrutable_review import Review, read_review
from scrutable_review.page import ReviewServer

PAGE = (Path(__file__).parents[3] / "docs" / "review.md").read_text()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the data and the file of the page."""
    german = load_german_credit()
    leaks = ["age", "age_group", "personal_status", "marital_status", "foreign_worker"]
    german.frame.drop(columns=leaks).to_csv(tmp_path / "loans.csv", index=False)
    [content] = re.findall(r"```toml\n(.*?)```", PAGE, re.S)
    (tmp_path / "review.toml").write_text(content)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_python_of_the_page_runs(folder: Path) -> None:
    (folder / "review.toml").unlink()
    [code] = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    names: dict[str, object] = {}
    exec(compile(code, "review.md", "exec"), names)
    assert [edit.action for edit in read_review("review.toml")] == ["start", "start", "merge", "trend", "missing"]
    assert (folder / "housing.svg").read_bytes().startswith(b"<?xml")


def test_the_command_lines_of_the_page_work(folder: Path) -> None:
    lines = re.findall(r"^    scrutable (.*)$", PAGE, re.M)
    assert len(lines) == 5
    shown = []
    for line in lines:
        result = CliRunner(env={"COLUMNS": "200"}).invoke(app, shlex.split(line))
        assert result.exit_code == 0, result.output
        shown.append(result.stdout)
    assert "bad rate" in shown[0]
    assert (folder / "pictures" / "housing.svg").exists()
    assert json.loads(shown[-1])["audit"][0]["who"] == "Ana Diaz"
    audit = json.loads((folder / "evidence.json").read_text())["binning"]["audit"]
    assert [entry["action"] for entry in audit] == ["merge", "cuts"]
    assert load(folder / "model.json").provenance.learner == "AdditiveClassifier"


def test_the_page_names_every_method_and_action() -> None:
    rows = re.findall(r"^\| `(\w+)\(([^)]*)\)` \| `(\w+)`", PAGE, re.M)
    assert {name for name, _, _ in rows} <= set(dir(Review))
    assert {action for _, _, action in rows} == set(get_args(Action)) - {"start"}


def test_the_characteristic_that_the_page_forces_in_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section = PAGE.partition("\n## Which characteristics stay\n")[2].partition("\n## ")[0]
    look, fit = re.findall(r"^scrutable (.*)$", section, re.M)
    (folder / "review.toml").unlink()
    [table] = re.findall(r"```text\n(\[\[edit\]\].*?)```", section, re.S)
    [stated] = tomllib.loads(table)["edit"]

    def deciding(server: ReviewServer) -> None:
        assert stated["feature"] not in server.session.selection()["selection"]["kept"]
        server.session.edit(stated)
        server.server_close()

    monkeypatch.setattr(ReviewServer, "run", deciding)
    for line in (f"{look} --no-browser", fit):
        result = CliRunner(env={"COLUMNS": "200"}).invoke(app, shlex.split(line))
        assert result.exit_code == 0, result.output
    assert tomllib.loads((folder / "review.toml").read_text())["edit"] == [stated]
    metrics = json.loads((folder / "evidence.json").read_text())["metrics"]
    assert stated["feature"] in metrics["selection"]["kept"]


def test_the_card_that_the_page_chooses_is_fitted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section = PAGE.partition("\n## Another card of the path\n")[2].partition("\n## ")[0]
    first, look, again = re.findall(r"^scrutable (.*)$", section, re.M)
    (folder / "review.toml").unlink()
    [table] = re.findall(r"```text\n(\[choice\].*?)```", section, re.S)
    stated = tomllib.loads(table)["choice"]
    chosen: list[int] = []

    def choosing(server: ReviewServer) -> None:
        assert server.session.cards is not None
        steps = [card.steps for card in server.session.cards.cards]
        chosen.append(min(steps, key=lambda each: abs(each - stated["steps"])))
        server.session.choose(chosen[0], why=stated["why"])
        server.server_close()

    monkeypatch.setattr(ReviewServer, "run", choosing)
    for line in (first, f"{look} --no-browser", again):
        result = CliRunner(env={"COLUMNS": "200"}).invoke(app, shlex.split(line))
        assert result.exit_code == 0, result.output
    assert tomllib.loads((folder / "review.toml").read_text())["choice"] == {**stated, "steps": chosen[0]}
    metrics = json.loads((folder / "evidence.json").read_text())["metrics"]
    assert metrics["card_choice"] == {**stated, "steps": chosen[0]}
    assert metrics["additive"]["chosen"]["steps"] == chosen[0]
