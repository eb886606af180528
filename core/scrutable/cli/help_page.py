"""The help of a group of commands, drawn as Typer draws it, without what Typer loads for tracebacks and Markdown."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterable
from typing import Any

from rich.align import Align
from rich.columns import Columns
from rich.console import Console, Group
from rich.highlighter import RegexHighlighter
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

_STYLES = {"option": "bold cyan", "switch": "bold green", "types": "bold yellow", "types_sep": "dim", "usage": "yellow"}


class _Words(RegexHighlighter):
    """Options and types among words."""

    highlights = (
        r"(^|\W)(?P<switch>\-\w+)(?![a-zA-Z0-9])",
        r"(^|\W)(?P<option>\-\-[\w\-]+)(?![a-zA-Z0-9])",
        r"(?P<types>\<[^\>]+\>)",
        r"(?P<usage>Usage: )",
    )


class _Brackets(RegexHighlighter):
    """What stands around a type."""

    highlights = (r"^(?P<types_sep>(\[|<))", r"(?P<types_sep>\|)", r"(?P<types_sep>(\]|>))(\.\.\.)?$")


#: What may be the name of an emoji between colons.
_EMOJI = re.compile(r":\S+:")
_words, _brackets = _Words(), _Brackets()


def is_drawn(group: Any, context: Any) -> bool:
    """Whether a group is as simple as those that are drawn here: its options are flags, and nothing has a panel."""
    flags = all(_is_simple_flag(each) for each in group.get_params(context))
    return flags and not group.deprecated and all(_is_simple(each) for each in _commands(group, context))


def draw(group: Any, context: Any) -> None:
    """Print how a group is used, what it is for, its options, its commands and its last words."""
    out = _console()
    out.print(Padding(_words(group.get_usage(context)), 1), style="bold")
    if group.help:
        out.print(Padding(Align(Group(*_about(group.help)), pad=False), (0, 1, 1, 1)))
    _print_panel(out, "Options", _options([each for each in group.get_params(context) if not each.hidden]))
    commands = _commands(group, context)
    if commands:
        _print_panel(out, "Commands", _summaries(commands))
    if group.epilog:
        out.print(Padding(Align(_marked_up(group.epilog), pad=False), 1))


def _console() -> Console:
    forced = any(map(os.environ.get, ("GITHUB_ACTIONS", "FORCE_COLOR", "PY_COLORS")))
    width = os.environ.get("TERMINAL_WIDTH")
    return Console(
        theme=Theme(_STYLES),
        highlighter=_words,
        force_terminal=False if os.environ.get("_TYPER_FORCE_DISABLE_TERMINAL") else forced or None,
        width=int(width) if width else None,
    )


def _commands(group: Any, context: Any) -> list[Any]:
    named = (group.get_command(context, name) for name in group.list_commands(context))
    return [each for each in named if each is not None and not each.hidden]


def _is_simple(command: Any) -> bool:
    return not command.deprecated and getattr(command, "rich_help_panel", None) is None


def _is_simple_flag(option: Any) -> bool:
    """Whether an option is said in its names and help alone."""
    told = (option.required, option.secondary_opts, option.envvar, getattr(option, "rich_help_panel", None))
    return option.param_type_name == "option" and option.is_flag and not option.default and not any(told)


def _about(text: str) -> Iterable[Text]:
    first, *others = inspect.cleandoc(text).partition("\f")[0].split("\n\n")
    yield _marked_up(first.replace("\n", " ").strip())
    if others:
        yield Text("")
        yield _marked_up("\n\n".join(others), "dim")


def _marked_up(text: str, style: str = "") -> Text:
    """A text with its markup as styles; the table of emoji is loaded where there may be one."""
    return _words(Text.from_markup(inspect.cleandoc(text), style=style, emoji=bool(_EMOJI.search(text))))


def _options(options: list[Any]) -> Table:
    table = Table(highlight=True, show_header=False, expand=True, box=None, pad_edge=False, padding=(0, 1))
    for each in options:
        long = ",".join(name for name in each.opts if "--" in name)
        short = ",".join(name for name in each.opts if "--" not in name)
        kind = _brackets(Text("<bool>", style="bold yellow", overflow="fold"))
        said = [_marked_up(each.help.replace("\n", " ").strip())] if each.help else []
        table.add_row(_words(long), _words(short), Text(""), Text(""), kind, Columns(said))
    return table


def _summaries(commands: list[Any]) -> Table:
    table = Table(show_header=False, expand=True, box=None, pad_edge=False, padding=(0, 1))
    table.add_column(style="bold cyan", no_wrap=True, width=max(len(each.name) for each in commands))
    table.add_column(ratio=10)
    for each in commands:
        summary = inspect.cleandoc(each.short_help or each.help or "").split("\n\n")[0]
        table.add_row(Text(each.name), _marked_up(summary.strip()))
    return table


def _print_panel(out: Console, title: str, content: Table) -> None:
    out.print(Panel(content, border_style="dim", title=Text(title), title_align="left"))
