"""Groups of commands that come by the hook: listed by their descriptors, imported one by one as they run."""

from __future__ import annotations

import functools
from collections.abc import Mapping, MutableMapping
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from scrutable.cli.plain_values import PlainCommand, taking_plain_values
from scrutable.errors import PluginError
from scrutable.plugins.claims import Offer
from scrutable.plugins.component import Command, command_of
from scrutable.plugins.registry import Registry, registry


class Hooked(TyperGroup):
    """A group whose commands are those of the hook that name it, behind those that it has itself."""

    #: What stands behind `scrutable` to reach the group.
    words = ""

    @property
    def commands(self) -> MutableMapping[str, Any]:
        """Every command by the shortest name that reaches it."""
        return {**self._own, **_hooked(registry(), self.words)}

    @commands.setter
    def commands(self, own: MutableMapping[str, Any]) -> None:
        self._own = own

    def get_params(self, ctx: Any) -> list[Any]:
        return taking_plain_values(super().get_params(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from scrutable.cli import help_page

        if help_page.is_drawn(self, ctx):
            help_page.draw(self, ctx)
        else:
            super().format_help(ctx, formatter)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        offers = registry().commands(self.words)
        qualified = (_deferred(each) for each in offers if each.is_called(cmd_name))
        return super().get_command(ctx, cmd_name) or next(qualified, None)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        known = self.get_command(ctx, args[0]) is not None
        if not known and (cause := registry().cause(args[0], command_of(self.words))):
            raise cause
        return super().resolve_command(ctx, args)


class Deferred(TyperCommand):
    """What a descriptor says of a command, which takes its place as soon as it is to do something."""

    def __init__(self, offer: Offer[Command]) -> None:
        super().__init__(offer.name, help=offer.descriptor.summary)
        self.offer = offer

    def make_context(self, *args: Any, **extra: Any) -> Any:
        return self.command.make_context(*args, **extra)

    @functools.cached_property
    def command(self) -> Any:
        """The command itself, imported.

        Raises
        ------
        PluginError : it cannot be imported, or is no command.
        """
        descriptor, made = self.offer.descriptor, typer.Typer(rich_markup_mode="rich")
        code = descriptor.load()
        if isinstance(code, typer.Typer):
            made.add_typer(code, name=self.name, cls=Hooked)
        elif callable(code):
            made.command(self.name, cls=PlainCommand)(code)
        else:
            raise PluginError(
                "its path leads to no command",
                where=f"{descriptor.kind} {descriptor.name!r}, {self.offer.origin}",
                got=descriptor.path,
                allowed="a function, or a typer.Typer",
                fix=self.offer.origin.advice,
            )
        [command] = get_group(made).commands.values()
        if isinstance(command, Hooked):
            command.words = descriptor.words
        return command


@functools.cache
def _hooked(registry: Registry, words: str) -> Mapping[str, Deferred]:
    """The commands of a group, made once."""
    return {each.name: _deferred(each) for each in registry.commands(words)}


@functools.cache
def _deferred(offer: Offer[Command]) -> Deferred:
    """The command of an offer, made once."""
    return Deferred(offer)
