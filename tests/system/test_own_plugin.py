"""A third party's plugin: written by `scrutable new`, installed into a fresh environment, and proven there.

The environments see the libraries of the interpreter that runs the tests, so that nothing needs the network.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

import pytest

from scrutable.plugins.component import KINDS, Component, Kind
from scrutable.plugins.registry import registry
from scrutable.testing.contract import checks_of
from scrutable.testing.scaffold import Names, new_plugin

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "plugins" / "own.md"
#: A plugin of each kind.
PLUGINS: Mapping[Kind, str] = {
    "binner": "equal-width",
    "learner": "naive-bayes-points",
    "constraint": "opportunity-ratio",
    "explainer": "weakest",
    "exporter": "csv-lines",
}
#: Import names of libraries of extras and of our own tests, which `pip install ./scrutable` does not bring.
EXTRAS = [
    "chdb",
    "docx",
    "duckdb",
    "highspy",
    "hypothesis",
    "jpmml_evaluator",
    "jpype",
    "lightgbm",
    "matplotlib",
    "numba",
    "onnx",
    "onnxruntime",
    "openpyxl",
    "optbinning",
    "pulp",
    "pymysql",
    "pyspark",
    "skl2onnx",
    "sqlalchemy",
    "sqlglot",
    "weasyprint",
    "xgboost",
    "xlsxwriter",
    "yaml",
]
#: What of the examples' applicants is as it is: they lack nothing, and 1 is their good class.
AS_MADE = ("an applicant of whom every input is missing", "favourable was not given, so")
#: Other warnings are errors.
STRICT = ("-W", "error", *(word for text in AS_MADE for word in ("-W", f"ignore:{text}:UserWarning")))
#: pip neither asks an index nor makes an environment to build in; it reads this one as its negation, hence the 0.
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def fresh_environment(folder: Path) -> dict[str, str]:
    """Environment variables under which `python` is that of a new virtual environment in the folder.

    Its pip is the one among the libraries that it sees.
    """
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    libraries = sysconfig.get_path("purelib")
    own = sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)})
    Path(own, "libraries.pth").write_text(f"import site; site.addsitedir({libraries!r})\n")
    return _variables(folder / "bin")


def nothing_but_python(folder: Path) -> dict[str, str]:
    """Environment variables of a machine whose only Python is `python3`, and on which each interpreter of a virtual
    environment sees the libraries of the one that runs the tests, behind its own; those of extras cannot be imported.
    """
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python3").symlink_to(Path(sys.executable).resolve())
    code = f"""
import site, sys
from importlib.machinery import PathFinder

if sys.prefix != sys.base_prefix:
    site.addsitedir({sysconfig.get_path("purelib")!r})
    found = PathFinder.find_spec
    PathFinder.find_spec = classmethod(
        lambda cls, name, *others: None if name.partition(".")[0] in {EXTRAS!r} else found(name, *others)
    )
"""
    (folder / "sitecustomize.py").write_text(code)
    return _variables(folder / "bin") | {"PYTHONPATH": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def run(environment: Mapping[str, str], folder: Path, *command: str) -> str:
    """What a command that must succeed prints."""
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def _variables(programs: Path) -> dict[str, str]:
    inherited = {
        key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PYTEST_", "PIP_", "VIRTUAL_"))
    }
    return inherited | OFFLINE | {"PATH": os.pathsep.join([str(programs), os.defpath]), "NO_COLOR": "1"}


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a new plugin of each kind, in folders of the kinds' names."""
    folder = tmp_path_factory.mktemp("workshop")
    for kind, name in PLUGINS.items():
        new_plugin(Names(kind, name), folder=folder / kind, author="Jane Doe")
    return folder


