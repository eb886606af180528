"""Options that commands have together, as the fields of a dataclass."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, TypeVar

Command = TypeVar("Command", bound=Callable[..., None])

_KEYWORD = inspect.Parameter.KEYWORD_ONLY


def with_groups(command: Command) -> Command:
    """A command with an option for each field of the dataclasses among its parameters, where these stand.

    What is told to the options comes to the command in the dataclass. Fields are declared as Typer reads them.
    """
    own = inspect.signature(command, eval_str=True)
    groups: dict[str, Any] = {
        name: each.annotation for name, each in own.parameters.items() if is_dataclass(each.annotation)
    }

    @functools.wraps(command)
    def with_fields(**given: Any) -> None:
        told = {
            name: group(**{each.name: given.pop(each.name) for each in fields(group)}) for name, group in groups.items()
        }
        command(**given, **told)

    parameters: list[inspect.Parameter] = []
    for name, each in own.parameters.items():
        parameters += _options(groups[name]) if name in groups else [each.replace(kind=_KEYWORD)]
    grouped: Command = with_parameters(with_fields, own, parameters)
    return grouped


def with_parameters(command: Callable[..., None], own: inspect.Signature, parameters: list[inspect.Parameter]) -> Any:
    """The command, whose parameters Typer takes for these."""
    changed: Any = command
    changed.__signature__ = own.replace(parameters=parameters)
    changed.__annotations__ = {each.name: each.annotation for each in parameters}
    return changed


def _options(group: Any) -> Iterator[inspect.Parameter]:
    hints = typing.get_type_hints(group, include_extras=True)
    for each in fields(group):
        if each.default_factory is not MISSING:
            raise TypeError(f"{group.__name__}.{each.name}: an option's default is a value, not what makes one")
        default = inspect.Parameter.empty if each.default is MISSING else each.default
        yield inspect.Parameter(each.name, _KEYWORD, default=default, annotation=hints[each.name])
