"""Discovery: plugins are loaded one by one from entry points; what fails is kept and shown, and breaks nothing else."""

from __future__ import annotations

import functools
import inspect
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from importlib import metadata
from typing import Any, TypeGuard

from scrutable.errors import PluginError, ScrutableError, did_you_mean
from scrutable.plugins.base_classes import BASES, base_of
from scrutable.plugins.claims import AnyOffer, Conflict, Listing, Offer, reached, settle
from scrutable.plugins.compatibility import OLD_HOOKS, OldHook, check_known, current_hook
from scrutable.plugins.component import ADDITIONS, KINDS, OFFERED, Command, Component, Kind
from scrutable.plugins.containing import contained
from scrutable.plugins.disabling import disabled
from scrutable.plugins.failures import QUOTED, Failure, cannot_be_used, why_unknown
from scrutable.plugins.hooks import hook_manager, hooks_of, returned
from scrutable.plugins.origins import GROUP, OURS, Origin, canonical, describe, is_ours, origin, origin_of_class
from scrutable.plugins.own_names import own_commands, own_components

__all__ = ["GROUP", "Conflict", "Failure", "Listing", "Registry", "registry"]

#: Seconds from which the import of a third party's plugin is told: every command waits for it.
SLOW = 2.0
_NOT_INSTALLED = "scrutable plugins list shows what there is; a package of your own is found once it is installed"


