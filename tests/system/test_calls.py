"""docs/commands.md names the call of each command, and the calls are there."""

from __future__ import annotations

import dataclasses
import inspect
import pkgutil
import re
import typing
from pathlib import Path

import pytest

from scrutable.plugins.registry import registry

PAGE = (Path(__file__).parents[2] / "docs" / "commands.md").read_text()
SECTION = PAGE.partition("## Each command is a call\n")[2].partition("\n## ")[0]
#: Path and result of each call, by its command.
CALLS = {
    name: (path, result)
    for name, path, result in re.findall(r"^\| `scrutable ([\w ]+)` \| `([\w.]+)` \| `(\w+)`: .* \|$", SECTION, re.M)
}
#: Commands of the shell alone: they show a model or one text, write a plugin, or look at what is installed.
SHELL = {"show", "new", "plugins list", "plugins show", "plugins check", "plugins doctor", "plugins catalogue"}
SHELL |= {"archive head", "archive table"}


def test_each_command_has_a_call() -> None:
    every = [offer.descriptor for offer in registry().commands()]
    groups = {command.group for command in every}
    names = {f"{command.group} {command.name}".strip() for command in every if command.name not in groups}
    assert CALLS.keys() | SHELL == names
    assert not CALLS.keys() & SHELL


@pytest.mark.parametrize("command", CALLS)
def test_a_call_gives_what_the_table_says(command: str) -> None:
    path, name = CALLS[command]
    call = pkgutil.resolve_name(path)
    result = typing.get_type_hints(call)["return"]
    if result is typing.Self:
        result = pkgutil.resolve_name(path.rpartition(".")[0])
    assert result.__name__ == name
    assert dataclasses.is_dataclass(result)
    assert {"to_dict", "frame", "__repr__"} <= {each for each, _ in inspect.getmembers(result, inspect.isfunction)}
    assert "Examples\n" in (inspect.getdoc(call) or "")
