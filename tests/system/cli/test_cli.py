"""What holds for every command: help, version, errors on one screen, exit codes, colour."""

from __future__ import annotations

import io
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.text import Text

from scrutable import __version__
from scrutable.cli import output
from scrutable.cli.commands.plugins import listing
from scrutable.cli.terminal import Terminal
from scrutable.errors import InputError
from scrutable.writing.visible_text import visible

COMMANDS = ("demo", "explain", "export", "fit", "new", "plugins", "score")


def test_alone_it_shows_its_commands(run: Callable[..., Any]) -> None:
    result = run()
    assert result.exit_code == 0
    assert [name for name in COMMANDS if name not in result.stdout] == []
    assert "Exit codes" in result.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_with_an_example(run: Callable[..., Any], command: str) -> None:
    result = run(command, "--help", COLUMNS="200")
    assert result.exit_code == 0
    assert f"scrutable {command}" in result.stdout.partition("Examples:")[2]


def test_version(run: Callable[..., Any]) -> None:
    result = run("--version")
    assert (result.exit_code, result.stdout) == (0, f"scrutable {__version__}\n")


def test_wrong_usage_is_bad_input(run: Callable[..., Any]) -> None:
    result = run("fit", "loans.csv", "--tarket", "paid")
    assert result.exit_code == 2
    assert "--target" in result.stderr


def test_an_error_is_one_screen_of_plain_lines_in_a_pipe(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "loans.csv").write_text("a,b\n1,2\n")
    result = run("fit", tmp_path / "loan.csv", "--target", "a", "-o", tmp_path / "model.json")
    assert (result.exit_code, result.stdout) == (2, "")
    where = f"file {str(tmp_path / 'loan.csv')!r}"
    assert result.stderr.splitlines() == [
        "Error: does not exist",
        f"  where:   {where}",
        "  allowed: did you mean 'loans.csv'?",
        "  fix:     give the path of a data file",
    ]


def test_an_error_is_a_panel_on_a_terminal(run: Callable[..., Any]) -> None:
    result = run("plugins", "show", "scorecrad", FORCE_COLOR="1", COLUMNS="70")
    assert result.exit_code == 2
    assert "╭─" in result.stderr
    assert "\x1b[" in result.stderr
    assert "did you mean 'scorecard'?" in result.stderr


def test_no_color_is_respected(run: Callable[..., Any]) -> None:
    result = run("plugins", "show", "scorecrad", FORCE_COLOR="1", NO_COLOR="1")
    assert "╭─" in result.stderr
    assert "\x1b[31m" not in result.stderr
    assert "\x1b[1;31m" not in result.stderr


def test_what_nobody_foresaw_is_a_short_message(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "registry", lambda: 1 / 0)
    result = run("plugins")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "ZeroDivisionError in test_cli.py, line" in result.stderr
    assert "scrutable --debug" in result.stderr
    assert "Traceback" not in result.stderr


def test_debug_shows_the_traceback(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "registry", lambda: 1 / 0)
    result = run("--debug", "plugins")
    assert result.exit_code == 1
    assert isinstance(result.exception, ZeroDivisionError)


def test_the_installed_command_ends_with_the_exit_code() -> None:
    command = Path(sys.executable).with_name("scrutable")
    done = subprocess.run([command, "score", "no.json", "no.csv"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: cannot be read\n  where:   file 'no.json'")


# With -B, or a limited process would leave half a file of compiled code to those that come after it.
SCRUTABLE = f"env -u PYTHONUNBUFFERED {shlex.quote(sys.executable)} -B -m scrutable.cli"
UNBUFFERED = f"{shlex.quote(sys.executable)} -Bu -m scrutable.cli"
#: Where output goes that cannot take all of it.
CUT, FULL = "> {}/cut", "> /dev/full"


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """A line of a shell, which fails where any part of a pipe does."""
    return subprocess.run(["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("command", "arguments", "limited"),
    [  # any two of them meet
        pytest.param(SCRUTABLE, "plugins --json", CUT, id="buffered-json-limit"),
        pytest.param(SCRUTABLE, "plugins", FULL, id="buffered-table-full"),
        pytest.param(SCRUTABLE, "--help", CUT, id="buffered-help-limit"),
        pytest.param(UNBUFFERED, "plugins --json", FULL, id="unbuffered-json-full"),
        pytest.param(UNBUFFERED, "plugins", CUT, id="unbuffered-table-limit"),
        pytest.param(UNBUFFERED, "--help", FULL, id="unbuffered-help-full"),
    ],
)
def test_output_that_cannot_be_written_whole_is_an_error(
    tmp_path: Path, command: str, arguments: str, limited: str
) -> None:
    done = shell(f"ulimit -f 1; {command} {arguments} {limited.format(tmp_path)}")
    assert done.returncode == 2
    assert done.stderr.startswith("Error: cannot be read or written\n  where:   standard output\n  got:")
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


def test_data_for_a_closed_output_are_an_error() -> None:
    done = shell(f"{SCRUTABLE} plugins --json >&-")
    assert (done.returncode, done.stderr.splitlines()[0]) == (
        2,
        "Error: is closed, and what was asked for would be lost",
    )


def test_a_folder_that_a_failed_command_made_goes_again(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "loans.csv").write_text("paid,age\nyes,1\nno,2\n")
    for folder in ("new", "there"):
        (tmp_path / "there").mkdir(exist_ok=True)
        arguments = ["--target", "paid", "--protected", "sex", "-o", tmp_path / folder]
        assert run("search", tmp_path / "loans.csv", *arguments).exit_code == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["loans.csv", "there"]


@pytest.mark.parametrize("command", [SCRUTABLE, UNBUFFERED], ids=["buffered", "unbuffered"])
def test_unbuffered_output_is_whole(run: Callable[..., Any], command: str) -> None:
    assert shell(f"{command} plugins --json").stdout == run("plugins", "--json").stdout


@pytest.mark.parametrize("command", [SCRUTABLE, UNBUFFERED], ids=["buffered", "unbuffered"])
def test_a_reader_that_has_enough_ends_the_command_quietly(command: str) -> None:
    done = shell(f"(sleep 1; exec {command} plugins --json) | true; echo ${{PIPESTATUS[0]}}")
    assert (done.stdout, done.stderr) == ("1\n", "")


@given(st.text(st.characters()))
@settings(deadline=None, derandomize=True)
def test_whatever_is_printed_is_a_line_that_cannot_steer_a_terminal(text: str) -> None:
    target = Terminal(file=io.StringIO(), width=10_000)
    target.print(text, output.line(("", "bold"), text), output.heading(text), sep="|", soft_wrap=True)
    target.print(Text(text), soft_wrap=True)
    said = target.file.getvalue()
    assert said.startswith(f"{'|'.join([visible(text)] * 3)}\n")
    assert visible(said, keep="\n") == said


def test_control_characters_in_data_do_not_reach_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    output.show_error(InputError("bad", got="\x1b[2J", where="column '\x1b[31m'"))
    assert "\x1b" not in capsys.readouterr().err


def test_names_of_columns_in_a_table_are_shown_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    output.console().print(output.table(["\x1b[2J", "[red]sex", "bad\nrate"], [["1", "2", "3"]], title="[i]\x1b[31m"))
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "[red]sex" in shown
    assert "[i]" in shown


def test_a_progress_display_needs_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with output.working("Waiting"):
        pass
    assert capsys.readouterr() == ("", "")
