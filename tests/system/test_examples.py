"""The examples of third-party plugins install beside Scrutable, pass their own tests, and are fit to be listed."""

from __future__ import annotations

import json
import os
import re
import site
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from structure import lines_of_code

import scrutable
from scrutable import create
from scrutable.data.datasets import load_german_credit

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
PROJECTS = {path.name: path for path in sorted(EXAMPLES.iterdir()) if (path / "pyproject.toml").is_file()}
COMPONENTS = {
    "scrutable-house-rules": {"priced-errors"},
    "scrutable-interchange": {"pmml", "sas"},
    "scrutable-mlflow": set(),
    "scrutable-perl": {"perl"},
    "scrutable-risk-score": {"risk-score"},
    "scrutable-service": set(),
}
EVERY_RUN = ("scrutable-house-rules", "scrutable-mlflow", "scrutable-perl", "scrutable-service")
#: What examples stand on that is not installed everywhere, by project.
NEEDS = {"scrutable-mlflow": ("mlflow",), "scrutable-service": ("fastapi", "httpx", "uvicorn")}
#: The command `scrutable`, whose script is in the environment of this process only.
SHELL = ("-c", "from scrutable.cli import main; main()")


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment that sees what is installed here, pip among it, with the examples installed into it."""
    home = tmp_path_factory.mktemp("examples") / "venv"
    _run(sys.executable, "-m", "venv", "--without-pip", str(home))
    [packages] = home.glob("lib/python*/site-packages")
    seen = "; ".join(f"site.addsitedir({folder!r})" for folder in site.getsitepackages())
    (packages / "host.pth").write_text(f"import site; {seen}\n")
    install = ("-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index")
    _run(str(home / "bin" / "python"), *install, *map(str, PROJECTS.values()))
    return home / "bin"


def test_the_examples_are_these() -> None:
    assert set(PROJECTS) == set(COMPONENTS)
    for project in PROJECTS.values():
        assert (project / "LICENSE").read_text() == (EXAMPLES.parents[1] / "LICENSE").read_text()


@pytest.mark.parametrize("project", PROJECTS)
def test_their_metadata_are_those_that_the_catalogue_asks_for(project: str) -> None:
    """docs/plugins/listing.md: licence, version, who keeps it, what it requires, and tests by the suites."""
    home = PROJECTS[project]
    told = tomllib.loads((home / "pyproject.toml").read_text())["project"]
    assert told["name"] == project
    assert told["license"] == "BSD-3-Clause"
    assert told["license-files"] == ["LICENSE"]
    assert told["version"]
    assert all(each["name"] for each in [*told.get("maintainers", ()), *told["authors"]])
    [needed] = [each for each in map(Requirement, told["dependencies"]) if each.name == "scrutable"]
    assert {each.operator + each.version for each in needed.specifier} == {">=0.1", "<1"}
    assert needed.specifier.contains(scrutable.__version__)
    tests = "".join(path.read_text() for path in (home / "tests").glob("test_*.py"))
    assert set(re.findall(r'^    component = "([\w-]+)"$', tests, re.M)) == COMPONENTS[project]


def test_the_exporter_of_every_kind_of_model_is_short() -> None:
    """Whoever renders programs writes little."""
    sources = (PROJECTS["scrutable-perl"] / "src").rglob("*.py")
    assert sum(lines_of_code(path.read_text()) for path in sources) <= 200


def test_their_components_are_listed_with_what_they_follow(environment: Path) -> None:
    told = json.loads(_run(str(environment / "python"), *SHELL, "plugins", "list", "--json"))
    for project, names in COMPONENTS.items():
        theirs = [each for each in told["components"] if each["distribution"] == project]
        assert {each["name"] for each in theirs} == names
        assert all(each["reference"] for each in theirs)


@pytest.mark.parametrize(
    "project",  # what adds to everything, and what renders every node, in every run, the others in `make test-deep`
    [pytest.param(name, marks=() if name in EVERY_RUN else pytest.mark.deep) for name in PROJECTS],
)
def test_their_own_tests_pass(environment: Path, project: str) -> None:
    for module in NEEDS.get(project, ()):
        pytest.importorskip(module, reason=f"{module} is not installed (make engines)")
    told = _run(
        str(environment / "python"), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rs", folder=PROJECTS[project]
    )
    assert re.search(r"\d\d passed", told), told


@pytest.mark.deep
def test_the_figures_of_the_readme_are_those_of_the_command(environment: Path) -> None:
    readme = (PROJECTS["scrutable-risk-score"] / "README.md").read_text()
    told = _run(str(environment / "python"), "compare.py", folder=PROJECTS["scrutable-risk-score"])
    lines = [re.split(r"\s{2,}|(?<=\d) +(?=\d)", line.strip()) for line in told.splitlines()[1:]]
    assert len(lines) == 4
    for title, *figures in lines:
        [row] = re.findall(rf"^\| {re.escape(title)} \| (.*) \|$", readme, re.M)
        assert [float(figure) for figure in figures] == pytest.approx([*map(float, row.split(" | "))], abs=2e-3)


def test_the_example_of_the_readme_runs(environment: Path) -> None:
    readme = (PROJECTS["scrutable-risk-score"] / "README.md").read_text()
    [code] = re.findall(r"```python\n(.*?)```", readme, re.S)
    assert "checking_status" in _run(str(environment / "python"), "-c", code)


def test_commands_of_the_readme_run(environment: Path, tmp_path: Path) -> None:
    from scrutable import dump

    german = load_german_credit()
    dump(create("learner", "scorecard", binner="quantile").fit(german.X, german.y).model_, tmp_path / "model.json")
    readme = (PROJECTS["scrutable-interchange"] / "README.md").read_text()
    commands = re.findall(r"^    scrutable (export .*)$", readme, re.M)
    assert len(commands) == 2
    for command in commands:
        _run(str(environment / "python"), *SHELL, *command.split(), folder=tmp_path)
    assert {path.suffix for path in (tmp_path / "proof").iterdir()} == {".pmml", ".sas"}


def test_a_command_of_theirs_is_one_of_scrutable(environment: Path, tmp_path: Path) -> None:
    readme = (PROJECTS["scrutable-risk-score"] / "README.md").read_text()
    [command] = re.findall(r"^    scrutable (risk-card .*)$", readme, re.M)
    fit = "create('learner', 'risk-score').fit(german.X, german.y).model_"
    imports = "from scrutable import create, dump\nfrom scrutable.data.datasets import load_german_credit\n"
    code = f"{imports}german = load_german_credit()\ndump({fit}, 'model.json')"
    _run(str(environment / "python"), "-c", code, folder=tmp_path)
    assert "checking_status" in _run(str(environment / "python"), *SHELL, *command.split(), folder=tmp_path)
    assert "risk-card" in _run(str(environment / "python"), *SHELL, "--help")


def test_what_the_house_adds_is_taken_by_commands_of_ours(environment: Path, tmp_path: Path) -> None:
    """An importer, a dialect and a command of a third party, by the commands of its readme."""
    income = {"from": [None, 1500], "points": [10, 45], "missing": 15}
    card = {"format": "house-card", "base": 400, "cutoff": 430, "characteristics": {"income": income}}
    (tmp_path / "card.json").write_text(json.dumps(card))
    readme = (PROJECTS["scrutable-house-rules"] / "README.md").read_text()
    commands = re.findall(r"^    scrutable (.*)$", readme, re.M)
    assert [command.split()[0] for command in commands] == ["import", "score-range", "export"]
    told = [_run(str(environment / "python"), *SHELL, *command.split(), folder=tmp_path) for command in commands]
    assert "1/2 for everybody, as the file tells none" in " ".join(told[0].split())
    assert "410 to 445, approved from 430" in told[1]
    assert "libSQL" in (tmp_path / "score.sql").read_text()
    listed = json.loads(_run(str(environment / "python"), *SHELL, "plugins", "list", "--json"))["additions"]
    theirs = {(each["kind"], each["name"]) for each in listed if each["distribution"] == "scrutable-house-rules"}
    assert theirs == {("importer", "house-card"), ("dialect", "libsql")}


def _run(*command: str, folder: Path | None = None) -> str:
    """What a command prints; it must succeed."""
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout
