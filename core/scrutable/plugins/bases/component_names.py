"""What errors call a component: its class, and the plugin that it came with."""

from __future__ import annotations

from scrutable.plugins.registry import registry


def called(component: object, method: str = "") -> str:
    """The class of a component, or a method of it, with the plugin it came with, if it is known."""
    cls = type(component)
    origin = registry().origin_of_class(cls)
    return ", ".join(part for part in (str(origin or ""), ".".join(filter(None, (cls.__name__, method)))) if part)


def advice_on(component: object) -> str | None:
    """What to do about a fault in the code of a component; None where it came with no plugin."""
    origin = registry().origin_of_class(type(component))
    return origin.advice if origin else None