class Registry:
    """Every component and command that the given entry points offer.

    A name is Scrutable's own if Scrutable offers it, whoever else does, and stays so where the plugin behind it fails
    or is blocked by the user; where only third parties claim it, it is nobody's. Every component is reached by its
    qualified name too, `distribution:name`. Of commands, which are named within their groups, the same holds.

    Parameters
    ----------
    entry_points : of plugins.
    old_hooks : hooks that are replaced and still work; who implements one gets a `DeprecationWarning`.
    blocked : plugins and distributions that are not to be loaded, and what blocks each.
    clock : of seconds, by which imports are timed.

    Attributes
    ----------
    failures : plugins that are refused.
    deprecations : plugins that implement hooks which will be gone.
    blocked : plugins that the user blocks.
    unknown : those of them that there are none of.
    withheld : why a name of Scrutable's own reaches nothing, by what conflicts call it and name.
    slow : plugins of third parties whose import takes seconds.
    conflicts : names that several distributions claim.
    engines : the exporter that has the name of an engine.

    Examples
    --------
    >>> Registry([]).names("binner")
    []
    """

    def __init__(
        self,
        entry_points: Iterable[metadata.EntryPoint],
        old_hooks: Iterable[OldHook] = OLD_HOOKS,
        blocked: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._old_hooks = tuple(old_hooks)
        self._blocking = {canonical(name): by for name, by in (blocked or {}).items()}
        self._clock = clock
        self._manager = hook_manager()
        self.failures: list[Failure] = []
        self.deprecations: list[Failure] = []
        self.blocked: list[Failure] = []
        self.slow: list[Failure] = []
        self.unknown: list[Failure] = []
        self.withheld: dict[tuple[str, str], Failure] = {}
        self._loaded: dict[type, Listing] = {}
        offers: list[AnyOffer] = []
        self._ours_lost: list[AnyOffer] = []
        points = sorted(entry_points, key=lambda point: (point.name, point.value))
        for entry_point in points:
            offers += self._load(entry_point)
        known = {name for point in points for name in _called(origin(point))}
        for name, by in self._blocking.items():
            if name not in known:
                reason = f"{by} names it, and no plugin here is called so"
                self.unknown.append(Failure(name, reason, "", f"take it out of {by}, or correct it"))
        self.blocked += self.unknown
        self._settle(offers)
        self._warn()

    def listings(self, kind: Kind | None = None) -> list[Listing]:
        """Components of a kind; without one those of every kind but additions, by kind and name."""
        kinds = KINDS if kind is None else (kind,)
        listings = [each for each in self._offers.values() if isinstance(each, Listing)]
        listings = [each for each in listings if each.component.kind in kinds]
        return sorted(listings, key=lambda each: (kinds.index(each.component.kind), each.name))

    def additions(self) -> list[Listing]:
        """Components of the kinds that are additions, by kind and name."""
        return [each for kind in ADDITIONS for each in self.listings(kind)]

    def commands(self, group: str | None = None) -> list[Offer[Command]]:
        """Commands in their order: those of a group, of `scrutable` itself ("") or all, group by group."""
        commands = [each for each in self._offers.values() if _is_command(each)]
        ordered = sorted(commands, key=lambda each: (each.descriptor.group, each.descriptor.order, each.name))
        return [each for each in ordered if group in (None, each.descriptor.group)]

    def names(self, kind: Kind) -> list[str]:
        """Names of the components of a kind; qualified where the name alone is another's, or nobody's."""
        return [listing.name for listing in self.listings(kind)]

    def component(self, kind: Kind, name: str) -> Component:
        """The descriptor of a component; errors as of `listing`."""
        return self.listing(kind, name).component

    def listing(self, kind: Kind, name: str) -> Listing:
        """A component with the plugin and distribution that it comes from.

        Parameters
        ----------
        name : its own, or the qualified one, `distribution:name`.

        Raises
        ------
        PluginError : no plugin offers it, or several claim its name.
        """
        kinds = (*KINDS, *ADDITIONS)
        if kind not in kinds:
            raise PluginError("unknown kind of plugin", got=kind, allowed=", ".join(kinds))
        return self.named(name, kind)[0]

    def named(self, name: str, kind: Kind | None = None) -> list[Listing]:
        """The components of a name; where no kind is given, several kinds may have one.

        Raises
        ------
        PluginError : there is none, and why: several claim the name, a plugin failed, or nothing is called so.
        """
        if not isinstance(name, str):
            raise PluginError("a component is called by its name", where=kind or "component", got=name, allowed="text")
        matching = [listing for listing in self.listings(kind) if listing.is_called(name)]
        if matching:
            return matching
        raise self._unknown(name, kind)

    def cause(self, name: str, *kinds: str) -> PluginError | None:
        """Why a name reaches nothing, where a plugin is the cause: one that cannot be used, or several that claim it.

        Parameters
        ----------
        kinds : what the name may be of: kinds of components, or "command" with its group before it.
        """
        where = f"{_in_words(kinds)} {name!r}"
        for each in kinds:
            if failed := self.withheld.get((each, name.removeprefix(f"{OURS}:"))):
                what, fix = cannot_be_used(failed, "offers it")
                return PluginError(what, where=where, fix=fix)
        for conflict in self.conflicts:
            if conflict.name == name and conflict.owner is None and conflict.what in kinds:
                names = " or ".join(repr(each.qualified) for each in conflict.others)
                claimed = " and ".join(each.whose for each in conflict.others)
                return PluginError(f"claimed by {claimed}", where=where, fix=f"say which: {names}")
        what, fix = self._suspected(name, kinds)
        return PluginError(what, where=where, fix=fix) if what else None

    @property
    def unusable(self) -> list[Failure]:
        """Plugins that failed or are blocked, any of which may have offered a name that is not found."""
        return [*self.failures, *self.blocked]

    def recorded(self, kind: Kind, name: str) -> str:
        """The name of a component that files record, which means the same whatever is installed one day.

        Raises
        ------
        PluginError : as of `listing`.
        """
        return self.listing(kind, name).recorded

    def load(self, kind: Kind, name: str) -> Any:
        """The class of a component, imported; of a dialect its declaration."""
        listing = self.listing(kind, name)
        cls = listing.component.load(listing.distribution or GROUP)
        _check_base(cls, listing)
        if isinstance(cls, type):
            self._loaded.setdefault(cls, listing)
        return cls

    def origin_of_class(self, cls: type) -> Origin | None:
        """What a class came with: its module, or the plugin whose component it was loaded as, whatever it calls itself.

        What is ours stays so, if another's descriptor names it, too.
        """
        origin, listing = origin_of_class(cls), self._loaded.get(cls)
        return origin if listing is None or (origin is not None and origin.first_party) else listing.origin

    def create(self, kind: Kind, name: str, /, **parameters: Any) -> Any:
        """A component made with these parameters.

        Raises
        ------
        PluginError : it does not take one of the parameters.
        """
        cls = self.load(kind, name)
        signature = inspect.signature(cls)
        for parameter in parameters:
            if parameter not in signature.parameters:
                fix = did_you_mean(parameter, signature.parameters)
                raise PluginError("unknown parameter", where=f"{kind} {name!r}", got=parameter, fix=fix)
        try:
            signature.bind(**parameters)
        except TypeError as error:
            raise PluginError("wrong parameters", where=f"{kind} {name!r}", got=str(error)) from error
        return cls(**parameters)

    def _unknown(self, name: str, kind: Kind | None) -> PluginError:
        """Why a name reaches nothing, the likeliest cause first."""
        kinds = KINDS if kind is None else (kind,)
        if cause := self.cause(name, *kinds):
            return cause
        near = self._near(name, kinds)
        _, fix = self._suspected(name, kinds)
        fix = fix or (near if kind is not None and len(near) <= QUOTED else _NOT_INSTALLED)
        return PluginError(f"unknown {_in_words(kinds)}", got=name, fix=fix)

    def _suspected(self, name: str, kinds: Sequence[str]) -> tuple[str, str]:
        near = self._near(name, kinds)
        return why_unknown(name, self.unusable, near if near.startswith("did you mean") else "")

    def _near(self, name: str, kinds: Sequence[str]) -> str:
        return did_you_mean(name, {each.name for (kind, _), each in self._offers.items() if kind in kinds})

    def _load(self, entry_point: metadata.EntryPoint) -> list[AnyOffer]:
        """What a plugin offers; nothing where it is blocked or fails."""
        source, ours = origin(entry_point), is_ours(entry_point)
        by = next((self._blocking[name] for name in _called(source) if name in self._blocking), None)
        if by is not None:
            blocked = Failure(source.plugin, f"it is blocked by {by}", source.distribution, f"take it out of {by}")
            return self._refuse(source, blocked, self.blocked, ours)
        begun = self._clock()
        try:
            if source.first_party and not ours:
                raise PluginError("its metadata say that it is of scrutable, which does not list it")
            with contained(), redirect_stdout(sys.stderr):  # what a plugin prints must not get among results
                offered = self._offered(entry_point, source)
        except Exception as error:  # a broken plugin must not break the others
            from scrutable.plugins.remedies import remedy

            failure = Failure(source.plugin, _said(error), source.distribution, remedy(error, source) or source.advice)
            return self._refuse(source, failure, self.failures, ours)
        took = self._clock() - begun
        if took >= SLOW and not ours:
            reason = f"its import takes {took:.1f} s, which every command waits for"
            self.slow.append(Failure(source.plugin, reason, source.distribution, source.advice))
        if source.distribution and not ours:
            for each in offered:
                describe(each.path.partition(":")[0], source)
        return [_offer(each, source, ours=ours) for each in offered]

    def _refuse(self, origin: Origin, why: Failure, among: list[Failure], ours: bool) -> list[AnyOffer]:
        """Note that a plugin cannot be used; names of ours are withheld, so that they go to no newcomer."""
        among.append(why)
        own: list[Component | Command] = [*own_components(origin.plugin), *own_commands(origin.plugin)]
        lost = [_offer(each, origin, ours=True) for each in own if ours]
        self._ours_lost += lost
        self.withheld |= dict.fromkeys((name for each in lost for name in _names(each)), why)
        return []

    def _offered(self, entry_point: metadata.EntryPoint, origin: Origin) -> list[Component | Command]:
        """The descriptors of one plugin, each checked against the hook that returned it."""
        offered: list[Component | Command] = []
        with hooks_of(entry_point, self._manager) as hooks:
            check_known(hooks, self._old_hooks)
            for kind in OFFERED:
                offered += returned(hooks, current_hook(kind), kind)
            for old in self._old_hooks:
                if old.name in hooks and old.instead not in hooks:  # a plugin may serve two releases
                    offered += returned(hooks, old.name, old.kind, old.components)
                    gone = Failure(origin.plugin, old.remark, origin.distribution, "upgrade the plugin")
                    self.deprecations.append(gone)
        return offered

    def _settle(self, offered: list[AnyOffer]) -> None:
        """Say who has which name, of components, commands and engines."""
        offered = self._in_groups(offered)
        claims = [(name, each) for each in (*offered, *self._ours_lost) for name in _names(each)]
        offers = settle(claim for claim in claims if claim[0][0] != "engine")
        engines = settle(claim for claim in claims if claim[0][0] == "engine")
        for conflict in offers.repeated:
            for plugin, home in {each.plugin: each.distribution for each in conflict.others}.items():
                self.failures.append(Failure(plugin, conflict.reason, home, conflict.fix))
        lost = [id(each) for conflict in offers.repeated for each in conflict.others]
        kept = {id(each): reached(each, offers.owners) for each in offered if id(each) not in lost}
        self._offers = {(each.descriptor.kind, each.name): each for each in kept.values()}
        self.conflicts = (*offers.conflicts, *engines.conflicts, *engines.repeated)
        self.engines = {name: kept[id(each)] for (_, name), each in engines.owners.items() if id(each) in kept}

    def _in_groups(self, offers: list[AnyOffer]) -> list[AnyOffer]:
        """All but commands of groups that there are not, which are faults of their plugins."""
        commands = [each.descriptor for each in (*offers, *self._ours_lost) if isinstance(each.descriptor, Command)]
        groups = {"", *(each.words for each in commands)}
        kept = []
        for each in offers:
            if not isinstance(each.descriptor, Command) or each.descriptor.group in groups:
                kept.append(each)
            else:
                reason = f"command {each.descriptor.words!r} is of a group that there is not"
                self.failures.append(Failure(each.plugin, reason, each.distribution, each.origin.advice))
        return kept

    def _warn(self) -> None:
        for each in self.deprecations:
            warnings.warn(f"plugin {each.plugin!r}: {each.reason}", DeprecationWarning, stacklevel=3)
        for each in self.unknown:
            warnings.warn(f"plugin {each.plugin!r}: {each.reason}", UserWarning, stacklevel=3)
        for each in self.slow:
            warnings.warn(f"{Origin(each.distribution, '', each.plugin)}: {each.reason}", UserWarning, stacklevel=3)
        for conflict in self.conflicts:
            if conflict.owner is not None:
                warnings.warn(conflict.reason, UserWarning, stacklevel=3)


def _check_base(cls: object, listing: Listing) -> None:
    """That a class is derived from the base of its kind, which does what commands ask of every component.

    Raises
    ------
    PluginError : it is not.
    """
    kind, origin = listing.component.kind, listing.origin
    declared = kind == "dialect"
    derived = type(cls) if declared else cls
    if not isinstance(derived, type) or base_of(derived, kind) is None:
        raise PluginError(
            "it is no declaration of its kind" if declared else "its class is not derived from the base of its kind",
            where=f"{kind} {listing.component.name!r}, {origin}",
            got=listing.component.path,
            allowed=f"a {'' if declared else 'subclass of '}"
            f"{' or '.join(f'scrutable.plugins.bases.{name}' for name in BASES[kind])}",
            fix=origin.advice,
        )


def _names(offer: AnyOffer) -> list[tuple[str, str]]:
    """The names that an offer claims, each with what it is: its kind or "engine"."""
    descriptor = offer.descriptor
    engines = descriptor.engines if isinstance(descriptor, Component) else ()
    return [(descriptor.kind, descriptor.name), *(("engine", each.casefold()) for each in dict.fromkeys(engines))]


def _is_command(offer: AnyOffer) -> TypeGuard[Offer[Command]]:
    return isinstance(offer.descriptor, Command)


def _in_words(kinds: Sequence[str]) -> str:
    return kinds[0] if len(kinds) == 1 else "component"


def _offer(descriptor: Component | Command, source: Origin, *, ours: bool) -> AnyOffer:
    parts = (source.plugin, source.distribution, source.version)
    if isinstance(descriptor, Component):
        return Listing(descriptor, *parts, first_party=ours)
    return Offer(descriptor, *parts, first_party=ours)


def _called(origin: Origin) -> list[str]:
    """The names that a plugin is blocked by."""
    plugin, distribution = origin.plugin, origin.distribution
    return [canonical(name) for name in (plugin, distribution, f"{distribution}:{plugin}")]


def _said(error: Exception) -> str:
    """An error as one line says it; errors of ours need no class beside their words."""
    return str(error) if isinstance(error, ScrutableError) else f"{type(error).__name__}: {error}"


@functools.cache
def registry() -> Registry:
    """The registry of everything installed here, made once."""
    return Registry(metadata.entry_points(group=GROUP), blocked=disabled())
