"""What is said of a component: by its descriptor, its distribution, and its code where that is asked for."""

from __future__ import annotations

import inspect
from typing import Any

from scrutable.cli.docstrings import about, meanings
from scrutable.component import Component
from scrutable.registry import Listing


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
        "path": component.path,
        "plugin": listing.plugin,
        "distribution": listing.distribution,
        "version": listing.version,
    }


def needs(listing: Listing) -> str:
    """What it needs beside the core, and what installs that where it is not there."""
    component = listing.component
    lacking = component.absent
    if not lacking:
        return f"[{component.extra}], installed" if component.extra else ""
    return f"lacks {', '.join(lacking)}: {component.installation(listing.distribution)}"


def distribution(listing: Listing) -> str:
    """The distribution that a component comes from, with its version."""
    return f"{listing.distribution} {listing.version}".strip()


def options(component: Component) -> list[tuple[str, str, str]]:
    """Name, default and meaning of each of its options; its code is imported."""
    code = component.load()
    meaning = meanings(code)
    return [
        (each.name, "" if each.default is each.empty else repr(each.default), meaning.get(each.name, ""))
        for each in inspect.signature(code).parameters.values()
    ]


def in_full(listing: Listing) -> dict[str, Any]:
    """What a descriptor says, and the code where it can be imported."""
    its = listing.component
    if its.absent:
        return described(listing)
    said = {name: {"default": default, "meaning": meaning} for name, default, meaning in options(its)}
    return described(listing) | {"about": about(its.load()), "options": said}
