"""What a distribution requires and is not met by what is installed, and what would meet it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

#: What is installed under a canonical name, if anything is.
Find = Callable[[str], metadata.Distribution | None]


@dataclass(frozen=True, slots=True)
class Unmet:
    """A requirement that is not met.

    Parameters
    ----------
    name : of what is required; empty where that cannot be read.
    reason : what is required, and what is installed.
    fix : what mends it.
    """

    name: str
    reason: str
    fix: str


def installed(name: str) -> metadata.Distribution | None:
    """The distribution of a name on the path of this process."""
    with suppress(metadata.PackageNotFoundError, ValueError):
        return metadata.distribution(name)
    return None


def unmet(
    distribution: metadata.Distribution, extras: Iterable[str] = ("",), find: Find = installed
) -> Iterator[Unmet]:
    """Requirements of a distribution that what is installed does not meet.

    Parameters
    ----------
    extras : those that were asked for; the empty one is the distribution without any. What is required for extras alone
        may be absent, since nobody may have asked for them; a component that lacks it says so.
    """
    asked = set(extras)
    for text in distribution.requires or ():
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            yield Unmet("", f"a requirement that cannot be read: {text}", "upgrade it, or uninstall it")
            continue
        if applying := {extra for extra in asked if _applies(requirement, extra)}:
            yield from _unmet(requirement, find, may_be_absent="" not in applying)


def _unmet(requirement: Requirement, find: Find, *, may_be_absent: bool) -> Iterator[Unmet]:
    """A requirement, or the extras that it names, where what is installed does not meet it."""
    distribution = find(canonicalize_name(requirement.name))
    written = f"{requirement.name}{_written(requirement.extras)}{requirement.specifier}"
    if not _is_met(requirement, distribution, may_be_absent=may_be_absent):
        yield _told(requirement, f"it requires {written}", distribution, written)
    elif distribution is not None and not may_be_absent:
        for each in _of_extras(distribution, requirement.extras):
            other = find(canonicalize_name(each.name))
            if not _is_met(each, other, may_be_absent=False):
                yield _told(each, f"it requires {written}, which needs {each.name}{each.specifier}", other, written)


def _told(requirement: Requirement, needs: str, distribution: metadata.Distribution | None, written: str) -> Unmet:
    version = distribution.version if distribution else "none"
    return Unmet(
        canonicalize_name(requirement.name), f"{needs}, and {version} is installed", f"pip install '{written}'"
    )


def _is_met(requirement: Requirement, distribution: metadata.Distribution | None, *, may_be_absent: bool) -> bool:
    if distribution is None:
        return may_be_absent
    return requirement.specifier.contains(distribution.version, prereleases=True)


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