@pytest.fixture(scope="module")
def environment(workshop: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A fresh environment with all of them installed, as wheels."""
    found = fresh_environment(tmp_path_factory.mktemp("environment"))
    run(found, workshop, "python", "-m", "pip", "install", "-q", "--no-deps", *(f"./{kind}" for kind in KINDS))
    return found


def test_all_five_are_found_side_by_side(environment: dict[str, str], tmp_path: Path) -> None:
    found = json.loads(run(environment, tmp_path, "python", "-m", "scrutable.cli", "plugins", "list", "--json"))
    listed = {
        (each["kind"], each["name"], each["distribution"], each["version"])
        for each in found["components"]
        if each["distribution"] != "scrutable"
    }
    assert listed >= {(kind, name, f"scrutable-{name}", "0.1.0") for kind, name in PLUGINS.items()}
    assert found["failures"] == []


@pytest.mark.parametrize(
    "kind",  # the page's commands run the tests of an exporter; a learner's take long
    [pytest.param(kind, marks=pytest.mark.deep if kind in ("exporter", "learner") else ()) for kind in KINDS],
)
def test_a_new_plugin_passes_its_own_tests(kind: Kind, workshop: Path, environment: dict[str, str]) -> None:
    """Those of the contract, those that are its own, and the example of its docstring."""
    names = Names(kind, PLUGINS[kind])
    told = run(environment, workshop / kind, "python", "-m", "pytest", "-p", "no:cacheprovider", "-v", *STRICT)
    assert f"tests/test_{names.module}.py::Test{names.camel}::test_contract[it-is-found] PASSED" in told
    assert re.search(rf"^tests/test_{names.module}.py::test_\w+ PASSED", told, re.M)
    assert f"src/{names.package}/{kind}.py::{names.package}.{kind}.{names.cls} PASSED" in told
    assert not re.search("failed|xfailed|error", told.splitlines()[-1])


@pytest.mark.deep  # the page's commands check one of them, too
@pytest.mark.parametrize("kind", KINDS)
def test_a_new_plugin_passes_the_checks_of_the_command_line(
    kind: Kind, environment: dict[str, str], tmp_path: Path
) -> None:
    arguments = ("plugins", "check", PLUGINS[kind], "--json")
    [report] = json.loads(run(environment, tmp_path, "python", "-m", "scrutable.cli", *arguments))
    assert report["passed"]
    assert report["distribution"] == f"scrutable-{PLUGINS[kind]}"
    assert {outcome["status"] for outcome in report["outcomes"]} <= {"passed", "not applicable"}


@pytest.mark.parametrize("kind", KINDS)
def test_the_example_of_its_readme_runs(
    kind: Kind, workshop: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    [code] = re.findall(r"```python\n(.*?)```", (workshop / kind / "README.md").read_text(), re.S)
    assert run(environment, tmp_path, "python", *STRICT, "-c", code)


@pytest.mark.deep
def test_its_types_are_right(workshop: Path, tmp_path: Path) -> None:
    """All of them in one run, with the settings that each of them has."""
    folders = [str(workshop / kind / part) for kind in KINDS for part in ("src", "tests")]
    settings = str(workshop / "binner" / "pyproject.toml")
    command = [sys.executable, "-m", "mypy", "--config-file", settings, "--cache-dir", str(tmp_path), *folders]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_pages_commands_work_word_for_word(tmp_path: Path) -> None:
    """From `python3 -m venv` to checks that pass, in one shell, beside a checkout of Scrutable.

    Proven: the commands, in their order; that Scrutable and its command come out of the checkout into the new
    environment, that the plugin is found there, and that neither needs a library of an extra. Not proven: that pip can
    fetch the libraries that both require, and what builds them. There is no network: the environment sees the
    libraries of this interpreter from its start, so that pip finds its requirements satisfied by them, or fails.
    """
    commands = "".join(re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(), re.S | re.M)).splitlines()
    assert commands[0] == "python3 -m venv .venv"
    assert commands[-1] == "scrutable plugins check csv-table"
    work = tmp_path / "work"
    work.mkdir()
    (work / "scrutable").symlink_to(ROOT)
    environment = nothing_but_python(tmp_path / "machine")
    where = 'python -c "import scrutable; print(scrutable.__file__)"; command -v scrutable'
    told = run(environment, work, "bash", "-euo", "pipefail", "-c", "\n".join([*commands, where]))
    assert re.search(r"^\d+ passed|\d+ passed(, \d+ skipped)? in ", told, re.M), told
    assert "failed" not in told
    *_, module, command = told.splitlines()
    assert Path(module).is_relative_to(work / ".venv")
    assert Path(command) == work / ".venv" / "bin" / "scrutable"
    made = work / "scrutable-csv-table"
    files = {path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file()}
    rows = re.findall(r"^\| (`[^|]+`) \| ", PAGE.read_text().partition("## Make it yours")[0], re.M)
    named = {name for row in rows for name in re.findall("`(.*?)`", row)}
    assert named == {name for name in files if "cache" not in name} - {"src/scrutable_csv_table/py.typed"}


def test_the_pages_known_failure_is_one_of_ours() -> None:
    """The example names a check that exists for its kind, with the reason that a component of ours declares."""
    [code] = [each for each in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S) if "known_failures" in each]
    component = eval(
        compile(ast.Expression(ast.parse(code).body[-1].value), "own.md", "eval"), {"Component": Component}
    )
    assert set(component.known_failures) <= {each.name for each in checks_of(component.kind)}
    ours = [each.component for each in registry().listings(component.kind)]
    assert component.known_failures in [each.known_failures for each in ours]


def test_the_page_names_the_suites_and_every_kind() -> None:
    from scrutable.testing import suites

    page = PAGE.read_text()
    assert all(f"`{kind.capitalize()}Suite`" in page or f"({kind.capitalize()}Suite)" in page for kind in KINDS)
    assert all(hasattr(suites, f"{kind.capitalize()}Suite") for kind in KINDS)
    assert re.findall(r"^\| (\w+) \| `", page, re.M) == list(KINDS)
