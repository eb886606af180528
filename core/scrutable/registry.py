"""Discovery: plugins are loaded one by one from entry points; what fails is kept and shown, and breaks nothing else."""

from __future__ import annotations

import functools
import inspect
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import metadata
from typing import Any

import pluggy

from scrutable import hookspecs
from scrutable.compatibility import OLD_HOOKS, OldHook, check_hooks, check_known, current_hook
from scrutable.component import KINDS, Component, Kind
from scrutable.errors import KindError, PluginError, did_you_mean

GROUP = "scrutable"
_NOT_INSTALLED = "scrutable plugins list shows what there is; a package of your own is found once it is installed"


@dataclass(frozen=True, slots=True)
class Failure:
    """A plugin that was found and refused, or that will be one day, and why.

    Parameters
    ----------
    plugin : name of its entry point.
    distribution : the one that brings it.
    conflict : whether another plugin claims the same name; otherwise the plugin itself is at fault.
    """

    plugin: str
    reason: str
    distribution: str = ""
    conflict: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """A component and the plugin and distribution it comes from."""

    component: Component
    plugin: str
    distribution: str
    version: str


class Registry:
    """Every component that the given entry points offer.

    Parameters
    ----------
    entry_points : of plugins.
    old_hooks : hooks that are replaced and still work; who implements one gets a `DeprecationWarning`.

    Attributes
    ----------
    failures : plugins that are refused.
    deprecations : plugins that implement hooks which will be gone.

    Examples
    --------
    >>> Registry([]).names("binner")
    []
    """

    def __init__(self, entry_points: Iterable[metadata.EntryPoint], old_hooks: Iterable[OldHook] = OLD_HOOKS) -> None:
        self._listings: dict[tuple[Kind, str], Listing] = {}
        self._old_hooks = tuple(old_hooks)
        self._origins: dict[int, tuple[str, str]] = {}
        self.failures: list[Failure] = []
        self.deprecations: list[Failure] = []
        self._refused: set[tuple[Kind, str]] = set()
        found = sorted(entry_points, key=lambda point: (point.name, point.value))  # kept: origins go by identity
        for entry_point in found:
            self._add(entry_point)
        for each in self.deprecations:
            warnings.warn(f"plugin {each.plugin!r}: {each.reason}", DeprecationWarning, stacklevel=2)

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
        return self.listing(kind, name).component

    def listing(self, kind: Kind, name: str) -> Listing:
        """A component with the plugin and distribution that it comes from; errors as of `component`."""
        if kind not in KINDS:
            raise PluginError("unknown kind of plugin", got=kind, allowed=", ".join(KINDS))
        listing = self._listings.get((kind, name))
        if listing is None:
            raise PluginError(
                f"unknown {kind}", got=name, fix=did_you_mean(name, self.names(kind)) + self._failures_hint()
            )
        return listing

    def named(self, name: str, kind: Kind | None = None) -> list[Listing]:
        """The components of a name; where no kind is given, several kinds may have one.

        Raises
        ------
        PluginError : there is none, and why: several claim the name, a plugin failed, or nothing is called so.
        """
        found = [listing for listing in self.listings(kind) if listing.component.name == name]
        if found:
            return found
        for key in sorted(self._refused):
            if key[1] == name and kind in (None, key[0]):
                reason = _claimed(*key)
                rivals = sorted({repr(each.plugin) for each in self.failures if each.reason == reason})
                what = f"{reason}; by the plugins {', '.join(rivals)}"
                raise PluginError(what, where=name, fix="give the component a name of its own")
        failed = "; ".join(f"plugin {each.plugin!r} failed: {each.reason}" for each in self.failures)
        near = did_you_mean(name, {listing.component.name for listing in self.listings(kind)})
        if not near.startswith("did you mean"):
            near = "mend the plugin that offers it" if failed else _NOT_INSTALLED
        what = f"no {kind or 'component'} of that name is found"
        raise PluginError(f"{what}. {failed}" if failed else what, where=name, fix=near)

    def load(self, kind: Kind, name: str) -> type[Any]:
        """The class of a component, imported."""
        listing = self.listing(kind, name)
        return listing.component.load(listing.distribution or GROUP)

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
        distribution, version = self._origin(entry_point)
        try:
            with redirect_stdout(sys.stderr):  # what a plugin prints must not get among a command's results
                offered = self._offered(entry_point, distribution)
        except (Exception, SystemExit) as error:  # a broken plugin must not break the others
            self.failures.append(Failure(entry_point.name, f"{type(error).__name__}: {error}", distribution))
            return
        for component in offered:
            self._list(Listing(component, entry_point.name, distribution, version))

    def _origin(self, entry_point: metadata.EntryPoint) -> tuple[str, str]:
        """Name and version of the distribution of an entry point; its metadata is read once."""
        brought = entry_point.dist
        if brought is None:
            return "", ""
        if id(brought) not in self._origins:
            said = brought.metadata
            self._origins[id(brought)] = said["Name"], said["Version"]
        return self._origins[id(brought)]

    def _offered(self, entry_point: metadata.EntryPoint, distribution: str) -> list[Component]:
        """The components of one plugin, each checked against the hook that returned it."""
        hooks = _hooks(entry_point)
        check_known(hooks, self._old_hooks)
        found: list[Component] = []
        for kind in KINDS:
            name = current_hook(kind)
            found += _returned(hooks, name, kind)
        for old in self._old_hooks:
            if old.name in hooks and old.instead not in hooks:  # a plugin may serve two releases
                found += _returned(hooks, old.name, old.kind, old.components)
                self.deprecations.append(Failure(entry_point.name, old.remark, distribution))
        return found

    def _list(self, listing: Listing) -> None:
        key = (listing.component.kind, listing.component.name)
        rival = self._listings.pop(key, None)
        if rival is None and key not in self._refused:
            self._listings[key] = listing
            return
        self._refused.add(key)
        reason = _claimed(*key)
        self.failures += [
            Failure(found.plugin, reason, found.distribution, conflict=True)
            for found in (rival, listing)
            if found is not None
        ]


def _claimed(kind: Kind, name: str) -> str:
    return f"{kind} {name!r} is claimed more than once, so nobody gets the name"


@functools.cache
def registry() -> Registry:
    """The registry of everything installed here, made once."""
    return Registry(metadata.entry_points(group=GROUP))


def _hooks(entry_point: metadata.EntryPoint) -> dict[str, Callable[[], list[Any]]]:
    """The hooks that a plugin implements, by name; each gives what the plugin returns, in a list of one."""
    module = entry_point.load()
    check_hooks(module)
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    manager.register(module, entry_point.name)
    hooks = {hook.name: hook for hook in manager.get_hookcallers(module) or ()}
    if not hooks:
        raise PluginError("it implements no hook", got=entry_point.value, fix="decorate the function with @hookimpl")
    return dict(hooks)


def _returned(
    hooks: Mapping[str, Callable[[], list[Any]]],
    name: str,
    kind: Kind,
    components: Callable[[Any], Iterable[object]] = list,
) -> list[Component]:
    """What a hook returned; a plugin that does not implement it returned nothing."""
    if name not in hooks:
        return []
    answers = hooks[name]()
    if not answers:
        raise PluginError("a hook that returns nothing", where=name, got=None, fix="return a list of Components")
    return [_checked(component, kind, name) for answer in answers for component in components(answer)]


def _checked(component: object, kind: Kind, hook: str) -> Component:
    if not isinstance(component, Component) or component.kind != kind:
        raise PluginError(f"the hook {hook} must return Components of kind {kind!r}", got=component)
    return component
