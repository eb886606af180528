"""Commands on a machine that lacks what pip cannot bring: they name the library and the command that installs it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scrutable.cli import guard
from scrutable.plugins import machine
from scrutable.plugins.registry import Registry
from scrutable.testing import diagnosis
from scrutable_documents.common import pdf

Run = Callable[..., Any]

MESSAGES = {
    "lightgbm": "libgomp.so.1: cannot open shared object file: No such file or directory",
    "xgboost": "libgomp.so.1: cannot open shared object file: No such file or directory",
    "weasyprint": "cannot load library 'libgobject-2.0-0': libgobject-2.0-0: cannot open shared object file",
}
#: Modules that import one of these, and must do so again.
IMPORTERS = ("scrutable_fairgbm.lightgbm_backend", "scrutable_fairgbm.xgboost_backend", "scrutable_lda_xgb1.")


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """The packages are installed, and their import ends as the loader ends it where the machine lacks their library."""
    for name, message in MESSAGES.items():
        (tmp_path / name / "text").mkdir(parents=True)
        (tmp_path / name / "text" / "__init__.py").touch()
        (tmp_path / name / "text" / "fonts.py").write_text("from .. import anything")
        code = f"from . import text\nprint('advice of its own')\nraise OSError({message!r})\n"
        (tmp_path / name / "__init__.py").write_text(code)
    there = {name: module for name, module in sys.modules.items() if name.startswith((*MESSAGES, *IMPORTERS))}
    for name in there:
        del sys.modules[name]
    pdf._library.cache_clear()
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for name in [name for name in sys.modules if name.startswith((*MESSAGES, *IMPORTERS))]:
        del sys.modules[name]
    sys.modules.update(there)


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize(
    ("options", "where"),
    [
        (["--learner", "fairgbm"], "backend 'lightgbm'"),
        (["--learner", "fairgbm", "--option", "backend=xgboost"], "backend 'xgboost'"),
    ],
)
def test_fit_names_the_library_that_is_missing(
    run: Run, loans: Path, fit_options: list[str], tmp_path: Path, options: list[str], where: str
) -> None:
    roles = fit_options[: fit_options.index("--id")]
    result = run("fit", loans, *roles, "--id", "loan", *options, "-o", tmp_path / "m.json")
    assert result.exit_code == 2, result.output
    assert _told(result.stderr) == (
        f"Error: a library of the machine is missing, which pip cannot bring where: {where} got: 'libgomp.so.1' "
        "fix: install it, on Debian or Ubuntu: apt-get install libgomp1"
    )


@pytest.mark.parametrize("engine", ["duckdb", "onnxruntime"])
def test_verify_names_the_library_that_is_missing(
    run: Run, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    """It said that the engine was not installed, and to install it."""
    message = "libgomp.so.1: cannot open shared object file: No such file or directory"
    (tmp_path / f"{engine}.py").write_text(f"raise ImportError({message!r})\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, engine, raising=False)
    result = run("verify", model, "--engine", engine, "--rows", 20)
    assert result.exit_code == 2, result.output
    assert _told(result.stderr) == (
        "Error: a library of the machine is missing, which pip cannot bring got: 'libgomp.so.1' "
        "fix: install it, on Debian or Ubuntu: apt-get install libgomp1"
    )


@pytest.mark.usefixtures("bare")
def test_a_report_is_refused_as_pdf_and_made_as_html(run: Run, model: Path, tmp_path: Path) -> None:
    for _ in range(2):  # what a failed import leaves behind changes nothing
        refused = run("report", model, "-o", tmp_path / "model.pdf")
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert _told(refused.stderr) == (
            "Error: a library of the machine is missing, which pip cannot bring where: PDF got: 'libgobject-2.0-0' "
            "fix: install it, on Debian or Ubuntu: apt-get install libpangoft2-1.0-0 libharfbuzz-subset0"
        )
    assert not (tmp_path / "model.pdf").exists()
    made = run("report", model, "-o", tmp_path / "model.html")
    assert made.exit_code == 0, made.output


def test_an_error_that_a_plugin_lets_through_is_recognised(capsys: pytest.CaptureFixture[str]) -> None:
    error = OSError("libnew.so.3: cannot open shared object file: No such file or directory")
    assert guard._report(error) == guard.BAD_INPUT
    told = _told(capsys.readouterr().err)
    assert told.endswith("pip cannot bring got: 'libnew.so.3' fix: install the package of your system with it")


def test_the_doctor_remarks_on_libraries_of_what_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_is_here", lambda library: library != "libgomp.so.1")
    (found,) = diagnosis._missing_on_the_machine({"lightgbm", "weasyprint"})
    assert (found.severity, found.where) == ("remark", "distribution 'lightgbm'")
    assert (found.reason, found.fix) == (
        "the machine lacks libgomp.so.1",
        "on Debian or Ubuntu: apt-get install libgomp1",
    )
    assert diagnosis.diagnose(Registry([]), []) == []


def _told(text: str) -> str:
    """A message on one line."""
    return " ".join(text.split())
