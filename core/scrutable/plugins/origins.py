"""Whose code it is: the plugin and distribution that a module came with, and where its faults are reported."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from types import TracebackType

#: The group of entry points that plugins are found by.
GROUP = "scrutable"
#: The distribution whose components are first-party.
OURS = "scrutable"
#: Labels of `Project-URL`, as PyPA's "well-known project URLs" normalise them, in the order of preference.
_REPORTS = ("issues", "bugs", "issue", "bug", "tracker", "issuetracker", "bugtracker", "bugreports")
_HOMES = ("source", "repository", "sourcecode", "github", "homepage")

#: What stands between the words of a distribution's name.
_BETWEEN_WORDS = re.compile(r"[-_.]+")
#: Modules that descriptors of plugins name.
_DESCRIBED: dict[str, Origin] = {}


@dataclass(frozen=True, slots=True)
class Origin:
    """A distribution, and which of its plugins is meant; both are empty where code came with none.

    Examples
    --------
    >>> str(Origin("scrutable-tiny", "1.2", "tiny"))
    "plugin 'tiny' of scrutable-tiny 1.2"
    """

    distribution: str = ""
    version: str = ""
    plugin: str = ""

    def __str__(self) -> str:
        of = f"{self.distribution} {self.version}".strip()
        return " of ".join(part for part in (f"plugin {self.plugin!r}" if self.plugin else "", of) if part)

    @property
    def first_party(self) -> bool:
        """Whether it is of Scrutable itself."""
        return canonical(self.distribution) == OURS

    @property
    def advice(self) -> str:
        """What to do about a fault in its code."""
        place = reports_of(self.distribution)
        of = self.distribution or "the plugin"
        return f"upgrade or uninstall {of}; report it to its makers{f': {place}' if place else ''}"


def canonical(distribution: str) -> str:
    """The name that a distribution has however it is spelt, as PyPA's "name normalization" says.

    >>> canonical("Scrutable_Tiny")
    'scrutable-tiny'
    """
    return _BETWEEN_WORDS.sub("-", distribution).lower()


def origin(entry_point: metadata.EntryPoint) -> Origin:
    """The distribution that an entry point is of, as its metadata names it."""
    return Origin(*_named(entry_point.dist), entry_point.name) if entry_point.dist else Origin(plugin=entry_point.name)


def is_ours(entry_point: metadata.EntryPoint) -> bool:
    """Whether the distribution `scrutable` lists the entry point; metadata that merely use its name do not count."""
    return origin(entry_point).first_party and (entry_point.name, entry_point.value) in _ours()


def origin_of(module: str) -> Origin | None:
    """What a module came with, if that is Scrutable or a distribution of plugins.

    >>> origin_of("scrutable.model").distribution
    'scrutable'
    >>> origin_of("json")
    """
    return _nearest(module, _packages()) or _nearest(module, _described())


def describe(module: str, origin: Origin) -> None:
    """Note what a module came with that a plugin's descriptor names; it may lie outside the entry point's package."""
    _DESCRIBED.setdefault(module, origin)


def origin_of_class(cls: type) -> Origin | None:
    """What a class came with; its module must know it by its name, since a class may call itself anything."""
    there: object = sys.modules.get(cls.__module__)
    for part in cls.__qualname__.split("."):
        there = getattr(there, part, None)
    return origin_of(cls.__module__) if there is cls else None


def raised_by(traceback: TracebackType | None) -> tuple[Origin | None, Origin | None]:
    """Whose code an exception arose in, and the third party's plugin that called it or whose object it was, if any.

    Libraries that either of them calls are passed over: who called them is asked.
    """
    raiser: Origin | None = None
    through: Origin | None = None
    while traceback is not None:
        frame = traceback.tb_frame
        owner = origin_of(frame.f_globals.get("__name__", ""))
        raiser = owner or raiser
        for each in (owner, origin_of(type(frame.f_locals.get("self")).__module__)):
            through = each if each is not None and not each.first_party else through
        traceback = traceback.tb_next
    return raiser, through


def reports_of(distribution: str) -> str | None:
    """Where a distribution's metadata say that faults are reported, or else where it lives."""
    with suppress(metadata.PackageNotFoundError, ValueError):
        said = metadata.metadata(distribution)
        urls: dict[str, str] = {}
        for line in said.get_all("Project-URL") or ():
            label, _, url = line.partition(",")
            urls.setdefault(re.sub(r"[\W_]+", "", label).lower(), url.strip())
        if "Home-page" in said:
            urls.setdefault("homepage", said["Home-page"])
        return next((urls[label] for label in (*_REPORTS, *_HOMES) if label in urls), None)
    return None


@functools.lru_cache(maxsize=256)  # many entry points are of one, whose metadata take long to read
def _named(distribution: metadata.Distribution) -> tuple[str, str]:
    header, _, _ = (distribution.read_text("METADATA") or "").partition("\n\n")
    fields = dict(line.split(": ", 1) for line in header.splitlines() if line.startswith(("Name: ", "Version: ")))
    if len(fields) == 2:
        return fields["Name"].strip(), fields["Version"].strip()
    said = distribution.metadata  # whose parser takes longer than all else that is read of a plugin
    return said["Name"], said["Version"]


@functools.cache
def _ours() -> frozenset[tuple[str, str]]:
    with suppress(metadata.PackageNotFoundError):
        points = metadata.distribution(OURS).entry_points
        return frozenset((point.name, point.value) for point in points if point.group == GROUP)
    return frozenset()


@functools.cache
def _packages() -> Mapping[str, Origin]:
    return packages(metadata.entry_points(group=GROUP))


def packages(entry_points: Iterable[metadata.EntryPoint]) -> dict[str, Origin]:
    """Origins by import name: modules of entry points, packages these are in, modules beside them; ours first."""
    origins = {"scrutable": Origin(OURS, metadata.version(OURS))}
    points = sorted(entry_points, key=lambda point: not is_ours(point))
    for point in points:
        origins.setdefault(point.module, origin(point))
    for point in points:
        origins.setdefault(point.module.partition(".")[0], origin(point))
    for point in points:
        for module in _modules(point.dist) if not is_ours(point) else ():
            nearest = _nearest(module, origins)
            if nearest is None or not nearest.first_party:
                origins.setdefault(module, origin(point))
    return origins


def _nearest(module: str, known: Mapping[str, Origin]) -> Origin | None:
    """What is known of a module, or of the smallest package around it."""
    name = module
    while name and name not in known:
        name = name.rpartition(".")[0]
    return known.get(name)


def _modules(distribution: metadata.Distribution | None) -> list[str]:
    """Modules of Python that a distribution's metadata list; none where it is installed as a link to its folder."""
    files = (distribution.files if distribution else None) or ()
    parts = [file.with_suffix("").parts for file in files if file.suffix == ".py" and file.parts[0] != ".."]
    return [".".join(each[:-1] if each[-1] == "__init__" else each) for each in parts]


def _described() -> dict[str, Origin]:
    """Origins by import name, of what descriptors name; the first plugin that names something has it."""
    origins = {_recognised(module, origin.distribution): origin for module, origin in reversed(_DESCRIBED.items())}
    return {name: origin for name, origin in origins.items() if name}


@functools.cache
def _recognised(module: str, distribution: str) -> str:
    """The package of a described module; the module alone, if others share the package; empty, if it is a library's."""
    top = module.partition(".")[0]
    owners = {canonical(name) for name in metadata.packages_distributions().get(top, ())}
    if top in sys.stdlib_module_names or (owners and canonical(distribution) not in owners):
        return ""
    return module if len(owners) > 1 else top
