"""What is wrong with the plugins installed here: failures, conflicts, slow imports, missing libraries, clashes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from typing import Literal

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from scrutable.machine import LIBRARIES
from scrutable.registry import Failure, Registry

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
    for failure in registry.failures:
        extras[canonicalize_name(failure.distribution)].add("")
    clashes = list(_clashes(installed, extras))
    found = [*_failures(registry, clashes), *_conflicts(registry), *_twice(installed, extras), *clashes]
    remarks = [
        *_remarks(registry.deprecations, "old hook"),
        *_remarks(registry.slow, "slow import"),
        *_remarks(registry.blocked, "blocked plugin"),
        *_missing(registry),
        *_missing_on_the_machine({name for name, _ in installed}),
    ]
    return sorted([*found, *remarks], key=lambda finding: finding.severity)


def _named(distributions: Iterable[metadata.Distribution]) -> Iterator[tuple[str, metadata.Distribution]]:
    """Distributions by name; what an installer left half removed has none, and is nothing."""
    for each in distributions:
        said = each.metadata
        if said is not None and "Name" in said and "Version" in said:
            yield canonicalize_name(said["Name"]), each


def _failures(registry: Registry, clashes: Iterable[Finding]) -> Iterator[Finding]:
    """Where a plugin's distribution asks for another version of something, that is what its failure is mended by."""
    clashing = {each.where: each.fix for each in clashes}
    for failure in registry.failures:
        home = _distribution(canonicalize_name(failure.distribution))
        yield Finding(
            severity="fault",
            what="failure",
            where=f"plugin {failure.plugin!r}",
            reason=failure.reason,
            fix=clashing.get(home, failure.fix),
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
        for text in first[name].requires or ():
            try:
                requirement = Requirement(text)
            except InvalidRequirement:
                yield _clash(name, f"a requirement that cannot be read: {text}", "upgrade it, or uninstall it")
                continue
            asked = {extra for extra in extras[name] if _applies(requirement, extra)}
            if asked:
                yield from _unmet(name, requirement, first, may_be_absent="" not in asked)


def _unmet(
    name: str, requirement: Requirement, installed: Mapping[str, metadata.Distribution], *, may_be_absent: bool
) -> Iterator[Finding]:
    """A requirement of a distribution, or the extras that it names, where what is installed does not meet it.

    Parameters
    ----------
    may_be_absent : it is of an extra that nobody may have asked for; a component that lacks it says so.
    """
    found = installed.get(canonicalize_name(requirement.name))
    written = f"{requirement.name}{_written(requirement.extras)}{requirement.specifier}"
    if _is_met(requirement, found, may_be_absent=may_be_absent):
        needed = [] if found is None or may_be_absent else list(_of_extras(found, requirement.extras))
        for each in needed:
            other = installed.get(canonicalize_name(each.name))
            if not _is_met(each, other, may_be_absent=False):
                needs = f"it requires {written}, which needs {each.name}{each.specifier}"
                yield _clash(name, f"{needs}, and {_version(other)} is installed", f"pip install '{written}'")
    else:
        yield _clash(name, f"it requires {written}, and {_version(found)} is installed", f"pip install '{written}'")


def _is_met(requirement: Requirement, found: metadata.Distribution | None, *, may_be_absent: bool) -> bool:
    if found is None:
        return may_be_absent
    return requirement.specifier.contains(found.version, prereleases=True)


def _of_extras(distribution: metadata.Distribution, extras: Iterable[str]) -> Iterator[Requirement]:
    """What extras of a distribution need beyond the distribution itself."""
    for text in distribution.requires or ():
        with suppress(InvalidRequirement):
            requirement = Requirement(text)
            if not _applies(requirement, "") and any(_applies(requirement, extra) for extra in extras):
                yield requirement


def _applies(requirement: Requirement, extra: str) -> bool:
    return requirement.marker is None or requirement.marker.evaluate({"extra": extra})


def _written(extras: Iterable[str]) -> str:
    return f"[{','.join(sorted(extras))}]" if extras else ""


def _version(found: metadata.Distribution | None) -> str:
    return found.version if found else "none"


def _clash(name: str, reason: str, fix: str) -> Finding:
    return Finding(severity="fault", what="version clash", where=_distribution(name), reason=reason, fix=fix)


def _distribution(name: str) -> str:
    return f"distribution {name!r}"


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
