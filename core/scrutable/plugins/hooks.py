"""The hooks that a plugin implements, and what they return."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import metadata
from typing import Any

import pluggy

from scrutable.errors import PluginError
from scrutable.plugins import hookspecs
from scrutable.plugins.compatibility import check_hooks
from scrutable.plugins.component import Command, Component, Offered


def hook_manager() -> pluggy.PluginManager:
    """What knows which hooks there are."""
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    return manager


@contextmanager
def hooks_of(
    entry_point: metadata.EntryPoint, manager: pluggy.PluginManager
) -> Iterator[Mapping[str, Callable[[], list[Any]]]]:
    """The hooks that a plugin implements, by name; each gives what the plugin returns, in a list of one.

    The manager knows the plugin for as long as its hooks are called, so that they answer for it alone.
    """
    module = entry_point.load()
    check_hooks(module)
    try:
        manager.register(module, entry_point.name)
        hooks = {hook.name: hook for hook in manager.get_hookcallers(module) or ()}
        if not hooks:
            fix = "decorate the function with @hookimpl"
            raise PluginError("it implements no hook", got=entry_point.value, fix=fix)
        yield hooks
    finally:
        manager.unregister(module)


def returned(
    hooks: Mapping[str, Callable[[], list[Any]]],
    name: str,
    kind: Offered,
    descriptors: Callable[[Any], Iterable[object]] = list,
) -> list[Component | Command]:
    """What a hook returned; a plugin that does not implement it returned nothing."""
    if name not in hooks:
        return []
    answers = hooks[name]()
    if not answers:
        what = "Commands" if kind == "command" else "Components"
        raise PluginError("a hook that returns nothing", where=name, got=None, fix=f"return a list of {what}")
    return [_checked(each, kind, name) for answer in answers for each in descriptors(answer)]


def _checked(descriptor: object, kind: Offered, hook: str) -> Component | Command:
    if kind == "command":
        if isinstance(descriptor, Command):
            return descriptor
        raise PluginError(f"the hook {hook} must return Commands", got=descriptor)
    if not isinstance(descriptor, Component) or descriptor.kind != kind:
        raise PluginError(f"the hook {hook} must return Components of kind {kind!r}", got=descriptor)
    return descriptor
