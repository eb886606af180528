"""`scrutable plugins`: what is installed here, and what failed."""

from __future__ import annotations

import inspect
from typing import Annotated, Any

import typer

from scrutable.cli.docstrings import about, meanings
from scrutable.cli.output import console, emit_json, heading, printable, table
from scrutable.component import Component
from scrutable.errors import PluginError, did_you_mean
from scrutable.registry import Failure, Listing, Registry, registry


def plugins(
    name: Annotated[str | None, typer.Argument(help="Show one component with its options.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """List binners, learners, constraints, explainers and exporters, and plugins that failed.

    Every component is found by its package's entry point alone; nothing heavy is imported. With a NAME, the
    component says more of itself, with its options, and its code is imported for that.

    Examples: [bold]scrutable plugins[/bold], [bold]scrutable plugins scorecard[/bold]
    """
    found = registry()
    listings = found.listings() if name is None else _named(found, name)
    if as_json:
        described = [_describe(listing) | (_options_entry(listing) if name else {}) for listing in listings]
        failures = [{"plugin": failure.plugin, "reason": failure.reason} for failure in found.failures]
        emit_json({"components": described, "failures": failures})
    elif name is None:
        _show_all(listings, found.failures)
    else:
        for listing in listings:
            _show_one(listing)


def _named(found: Registry, name: str) -> list[Listing]:
    listings = [listing for listing in found.listings() if listing.component.name == name]
    if not listings:
        known = {listing.component.name for listing in found.listings()}
        failed = "".join(f"; plugin {each.plugin!r} failed: {each.reason}" for each in found.failures)
        raise PluginError("unknown component", got=name, fix=did_you_mean(name, known) + failed)
    return listings


def _describe(listing: Listing) -> dict[str, Any]:
    component = listing.component
    return {
        "kind": component.kind,
        "name": component.name,
        "summary": component.summary,
        "reference": component.reference,
        "produces": list(component.produces),
        "accepts": list(component.accepts),
        "enforces": list(component.enforces),
        "extra": component.extra,
        "installed": not component.absent,
        "path": component.path,
        "plugin": listing.plugin,
        "distribution": listing.distribution,
        "version": listing.version,
    }


def _needs(component: Component) -> str:
    lacking = component.absent
    if not lacking:
        return f"[{component.extra}], installed" if component.extra else ""
    install = f": pip install 'scrutable[{component.extra}]'" if component.extra else ""
    return f"lacks {', '.join(lacking)}{install}"


def _show_all(listings: list[Listing], failures: list[Failure]) -> None:
    made = table(("component", "what it does", "extra", "plugin", "version"), (), whole=(0, 2, 3, 4))
    last = None
    for listing in listings:
        its = listing.component
        if its.kind != last:
            made.add_row(heading(f"{its.kind}s"))
            last = its.kind
        extra = f"{its.extra} {'missing' if its.absent else '✓'}" if its.requires else ""
        version = listing.version if listing.distribution == "scrutable" else _from(listing)
        cells = (f"  {its.name}", its.summary, extra, listing.plugin, version)
        made.add_row(*(printable(cell) for cell in cells))
    out = console()
    out.print(made)
    for listing in listings:
        if listing.component.absent:
            out.print(f"{listing.component.kind} {listing.component.name} {_needs(listing.component)}", soft_wrap=True)
    if failures:
        lines = [(failure.plugin, failure.reason) for failure in failures]
        out.print(table(("plugin", "reason"), lines, title=f"Failed ({len(lines)})"))


def _show_one(listing: Listing) -> None:
    component = listing.component
    facts = [
        ("summary", component.summary),
        ("reference", component.reference),
        ("produces", ", ".join(component.produces)),
        ("accepts", ", ".join(component.accepts)),
        ("enforces", ", ".join(component.enforces)),
        ("needs", _needs(component)),
        ("plugin", f"{listing.plugin}, {_from(listing)}"),
        ("code", component.path),
    ]
    out = console()
    out.print(heading(f"{component.kind} {component.name}"))
    out.print(table(("", ""), [fact for fact in facts if fact[1]]))
    if not component.absent:
        for paragraph in about(component.load()):
            out.print(printable(paragraph))
            out.print()
        out.print(table(("option", "default", "meaning"), _options(component), whole=(0,)))


def _from(listing: Listing) -> str:
    return f"{listing.distribution} {listing.version}".strip()


def _options(component: Component) -> list[tuple[str, str, str]]:
    """Name, default and meaning of each."""
    code = component.load()
    meaning = meanings(code)
    return [
        (each.name, "" if each.default is each.empty else repr(each.default), meaning.get(each.name, ""))
        for each in inspect.signature(code).parameters.values()
    ]


def _options_entry(listing: Listing) -> dict[str, Any]:
    its = listing.component
    if its.absent:
        return {}
    options = {name: {"default": default, "meaning": meaning} for name, default, meaning in _options(its)}
    return {"about": about(its.load()), "options": options}
