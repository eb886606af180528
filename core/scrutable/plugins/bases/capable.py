"""Components found by what they can do, so that no advice names one and no command depends on one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from scrutable.errors import PluginError
from scrutable.plugins.claims import Listing
from scrutable.plugins.component import Kind
from scrutable.plugins.registry import registry

#: What an explainer's descriptor says that it produces, if it makes reason policies.
REASONS = "reasons"
#: What a learner's descriptor says that it produces, if it makes alternatives to choose from.
ALTERNATIVES = "alternatives"


def overrides(cls: type, base: type, method: str) -> bool:
    """Whether a class has a method of its own in place of its base's.

    >>> overrides(bool, int, "__repr__"), overrides(bool, int, "__add__")
    (True, False)
    """
    return bool(getattr(cls, method) is not getattr(base, method))


def producers(kind: Kind, product: str) -> list[str]:
    """Names of the components whose descriptors say that they produce something.

    >>> producers("exporter", "nothing")
    []
    """
    return [each.name for each in registry().listings(kind) if product in each.component.produces]


def overriders(kind: Kind, base: type, method: str) -> list[str]:
    """Names of the components of a kind that have a method of their own; those that cannot be loaded are left out."""
    return [each.name for each, cls in loaded(registry().listings(kind)) if overrides(cls, base, method)]


def such_as(names: list[str]) -> str:
    """Names as the end of an advice; nothing where there are none.

    >>> such_as(["a", "b", "c"]), such_as([])
    (', for example a, b or c', '')
    """
    return f", for example {one_of(names)}" if names else ""


def one_of(names: list[str]) -> str:
    """Names to choose from.

    >>> one_of(["a"])
    'a'
    """
    return " or ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def loaded(listings: list[Listing]) -> Iterator[tuple[Listing, type[Any]]]:
    """Components with their classes; those that cannot be loaded are left out."""
    for listing in listings:
        with suppress(PluginError):
            yield listing, registry().load(listing.component.kind, listing.name)
