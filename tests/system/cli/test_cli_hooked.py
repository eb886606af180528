"""Commands by the hook in the shell: help from descriptors alone, modules imported when commands run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from scrutable.cli.app import app
from scrutable.plugins.component import Command
from scrutable.plugins.registry import registry

LENDER = """
from scrutable.plugins.component import Command
from scrutable.plugins.hookspecs import hookimpl

def offered(name, function=None, **more):
    path = f"{CODE}:{function or name}"
    return Command(name=name, path=path, summary=f"What {name} does.", **more)

@hookimpl
def scrutable_commands():
    return [
        offered("lend"), offered("tools", order=15), offered("count", group="tools"), offered("fit", "lend"),
        offered("tell", group="strategy"), offered("odd"), offered("gone"), offered("asking"),
    ]
"""
CODE = """
import typer
from scrutable.errors import InputError

print("imported")
tools = typer.Typer(help="Tools of the lender.")
odd = 7

@tools.command("own")
def own():
    print("own")

def lend(amount: int = 1):
    print(f"lent {amount}")

def count():
    print("counted")

def tell():
    raise InputError("nothing to tell", where="tell")

def asking():
    raise KeyboardInterrupt
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a lender's distribution of commands, and another one that claims one of its names."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "lender_code.py").write_text(CODE)
    for name in ("lender", "rival"):
        commands = LENDER.replace("{CODE}", "lender_code")
        if name == "rival":
            commands = commands.rpartition("    return")[0] + '    return [offered("lend")]\n'
        (folder / f"{name}_hooks.py").write_text(commands)
        info = folder / f"{name}-2.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.0\n")
        (info / "entry_points.txt").write_text(f"[scrutable]\n{name} = {name}_hooks\n")
    return folder


def shell(site: Path | None, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scrutable.cli", *arguments]
    environ = os.environ | {"PYTHONPATH": str(site or ""), "COLUMNS": "110"} | environment
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("arguments", [["--help"], ["strategy", "--help"], ["plugins", "--help"]])
def test_help_imports_no_command(arguments: list[str]) -> None:
    code = f"import sys\nfrom scrutable.cli import main\nsys.argv = ['scrutable', *{arguments}]\n"
    code += "try:\n    main()\nfinally:\n    print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    commands = [each.split(".commands.")[1] for each in done.stderr.split() if ".commands." in each]
    assert commands == arguments[:-1]
    assert {"numpy", "pandas", "sklearn"}.isdisjoint(done.stderr.split())


def every_command(group: Any) -> Iterator[tuple[Command, Any]]:
    for listed in group.commands.values():
        yield listed.offer.descriptor, listed.command
        if hasattr(listed.command, "commands"):
            yield from every_command(listed.command)


def test_summaries_are_the_first_paragraphs_of_the_docstrings() -> None:
    told = {
        descriptor.words: (descriptor, command) for descriptor, command in every_command(typer.main.get_command(app))
    }
    assert told.keys() == {each.descriptor.words for each in registry().commands()}
    for words, (descriptor, command) in told.items():
        assert descriptor.summary == " ".join(command.help.split("\n\n")[0].split()), words


def test_commands_of_a_third_party_are_listed_and_run(site: Path) -> None:
    listed = shell(site, "--help")
    assert listed.returncode == 0
    assert "imported" not in listed.stdout + listed.stderr
    assert [line.split()[1] for line in listed.stdout.splitlines() if "What " in line] == [
        "tools", "asking", "gone", "lender:fit", "lender:lend", "odd", "rival:lend",
    ]  # fmt: skip
    done = shell(site, "lender:lend", "--amount", "3")
    assert (done.returncode, done.stdout) == (0, "imported\nlent 3\n")
    assert "--amount" in shell(site, "rival:lend", "--help").stdout
    assert shell(site, "Rival:lend").stdout == "imported\nlent 1\n"


def test_groups_hold_the_commands_of_whoever_names_them(site: Path) -> None:
    page = shell(site, "tools", "--help").stdout
    assert "Tools of the lender." in page
    assert page.index(" own ") < page.index(" count ")
    assert shell(site, "tools", "own").stdout == "imported\nown\n"
    assert shell(site, "tools", "count").stdout == "imported\ncounted\n"
    assert "What tell does." in shell(site, "strategy", "--help").stdout
    done = shell(site, "strategy", "tell")
    assert (done.returncode, done.stderr.split("\n", 1)[1]) == (2, "Error: nothing to tell\n  where:   tell\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["lend"], "claimed by plugin 'lender' of lender 2.0 and plugin 'rival' of rival 2.0"),
        (["odd"], "its path leads to no command"),
        (["gone"], "AttributeError: module 'lender_code' has no attribute 'gone'"),
        (["asking"], "the code of a plugin ended the program"),
        (["strategy", "swpa"], "No such command 'swpa'. Did you mean 'swap'?"),
        (["fitt"], "No such command 'fitt'. Did you mean 'fit'?"),
    ],
)
def test_what_does_not_run_says_why(site: Path, arguments: list[str], said: str) -> None:
    done = shell(site, *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "command 'fit' is Scrutable's own; plugin 'lender' of lender 2.0 is reached as 'lender:fit'" in done.stderr


def test_a_command_of_ours_that_is_blocked_says_so() -> None:
    done = shell(None, "report", SCRUTABLE_DISABLE="documents")
    assert done.returncode == 2
    assert "plugin 'documents' of scrutable cannot be used, which offers it: it is blocked by SCRUTABLE_DISABLE" in (
        done.stderr
    )
    assert " report " not in shell(None, "--help", SCRUTABLE_DISABLE="documents").stdout


def test_commands_are_listed_and_shown_with_their_plugins(run: Any) -> None:
    listed = run("plugins", "list")
    assert [line.split()[-2:] for line in listed.stdout.splitlines() if "strategy bands" in line] == [
        ["lifecycle", registry().commands()[0].version]
    ]
    assert "command strategy bands" in run("plugins", "show", "bands").stdout
    assert "command strategy bands" in run("plugins", "show", "strategy bands").stdout
    both = run("plugins", "show", "report").stdout
    assert both.index("exporter report") < both.index("command report")
    assert '"commands"' in run("plugins", "show", "report", "--json").stdout
    assert '"commands"' not in run("plugins", "show", "scorecard", "--json").stdout
