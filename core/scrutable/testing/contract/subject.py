"""A component that is checked: its descriptor, its class, and what it is made with."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Mapping
from functools import cached_property
from importlib import metadata
from typing import Any, Self, TypeVar

from scrutable.errors import PluginError
from scrutable.plugins.component import Component, Kind
from scrutable.plugins.registry import GROUP, Listing, Registry, registry

T = TypeVar("T")


class Subject:
    """A component under its checks.

    Parameters
    ----------
    listing : the component, and the plugin and distribution it comes from.
    options : what it is made with, beyond the options that its descriptor names.

    Examples
    --------
    >>> subject = Subject.of("binner", "quantile")
    >>> subject, subject.make(max_bins=4)
    (binner 'quantile', QuantileBinner(max_bins=4))
    """

    def __init__(self, listing: Listing, options: Mapping[str, Any] | None = None) -> None:
        self.listing = listing
        self.options: dict[str, Any] = {**listing.component.options, **(options or {})}
        self._kept: dict[str, Any] = {}

    def __repr__(self) -> str:
        return f"{self.component.kind} {self.component.name!r}"

    @classmethod
    def of(cls, kind: Kind | None, name: str, options: Mapping[str, Any] | None = None) -> Self:
        """An installed component; errors as of `subject_of`."""
        return cls(subject_of(kind, name, registry()).listing, options)

    @property
    def component(self) -> Component:
        """Its descriptor."""
        return self.listing.component

    @cached_property
    def entry_point(self) -> metadata.EntryPoint:
        """Where its plugin is found: the installed entry point, or one of the package that its path names."""
        with contextlib.suppress(metadata.PackageNotFoundError, ValueError):  # no name, or none that is installed
            for point in metadata.distribution(self.listing.distribution).entry_points:
                if (point.group, point.name) == (GROUP, self.listing.plugin):
                    return point
        return metadata.EntryPoint(name=self.listing.plugin, value=self.package, group=GROUP)

    @property
    def package(self) -> str:
        """The package that its class is in."""
        return self.component.path.partition(":")[0].partition(".")[0]

    def load(self) -> type[Any]:
        """Its class; errors as of `Component.load`."""
        return self.component.load(self.listing.distribution or GROUP)

    @property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """The options of its constructor, by name."""
        return inspect.signature(self.load()).parameters

    def make(self, **more: Any) -> Any:
        """The component, made with its options and these."""
        return self.load()(**{**self.options, **more})

    def once(self, key: str, make: Callable[[], T]) -> T:
        """What several checks need and none may change, for example a fitted learner; made when first asked for."""
        if key not in self._kept:
            self.keep(key, make())
        kept: T = self._kept[key]
        return kept

    def keep(self, key: str, value: Any) -> None:
        """Keep what one check made for those that ask for it by `once`."""
        self._kept[key] = value


def subject_of(kind: Kind | None, name: str, registry: Registry) -> Subject:
    """The component of a name, of any kind where none is given.

    Raises
    ------
    PluginError : as of `Registry.named`; or components of several kinds have the name.
    """
    listings = registry.named(name, kind)
    if len(listings) > 1:
        kinds = " or ".join(repr(listing.component.kind) for listing in listings)
        raise PluginError("components of several kinds have the name", got=name, fix=f"say which kind: {kinds}")
    return Subject(listings[0])
