"""Discovery: plugins are loaded one by one from entry points; what fails is kept and shown, and breaks nothing else."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import metadata
from typing import Any

import pluggy

from scrutable import hookspecs
from scrutable.component import KINDS, Component, Kind
from scrutable.errors import KindError, PluginError, did_you_mean

GROUP = "scrutable"


@dataclass(frozen=True, slots=True)
class Failure:
    """A plugin that was found and refused, and why."""

    plugin: str
    reason: str


@dataclass(frozen=True, slots=True)
class Listing:
    """A component and the plugin and distribution it comes from."""

    component: Component
    plugin: str
    distribution: str
    version: str


class Registry:
    """Every component that the given entry points offer.

    Examples
    --------
    >>> Registry([]).names("binner")
    []
    """

    def __init__(self, entry_points: Iterable[metadata.EntryPoint]) -> None:
        self._listings: dict[tuple[Kind, str], Listing] = {}
        self.failures: list[Failure] = []
        self._refused: set[tuple[Kind, str]] = set()
        for entry_point in sorted(entry_points, key=lambda point: (point.name, point.value)):
            self._add(entry_point)

    def listings(self, kind: Kind | None = None) -> list[Listing]:
        """What was found, by kind and name."""
        found = sorted(self._listings.items(), key=lambda item: (KINDS.index(item[0][0]), item[0][1]))
        return [listing for (its_kind, _), listing in found if kind in (None, its_kind)]

    def names(self, kind: Kind) -> list[str]:
        """Names of the components of a kind."""
        return [listing.component.name for listing in self.listings(kind)]

    def component(self, kind: Kind, name: str) -> Component:
        """The descriptor of a component.

        Raises
        ------
        PluginError : no plugin offers it, or several claim its name.
        """
        if kind not in KINDS:
            raise PluginError("unknown kind of plugin", got=kind, allowed=", ".join(KINDS))
        listing = self._listings.get((kind, name))
        if listing is None:
            raise PluginError(
                f"unknown {kind}", got=name, fix=did_you_mean(name, self.names(kind)) + self._failures_hint()
            )
        return listing.component

    def load(self, kind: Kind, name: str) -> type[Any]:
        """The class of a component, imported."""
        return self.component(kind, name).load()

    def create(self, kind: Kind, name: str, /, **parameters: Any) -> Any:
        """A component made with these parameters.

        Raises
        ------
        PluginError : it does not take one of the parameters.
        """
        cls = self.load(kind, name)
        known = inspect.signature(cls).parameters
        for parameter in parameters:
            if parameter not in known:
                fix = did_you_mean(parameter, known)
                raise PluginError("unknown parameter", where=f"{kind} {name!r}", got=parameter, fix=fix)
        try:
            return cls(**parameters)
        except KindError:  # a TypeError too, and the component's own word on a parameter
            raise
        except TypeError as error:
            raise PluginError("wrong parameters", where=f"{kind} {name!r}", got=str(error)) from error

    def _failures_hint(self) -> str:
        return "".join(f"; plugin {failure.plugin!r} failed: {failure.reason}" for failure in self.failures)

    def _add(self, entry_point: metadata.EntryPoint) -> None:
        try:
            offered = _offered(entry_point)
        except (Exception, SystemExit) as error:  # a broken plugin must not break the others
            self.failures.append(Failure(entry_point.name, f"{type(error).__name__}: {error}"))
            return
        distribution = entry_point.dist
        for component in offered:
            self._list(
                Listing(
                    component,
                    entry_point.name,
                    distribution.name if distribution else "",
                    distribution.version if distribution else "",
                )
            )

    def _list(self, listing: Listing) -> None:
        key = (listing.component.kind, listing.component.name)
        rival = self._listings.pop(key, None)
        if rival is None and key not in self._refused:
            self._listings[key] = listing
            return
        self._refused.add(key)
        reason = f"{key[0]} {key[1]!r} is claimed more than once, so nobody gets the name"
        self.failures += [Failure(found.plugin, reason) for found in (rival, listing) if found is not None]


@functools.cache
def registry() -> Registry:
    """The registry of everything installed here, made once."""
    return Registry(metadata.entry_points(group=GROUP))


def _offered(entry_point: metadata.EntryPoint) -> list[Component]:
    """The components of one plugin, each checked against the hook that returned it."""
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    found: list[Component] = []
    with redirect_stdout(sys.stderr):  # what a plugin prints must not get among a command's results
        manager.register(entry_point.load(), entry_point.name)
        for kind in KINDS:
            for components in getattr(manager.hook, f"scrutable_{kind}s")():
                found += [_checked(component, kind) for component in components]
    return found


def _checked(component: object, kind: Kind) -> Component:
    if not isinstance(component, Component) or component.kind != kind:
        raise PluginError(f"the hook scrutable_{kind}s must return Components of kind {kind!r}", got=component)
    return component
