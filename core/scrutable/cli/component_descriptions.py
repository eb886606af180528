"""What is said of components and commands: by descriptor, distribution, and code where that is asked for."""

from __future__ import annotations

import inspect
from typing import Any

from scrutable.plugins.claims import AnyOffer, Offer
from scrutable.plugins.component import Command, Component
from scrutable.plugins.docstrings import about, meanings
from scrutable.plugins.registry import Listing


def described(listing: Listing) -> dict[str, Any]:
    """What a descriptor says."""
    component = listing.component
    return {
        "kind": component.kind,
        "name": listing.name,
        "summary": component.summary,
        "reference": component.reference,
        "produces": list(component.produces),
        "accepts": list(component.accepts),
        "enforces": list(component.enforces),
        "engines": list(component.engines),
        "extra": component.extra,
        "installed": not component.absent,
        **_whence(listing),
    }


def command_described(offer: Offer[Command]) -> dict[str, Any]:
    """What a command's descriptor says."""
    command = offer.descriptor
    return {"name": offer.name, "group": command.group, "summary": command.summary, **_whence(offer)}


def _whence(offer: AnyOffer) -> dict[str, str]:
    """Where the code is, and what it came with."""
    return {
        "path": offer.descriptor.path,
        "plugin": offer.plugin,
        "distribution": offer.distribution,
        "version": offer.version,
    }


def spoken(offer: Offer[Command]) -> str:
    """What stands behind `scrutable` to run a command, whatever else is installed."""
    return f"{offer.descriptor.group} {offer.name}".lstrip()


def version(offer: AnyOffer) -> str:
    """Of ours the version, of others the distribution too."""
    return offer.version if offer.distribution == "scrutable" else distribution(offer)


def needs(listing: Listing) -> str:
    """What it needs beside the core, and what installs that where it is not there."""
    component = listing.component
    lacking = component.absent
    if not lacking:
        return f"[{component.extra}], installed" if component.extra else ""
    return f"lacks {', '.join(lacking)}: {component.installation(listing.distribution)}"


def distribution(offer: AnyOffer) -> str:
    """The distribution that it comes from, with its version."""
    return f"{offer.distribution} {offer.version}".strip()


def options(component: Component) -> list[tuple[str, str, str]]:
    """Name, default and meaning of each of its options; its code is imported. A declaration has none."""
    code: Any = component.load()
    if not isinstance(code, type):
        return []
    meaning = meanings(code)
    return [
        (each.name, "" if each.default is each.empty else repr(each.default), meaning.get(each.name, ""))
        for each in inspect.signature(code).parameters.values()
    ]


def in_full(listing: Listing) -> dict[str, Any]:
    """What a descriptor says, and the code where it can be imported."""
    component = listing.component
    if component.absent:
        return described(listing)
    said = {name: {"default": default, "meaning": meaning} for name, default, meaning in options(component)}
    return described(listing) | {"about": about(component.load()), "options": said}
