"""Components found by what they can do, so that no advice names one and no command depends on one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from scrutable.errors import PluginError
from scrutable.plugins.claims import Listing
from scrutable.plugins.component import Kind
from scrutable.plugins.registry import registry

if TYPE_CHECKING:
    from scrutable.plugins.bases.explainer import Explainer

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
    return [each.name for each, cls in _loaded(registry().listings(kind)) if overrides(cls, base, method)]


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


def reasons_explainer() -> str:
    """The name of the explainer whose reasons are given where none is named: ours, which nobody else's stands in for.

    Raises
    ------
    PluginError : it is not here, and why.
    """
    for listing in _makers_of_reasons():
        if listing.first_party:
            return listing.name
    for kind, name in registry().withheld:
        if kind == "explainer":
            registry().listing("explainer", name)  # says why it cannot be used
    raise PluginError("no explainer here gives reasons", fix="install scrutable anew, or name an explainer of your own")


def explainer_of(method: str) -> type[Explainer] | None:
    """The explainer whose reason policies are of a method, ours before others'; None where none here has it."""
    return next((cls for _, cls in _loaded(_makers_of_reasons()) if method in cls.methods), None)


def _makers_of_reasons() -> list[Listing]:
    makers = [each for each in registry().listings("explainer") if REASONS in each.component.produces]
    return sorted(makers, key=lambda each: not each.first_party)


def _loaded(listings: list[Listing]) -> Iterator[tuple[Listing, type[Any]]]:
    for listing in listings:
        with suppress(PluginError):
            yield listing, registry().load(listing.component.kind, listing.name)
