"""How commands start: what they load, values that are taken as they are typed, and help drawn as Typer draws it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer import rich_utils
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command
from typer.testing import CliRunner

from scrutable.cli import help_page
from scrutable.cli.app import app
from scrutable.cli.plain_values import PlainCommand
from scrutable.model import dump
from scrutable.testing.contract.examples.models import models_named

#: What no command loads that ends well: for tracebacks and Markdown, for checks of values, for what only errors need.
NEVER = {"rich.traceback", "rich.markdown", "pygments", "attr", "pydantic", "packaging", "tomllib", "ctypes", "secrets"}
NUMERIC = {"numpy", "pandas", "pyarrow", "narwhals", "sklearn", "scipy"}
ROWS = "amount,job,age,region\n5,cook,41,1\n"


def loaded(*arguments: str) -> set[str]:
    code = (
        f"import sys\nfrom scrutable.cli import main\nsys.argv = ['scrutable', *{arguments}]\n"
        "try:\n    main()\nfinally:\n    print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


@pytest.mark.parametrize("arguments", ["--help", "plugins --help", "strategy --help", "--version", "plugins list"])
def test_help_and_lists_load_neither_numbers_nor_what_draws_tracebacks(arguments: str) -> None:
    assert loaded(*arguments.split()) & (NEVER | NUMERIC) == set()


@pytest.mark.parametrize("arguments", [["score"], ["explain", "--row", "1"], ["show"]])
def test_commands_load_nothing_that_checks_values_or_draws_tracebacks(arguments: list[str], tmp_path: Path) -> None:
    command, *options = arguments
    model, rows = tmp_path / "model.json", tmp_path / "rows.csv"
    dump(models_named()["scorecard"], model)
    rows.write_text(ROWS)
    given = [model] if command == "show" else [model, rows]
    numeric = {"ctypes", "secrets"}  # which NumPy and Arrow load
    assert loaded(command, *map(str, given), *options) & (NEVER - numeric) == set()


def test_a_small_plain_file_is_scored_without_libraries_of_frames(tmp_path: Path) -> None:
    model, rows, scores = tmp_path / "model.json", tmp_path / "rows.csv", tmp_path / "scores.csv"
    dump(models_named()["scorecard"], model)
    rows.write_text(ROWS)
    assert loaded("score", str(model), str(rows), "-o", str(scores)) & (NUMERIC - {"numpy"}) == set()
    assert scores.read_text().startswith("score,probability,approved,knock_out\n")


@pytest.mark.parametrize("row", [[], ["--row", "1"]])
def test_a_small_plain_file_is_explained_without_libraries_of_frames(row: list[str], tmp_path: Path) -> None:
    model, rows = tmp_path / "model.json", tmp_path / "rows.csv"
    dump(models_named()["scorecard"], model)
    rows.write_text(ROWS)
    assert loaded("explain", str(model), str(rows), *row) & (NUMERIC - {"numpy"}) == set()


@pytest.mark.parametrize("arguments", [["--help"], ["plugins", "list"], ["score", "MODEL", "ROWS"]])
def test_entry_points_are_read_once(arguments: list[str], tmp_path: Path) -> None:
    model, rows = tmp_path / "model.json", tmp_path / "rows.csv"
    dump(models_named()["scorecard"], model)
    rows.write_text(ROWS)
    given = [{"MODEL": str(model), "ROWS": str(rows)}.get(each, each) for each in arguments]
    code = (
        "import sys\nfrom importlib import metadata\nread, times = metadata.entry_points, []\n"
        "metadata.entry_points = lambda **asked: times.append(asked) or read(**asked)\n"
        f"from scrutable.cli import main\nsys.argv = ['scrutable', *{given}]\n"
        "try:\n    main()\nfinally:\n    print(len(times), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.split()[-1] == "1"


def every_kind(
    path: Annotated[Path, typer.Argument()],
    there: Annotated[Path | None, typer.Option(exists=True)] = None,
    folder: Annotated[Path | None, typer.Option(file_okay=False)] = None,
    text: Annotated[str, typer.Option()] = "no",
    texts: Annotated[list[str] | None, typer.Option()] = None,
    whole: Annotated[int, typer.Option(min=0, max=9)] = 1,
    wholes: Annotated[list[int] | None, typer.Option()] = None,
    number: Annotated[float, typer.Option(max=1)] = 0.5,
    parsed: Annotated[str | None, typer.Option(parser=str.upper)] = None,
    flag: Annotated[bool, typer.Option()] = False,
) -> None:
    print(path, there, folder, text, texts, whole, wholes, number, parsed, flag)


def answer(command: type[TyperCommand], arguments: list[str]) -> tuple[int, str, str]:
    made = typer.Typer(add_completion=False)
    made.command(cls=command)(every_kind)
    done = CliRunner().invoke(made, arguments, env={"COLUMNS": "100"})
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        "{here}/file",
        "{here}/gone --text yes --texts a --texts b --wholes 7 --wholes 08 --whole 9 --number 1 --flag",
        "{here}/file --there {here}/file --folder {here} --parsed up",
        "{here}/file --there {here}/gone",
        "{here}/file --folder {here}/file",
        "{here}/file --whole 10",
        "{here}/file --whole -1",
        "{here}/file --whole 1.0",
        "{here}/file --whole one",
        "{here}/file --wholes 1 --wholes x",
        "{here}/file --number 2",
        "{here}/file --number nan",
        "{here}/file --whole 99999999999999999999",
        "",
    ],
)
def test_plain_values_are_those_that_typer_checks(arguments: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    words = arguments.format(here=tmp_path).split()
    assert answer(PlainCommand, words) == answer(TyperCommand, words)


def context_of(words: str) -> Any:
    command = get_command(app)
    context = command.make_context("scrutable", [], resilient_parsing=True)
    if not words:
        return context
    group: Any = command
    return group.get_command(context, words).make_context(words, [], parent=context, resilient_parsing=True)


def drawn(draw: Callable[[Any, Any], None], context: Any, capsys: pytest.CaptureFixture[str]) -> str:
    draw(context.command, context)
    return capsys.readouterr().out


@pytest.mark.parametrize("colours", [False, True])
@pytest.mark.parametrize("width", ["40", "80", "200"])
@pytest.mark.parametrize("words", ["", "plugins", "strategy"])
def test_groups_are_drawn_as_typer_draws_them(
    words: str, width: str, colours: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(rich_utils, "FORCE_TERMINAL", colours or None)
    for name in ("GITHUB_ACTIONS", "FORCE_COLOR", "PY_COLORS", "TERMINAL_WIDTH"):
        monkeypatch.delenv(name, raising=False)
    if colours:
        monkeypatch.setenv("FORCE_COLOR", "1")
    context = context_of(words)
    assert help_page.is_drawn(context.command, context)
    ours = drawn(help_page.draw, context, capsys)
    typers = drawn(lambda group, of: TyperGroup.format_help(group, of, of.make_formatter()), context, capsys)
    assert ours == typers
    assert ("\x1b[" in ours) == colours


def test_a_group_with_options_that_take_values_is_left_to_typer() -> None:
    made = typer.Typer(rich_markup_mode="rich")

    @made.callback(invoke_without_command=True)
    def group(depth: Annotated[int, typer.Option(help="How deep.")] = 3) -> None: ...

    command = get_command(made)
    assert not help_page.is_drawn(command, command.make_context("tool", [], resilient_parsing=True))


def test_a_command_that_used_duckdb_ends_without_reports_of_leaks() -> None:
    pytest.importorskip("duckdb")
    code = "import duckdb, sys\nfrom scrutable.cli import main\nsys.argv = ['scrutable', '--version']\nmain()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
