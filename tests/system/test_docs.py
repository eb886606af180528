"""The docs agree with the code: pages with entry points, hooks with the table, examples run, the schema is current."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from scrutable import create, dump, load
from scrutable.data.datasets import make_credit
from scrutable.model.schema import json_schema
from scrutable.plugins import hookspecs
from scrutable.plugins.bases import Binner
from scrutable.plugins.component import OFFERED
from scrutable.plugins.registry import registry

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
#: Of plugins; a plugin of several large components has a folder of pages beside its own.
PAGES = sorted((DOCS / "plugins").glob("*.md"))


def test_each_plugin_has_a_page_of_its_name() -> None:
    entry_points = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["scrutable"]
    assert {page.stem for page in PAGES} - {"README", "own", "signatures", "compatibility", "listing"} == set(
        entry_points
    )
    index = (DOCS / "plugins" / "README.md").read_text()
    assert all(f"]({name}.md)" in index for name in entry_points)


def test_each_component_is_named_on_its_plugins_page() -> None:
    for listing in registry().listings():
        assert listing.component.name in (DOCS / "plugins" / f"{listing.plugin}.md").read_text()


def test_each_hook_is_documented() -> None:
    hooks = {name for name in vars(hookspecs) if name.startswith("scrutable_")}
    assert hooks == {f"scrutable_{kind}s" for kind in OFFERED}
    table = (DOCS / "plugins" / "README.md").read_text()
    assert set(re.findall(r"`(scrutable_\w+)`", table)) == hooks


def test_growth_is_told_of_each_command() -> None:
    table = (DOCS / "growth.md").read_text().partition("### Commands")[2]
    told = re.findall(r"`([\w -]+)`", "".join(re.findall(r"^\|[^|]+\|", table, re.M)))
    whole = set(re.findall(r"`([\w-]+)` and all below it", table))
    every = [offer.descriptor for offer in registry().commands()]
    names = {f"{command.group} {command.name}".strip() for command in every if command.group not in whole}
    groups = {command.group for command in every}
    assert names - groups <= {name.partition(" --")[0] for name in told}
    assert whole <= groups


def test_what_plugins_are_given_holds_what_the_page_says() -> None:
    page = (DOCS / "plugins" / "own.md").read_text().partition("## What you are given")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([\w.]+)\.(\w+)` \| (.*) \|$", page, re.M)
    assert len(rows) == 6
    for module, name, text in rows:
        cls = getattr(importlib.import_module(module), name)
        there = {*dir(cls), *(field.name for field in dataclasses.fields(cls))}
        told = re.findall(r"`(\w+)(?:\(\))?`", re.sub(r"\([^()]*`[^()]*\)", "", text))
        assert told
        assert [each for each in told if each not in there] == []


def test_published_schema_is_current() -> None:
    assert json.loads((DOCS / "model.schema.json").read_text()) == json_schema()


@pytest.mark.parametrize("page", [page for page in PAGES if page.stem != "README"], ids=lambda page: page.stem)
def test_options_on_the_page_are_the_constructors(page: Path) -> None:
    text = "".join(each.read_text() for each in (page, *page.with_suffix("").glob("*.md")))
    rows = re.findall(r"^\| (`[^|]*`) \| [^|]* \| ", text, re.M)
    documented = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    every = "[what every binner takes](manual.md)" in page.read_text()
    inherited = set(inspect.signature(Binner).parameters) if every else set()
    listings = [*registry().listings(), *registry().listings("selector")]
    classes = [listing.component.load() for listing in listings if listing.plugin == page.stem]
    parameters = {name for cls in classes for name in inspect.signature(cls).parameters}
    assert documented | inherited == parameters | inherited


def test_links_lead_somewhere() -> None:
    for page in [*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_glossary_says_each_word_once_and_names_what_is_public() -> None:
    page = (DOCS / "glossary.md").read_text()
    cells = [cell for cell in re.findall(r"^\| ([^|]+) \|", page, re.M) if cell not in ("word", "---")]
    words = [word for cell in cells for word in cell.split(", ")]
    assert len(words) == len(set(words)) > 60
    for room, name in re.findall(r"`(scrutable[\w.]*)\.(\w+)`", page):
        assert name in importlib.import_module(room).__all__


def test_the_readme_example_prints_what_the_readme_says(capsys: pytest.CaptureFixture[str]) -> None:
    readme = (ROOT / "README.md").read_text()
    [code] = re.findall(r"```python\n(.*?)```", readme, re.S)
    [output] = re.findall(r"```text\n(.*?)```", readme, re.S)
    assert len([line for line in code.splitlines() if line.strip()]) <= 15
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out == output


def test_the_readme_names_the_commands_that_ci_runs() -> None:
    readme, makefile = (ROOT / "README.md").read_text(), (ROOT / "Makefile").read_text()
    assert "make test" in (ROOT / ".ci" / "run").read_text()
    for command in re.findall(r"(?:`|^    )make (\w+)", readme, re.M):
        assert re.search(rf"^{command}:", makefile, re.M), command


def test_the_readmes_rooms_exist() -> None:
    for row in re.findall(r"^\| [^|]+ \| (`[^|]+) \|$", (ROOT / "README.md").read_text(), re.M):
        for name in re.findall(r"`([^`<]+)`", row):
            homes = [ROOT / name, ROOT / "core" / "scrutable" / name]
            assert any(home.exists() for home in homes), name


def test_the_readmes_command_lines_work(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    data = make_credit(1500, seed=2)
    frame = data.frame.assign(paid=data.y.map({0: "yes", 1: "no"})).drop(columns=["default", "group"])
    frame.to_csv(tmp_path / "loans.csv", index=False)
    frame.drop(columns=["paid"]).to_csv(tmp_path / "new.csv", index=False)
    readme = (ROOT / "README.md").read_text().replace("\\\n", "")
    lines = re.findall(r"^    scrutable (.*)$", readme, re.M)
    assert len(lines) == 14
    for line in lines:
        arguments, _, target = line.partition(" > ")
        done = run(*arguments.split())
        assert done.exit_code == 0, done.output
        if target:
            (tmp_path / target.strip()).write_text(done.stdout)
    assert "CASE" in (tmp_path / "score.sql").read_text()
    assert "Equal Credit Opportunity Act" in next((tmp_path / "notices").glob("notice-*.html")).read_text()
    assert "<script" in (tmp_path / "report.html").read_text()
    learners = {"model.json": "AdditiveClassifier"}
    for model in ("model.json", "bounded.json", "search/model.json"):
        assert load(tmp_path / model).provenance.learner == learners.get(model, "LDAXGB1Classifier")


@pytest.mark.parametrize("page", ["scorecard", "selection"])
def test_the_command_lines_of_a_card_by_regression_work(
    page: str, run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    data = make_credit(600, seed=2)
    data.X.assign(paid=data.y.map({0: "yes", 1: "no"})).to_csv(tmp_path / "loans.csv", index=False)
    lines = re.findall(r"^    scrutable (.*)$", (DOCS / "plugins" / f"{page}.md").read_text(), re.M)
    lines = [line for line in lines if "lgd" not in line]
    assert len(lines) == 3
    for line in lines:
        done = run(*shlex.split(line))
        assert done.exit_code == 0, f"{line}: {done.output}"


@pytest.mark.parametrize(
    ("page", "count", "learner"), [("scorecard", 6, "ScorecardRegressor"), ("additive", 2, "AdditiveRegressor")]
)
def test_the_command_lines_of_regression_scorecards_work(
    page: str, count: int, learner: str, run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    data = make_credit(600, seed=2)
    data.X.assign(lgd=0.3 + 0.4 * data.y).to_csv(tmp_path / "losses.csv", index=False)
    lines = re.findall(r"^    scrutable (.*lgd.*)$", (DOCS / "plugins" / f"{page}.md").read_text(), re.M)
    assert len(lines) == count
    for line in lines:
        done = run(*shlex.split(line))
        assert done.exit_code == 0, done.output
    assert load(tmp_path / "lgd.json").provenance.learner == learner


def test_the_config_of_the_docs_works_and_is_what_the_command_saves(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    [config] = re.findall(r"```toml\n(.*?)```", (DOCS / "commands.md").read_text(), re.S)
    (tmp_path / "run.toml").write_text(config)
    data = make_credit(1500, seed=2)
    frame = data.frame.assign(paid=data.y.map({0: "yes", 1: "no"})).drop(columns=["default", "group"])
    frame.to_csv(tmp_path / "loans.csv", index=False)
    done = run("fit", "run.toml", "--save-config", "again.toml")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "again.toml").read_text() == config


@pytest.mark.filterwarnings("ignore:drafts, not to be sent")  # the examples' model has no texts
@pytest.mark.parametrize(
    "page",
    [
        *(DOCS / f"{name}.md" for name in ("model", "program", "disparity", "exports", "data", "sample")),
        *PAGES,
        *DOCS.glob("plugins/*/*.md"),
    ],
    ids=lambda page: page.stem,
)
def test_examples_of_the_docs_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if page.stem == "README":  # a plugin in files of its own, tested above
        return
    data = make_credit(1500, seed=2)
    learner = create("learner", "scorecard", binner="quantile", favourable=0).fit(data.X, data.y)
    dump(learner.model_, tmp_path / "model.json")
    monkeypatch.chdir(tmp_path)
    module = ModuleType(f"page_{page.stem}")
    monkeypatch.setitem(sys.modules, module.__name__, module)  # where annotations look for their names
    vars(module).update({"X": data.X, "y": data.y, "protected": data.sensitive_features, "applicants": data.X})
    for code, output in re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", page.read_text(), re.S):
        capsys.readouterr()
        exec(compile(code, page.name, "exec"), vars(module))
        assert output in ("", capsys.readouterr().out)


def test_the_picture_shows_what_the_demo_prints_today(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "scrutable.cli", "demo", "--output", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    published, now = (
        re.sub(r"[\d.]+|rich-\w+|terminal-\w+", "", (folder / "demo.svg").read_text()) for folder in (DOCS, tmp_path)
    )
    assert published == now
