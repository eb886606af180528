"""The examples of third-party plugins install beside Scrutable, pass their own tests, and use public names only."""

from __future__ import annotations

import ast
import json
import os
import re
import site
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrutable import create
from scrutable.datasets import load_german_credit

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
PROJECTS = {path.name: path for path in sorted(EXAMPLES.iterdir()) if (path / "pyproject.toml").is_file()}
COMPONENTS = {"scrutable-interchange": {"pmml", "sas"}, "scrutable-risk-score": {"risk-score"}}
#: What plugins may import of Scrutable; tests of plugins also what checks, certifies and loads data.
PUBLIC = {"bases", "binning", "component", "errors", "hookspecs", "model", "registry", "training"}
FOR_TESTS = PUBLIC | {"certificate", "datasets", "testing"}
#: The command `scrutable`, whose script is in the environment of this process only.
SHELL = ("-c", "from scrutable.cli import main; main()")


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment that sees what is installed here, with both examples installed into it."""
    home = tmp_path_factory.mktemp("examples") / "venv"
    _run(sys.executable, "-m", "venv", str(home))
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


def test_their_components_are_listed(environment: Path) -> None:
    told = json.loads(_run(str(environment / "python"), *SHELL, "plugins", "list", "--json"))
    listed = json.dumps(told)
    for project, names in COMPONENTS.items():
        assert f'"{project}"' in listed
        assert all(f'"{name}"' in listed for name in names)


@pytest.mark.parametrize("project", PROJECTS)
def test_their_own_tests_pass(environment: Path, project: str) -> None:
    told = _run(
        str(environment / "python"), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rs", folder=PROJECTS[project]
    )
    assert re.search(r"\d\d passed", told), told


@pytest.mark.parametrize("path", [path for each in PROJECTS.values() for path in each.rglob("*.py")], ids=str)
def test_they_import_public_names_only(path: Path) -> None:
    in_package = "src" in path.relative_to(EXAMPLES).parts
    for module, name in _imported(ast.parse(path.read_text())):
        parts = module.split(".")
        if parts[0] != "scrutable":
            assert not parts[0].startswith("scrutable_") or parts[0] == _package(path), f"{module} is another plugin's"
            continue
        assert not any(part.startswith("_") for part in (*parts, name)), f"{module}.{name} is private"
        if in_package:
            assert len(parts) > 1, f"{module}.{name} is no module for plugins"
            assert parts[1] in PUBLIC, f"{module}.{name} is no module for plugins"
        else:
            assert parts[1:2] == [] or parts[1] in FOR_TESTS, f"{module}.{name} is no module for tests of plugins"


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


def _imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Each imported module, and the name taken from it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)


def _package(path: Path) -> str:
    return path.relative_to(EXAMPLES).parts[0].replace("-", "_")


def _run(*command: str, folder: Path | None = None) -> str:
    """What a command prints; it must succeed."""
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout
