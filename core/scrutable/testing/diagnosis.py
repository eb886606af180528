"""What is wrong with the plugins installed here: failures, conflicts, slow imports, missing libraries, clashes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from typing import Literal

from packaging.utils import canonicalize_name

from scrutable.plugins.machine import LIBRARIES
from scrutable.plugins.registry import Failure, Registry
from scrutable.plugins.requirements import unmet

#: A fault has to be mended; a remark says what cannot be used, or will not work one day.
Severity = Literal["fault", "remark"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something about a plugin or a distribution that its user should know.

    Parameters
    ----------
    what : conflict, failure, old hook, missing library, slow import, blocked plugin or version clash.
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
    installed = list(_named(metadata.distributions() if distributions is None else distributions))
    extras: dict[str, set[str]] = defaultdict(lambda: {""})  # that components name, by distribution
    for listing in registry.listings():
        extras[canonicalize_name(listing.distribution)].add(listing.component.extra)
    others = [each.distribution for each in registry.commands()]
    for distribution in (*others, *(failure.distribution for failure in registry.failures)):
        extras[canonicalize_name(distribution)].add("")
    clashes = _clashes(installed, extras)
    faults = [*_failures(registry), *_conflicts(registry), *_twice(installed, extras), *clashes]
    remarks = [
        *_remarks(registry.deprecations, "old hook"),
        *_remarks(registry.slow, "slow import"),
        *_remarks(registry.blocked, "blocked plugin"),
        *_missing(registry),
        *_missing_on_the_machine({name for name, _ in installed}),
    ]
    return sorted([*faults, *remarks], key=lambda finding: finding.severity)


def _named(distributions: Iterable[metadata.Distribution]) -> Iterator[tuple[str, metadata.Distribution]]:
    """Distributions by name; what an installer left half removed has none, and is nothing."""
    for each in distributions:
        said = each.metadata
        if said is not None and "Name" in said and "Version" in said:
            yield canonicalize_name(said["Name"]), each


def _failures(registry: Registry) -> Iterator[Finding]:
    for each in registry.failures:
        yield Finding(
            severity="fault", what="failure", where=f"plugin {each.plugin!r}", reason=each.reason, fix=each.fix
        )


def _conflicts(registry: Registry) -> Iterator[Finding]:
    """A name that is ours stays ours, and that another claims it is a remark; one that is nobody's is a fault."""
    for conflict in registry.conflicts:
        yield Finding(
            severity="fault" if conflict.owner is None else "remark",
            what="conflict",
            where=f"{conflict.what} {conflict.name!r}",
            reason=conflict.reason,
            fix=conflict.fix,
        )


def _twice(installed: Iterable[tuple[str, metadata.Distribution]], names: Iterable[str]) -> Iterator[Finding]:
    """Distributions of plugins of which two versions are on the path: which one is used depends on its order."""
    versions: dict[str, set[str]] = defaultdict(set)
    for name, each in installed:
        versions[name].add(each.version)
    for name in sorted(names):
        if len(versions[name]) > 1:
            yield _clash(
                name,
                f"installed more than once: {', '.join(sorted(versions[name]))}",
                f"pip uninstall {name} until it is gone, and install it again",
            )


def _clashes(
    installed: Iterable[tuple[str, metadata.Distribution]], extras: Mapping[str, set[str]]
) -> Iterator[Finding]:
    """Requirements of plugins' distributions that what is installed does not meet."""
    first = dict(reversed(list(installed)))
    for name in sorted(extras.keys() & first.keys()):
        for each in unmet(first[name], extras[name], first.get):
            yield _clash(name, each.reason, each.fix)


def _clash(name: str, reason: str, fix: str) -> Finding:
    return Finding(severity="fault", what="version clash", where=f"distribution {name!r}", reason=reason, fix=fix)


def _remarks(said: Iterable[Failure], what: str) -> Iterator[Finding]:
    for each in said:
        yield Finding(severity="remark", what=what, where=f"plugin {each.plugin!r}", reason=each.reason, fix=each.fix)


def _missing(registry: Registry) -> Iterator[Finding]:
    for listing in registry.listings():
        component = listing.component
        if component.absent:
            yield Finding(
                severity="remark",
                what="missing library",
                where=f"{component.kind} {listing.name!r}",
                reason=f"lacks {', '.join(component.absent)}",
                fix=component.installation(listing.distribution),
            )


def _missing_on_the_machine(installed: Container[str]) -> Iterator[Finding]:
    """Libraries that pip cannot bring, and that distributions installed here load."""
    for need in LIBRARIES:
        if need.distribution in installed and need.absent:
            yield Finding(
                severity="remark",
                what="missing library",
                where=f"distribution {need.distribution!r}",
                reason=f"the machine lacks {', '.join(need.absent)}",
                fix=f"on Debian or Ubuntu: {need.command}",
            )
