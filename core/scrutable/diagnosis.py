"""What is wrong with the plugins installed here: failures, conflicts, old hooks, missing libraries, version clashes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from typing import Literal

from packaging.requirements import Requirement

from scrutable.registry import Registry

#: A fault has to be mended; a remark says what cannot be used, or will not work one day.
Severity = Literal["fault", "remark"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something about a plugin or a distribution that its user should know.

    Parameters
    ----------
    what : conflict, failure, old hook, missing library or version clash.
    where : the plugin, component or distribution.
    reason : what was seen.
    fix : what mends it.
    """

    severity: Severity
    what: str
    where: str
    reason: str
    fix: str


def diagnose(registry: Registry, distributions: Iterable[metadata.Distribution] | None = None) -> list[Finding]:
    """Everything that is to be said of what is installed, faults first.

    Parameters
    ----------
    registry : of the plugins.
    distributions : what is installed; everything on the path if None.

    Examples
    --------
    >>> diagnose(Registry([]), [])
    []
    """
    installed = list(metadata.distributions() if distributions is None else distributions)
    extras: dict[str, set[str]] = defaultdict(set)  # that components name, by distribution
    for listing in registry.listings():
        extras[_normal(listing.distribution)].add(listing.component.extra)
    for failure in registry.failures:
        extras[_normal(failure.distribution)].add("")
    found = [*_failures(registry), *_twice(installed, extras), *_clashes(installed, extras)]
    return [*found, *_old_hooks(registry), *_missing(registry)]


def _failures(registry: Registry) -> Iterator[Finding]:
    for failure in registry.failures:
        yield Finding(
            severity="fault",
            what="conflict" if failure.conflict else "failure",
            where=f"plugin {failure.plugin!r}",
            reason=failure.reason,
            fix="uninstall one of those that claim it" if failure.conflict else "upgrade the plugin, or uninstall it",
        )


def _twice(installed: Iterable[metadata.Distribution], names: Iterable[str]) -> Iterator[Finding]:
    """Distributions of plugins of which two versions are on the path: which one is used depends on its order."""
    versions: dict[str, set[str]] = defaultdict(set)
    for each in installed:
        versions[_normal(each.name)].add(each.version)
    for name in sorted(names):
        if len(versions[name]) > 1:
            yield Finding(
                severity="fault",
                what="version clash",
                where=f"distribution {name!r}",
                reason=f"installed more than once: {', '.join(sorted(versions[name]))}",
                fix=f"pip uninstall {name} until it is gone, and install it again",
            )


def _clashes(installed: Iterable[metadata.Distribution], extras: Mapping[str, set[str]]) -> Iterator[Finding]:
    """Requirements of plugins' distributions that what is installed does not meet."""
    first = {_normal(each.name): each for each in reversed(list(installed))}
    for name in sorted(extras.keys() & first.keys()):
        for text in first[name].requires or ():
            yield from _clash(name, Requirement(text), extras[name] | {""}, first)


def _clash(
    name: str, requirement: Requirement, extras: set[str], installed: Mapping[str, metadata.Distribution]
) -> Iterator[Finding]:
    marker = requirement.marker
    asked = {extra for extra in extras if marker is None or marker.evaluate({"extra": extra})}
    found = installed.get(_normal(requirement.name))
    absent = found is None and "" in asked  # a library of an extra may be absent, and makes no clash
    wrong = found is not None and not requirement.specifier.contains(found.version, prereleases=True)
    if asked and (absent or wrong):
        wanted = f"{requirement.name}{requirement.specifier}"
        yield Finding(
            severity="fault",
            what="version clash",
            where=f"distribution {name!r}",
            reason=f"it requires {wanted}, and {found.version if found else 'none'} is installed",
            fix=f"pip install '{wanted}'",
        )


def _old_hooks(registry: Registry) -> Iterator[Finding]:
    for each in registry.deprecations:
        yield Finding(
            severity="remark",
            what="old hook",
            where=f"plugin {each.plugin!r}",
            reason=each.reason,
            fix="upgrade the plugin",
        )


def _missing(registry: Registry) -> Iterator[Finding]:
    for listing in registry.listings():
        component = listing.component
        if component.absent:
            extra = f"{listing.distribution}[{component.extra}]" if component.extra else " ".join(component.absent)
            yield Finding(
                severity="remark",
                what="missing library",
                where=f"{component.kind} {component.name!r}",
                reason=f"lacks {', '.join(component.absent)}",
                fix=f"pip install '{extra}'",
            )


def _normal(name: str) -> str:
    """A distribution's name as installers compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()
