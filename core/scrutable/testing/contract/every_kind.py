"""Checks of every component: how it is found, named, imported and made."""

from __future__ import annotations

import inspect
from importlib import metadata

from scrutable.plugins.base_classes import BASES, base_of
from scrutable.plugins.component import NAME_PATTERN
from scrutable.plugins.registry import Registry
from scrutable.testing.contract.check import Fault, check, deciding, require, said
from scrutable.testing.contract.processes import imported_by_listing
from scrutable.testing.contract.subject import Subject

_LONGEST_SUMMARY = 120


@deciding(
    of_descriptor=True, hint="see that the module of the entry point imports, and that its hook returns the Component"
)
def it_is_found(subject: Subject) -> None:
    """Its plugin's entry point alone leads to it, by its kind and name."""
    alone = Registry([subject.entry_point])
    for failure in alone.failures:
        raise Fault(f"the plugin {failure.plugin!r} is refused", got=failure.reason)
    listed = [each.component for each in alone.listings() if repr(each.component) == repr(subject.component)]
    require(listed, f"the plugin {subject.listing.plugin!r} does not offer it again", got=alone.listings())


@check(
    of_descriptor=True,
    hint="names are what users type: lower-case words with hyphens between, such as optimal or fair-trees",
)
def its_name_is_plain(subject: Subject) -> None:
    """Its name is lower-case words with hyphens between."""
    require(
        NAME_PATTERN.fullmatch(subject.component.name), "the name is not lower-case words", got=subject.component.name
    )


@check(of_descriptor=True, hint="say in a line what it does, since lists show it")
def its_summary_is_a_line(subject: Subject) -> None:
    """Its summary is one line."""
    summary = subject.component.summary
    require(summary.strip(), "the summary is empty")
    require("\n" not in summary and summary == summary.strip(), "the summary is more than a line", got=summary)
    require(summary.isprintable(), "the summary has characters that cannot be printed", got=repr(summary))
    require(len(summary) <= _LONGEST_SUMMARY, f"the summary has more than {_LONGEST_SUMMARY} characters", got=summary)


@check(
    of_descriptor=True,
    hint="import libraries in the module of the class, not in the one that the entry point names nor in its hooks",
)
def its_descriptor_imports_nothing_heavy(subject: Subject) -> None:
    """Listing it imports nothing but its own package, Scrutable and the standard library."""
    packages = imported_by_listing(subject.entry_point, subject.package)
    require(not packages, f"listing the plugin {subject.entry_point.value!r} imports {', '.join(packages)}")


@check(
    of_descriptor=True,
    hint="install it, or let an extra of the distribution do so, and name it in the Component: extra='...'",
)
def what_it_requires_is_there(subject: Subject) -> None:
    """Every library that it requires is installed, and its extra is one that its distribution has."""
    component = subject.component
    require(not component.absent, "a library that it requires is not installed", got=", ".join(component.absent))
    try:
        extras = metadata.metadata(subject.listing.distribution).get_all("Provides-Extra") or []
    except (metadata.PackageNotFoundError, ValueError):  # no name, or none that is installed
        return
    known = component.extra in ("", *extras)
    require(known, f"{subject.listing.distribution} has no extra of the name in its descriptor", got=component.extra)


@deciding(hint="subclass the base class of its kind in scrutable.plugins.bases")
def its_class_is_of_its_kind(subject: Subject) -> None:
    """Its class imports, and is a subclass of the base class of its kind."""
    loaded, kind = subject.load(), subject.component.kind
    require(isinstance(loaded, type), "its path leads to no class", got=loaded)
    require(base_of(loaded, kind), f"{loaded.__name__} is no {' or '.join(BASES[kind])}", got=loaded.__mro__)


@deciding(hint="give every option a default, or name in the Component what it is made with: options={...}")
def it_can_be_made(subject: Subject) -> None:
    """It can be made with its defaults, or with the options that its descriptor names."""
    try:
        subject.make()
    except Exception as error:
        raise Fault(f"{subject.load().__name__}({_shown(subject.options)}) raises", got=said(error)) from error


@deciding(
    hint="give the option another name: under this one it takes the place of what callers and the base class rely on"
)
def options_shadow_nothing_of_the_base(subject: Subject) -> None:
    """No option has the name of a method or property of its base class."""
    loaded = subject.load()
    base = base_of(loaded, subject.component.kind)
    assert base is not None  # the check before sees to it
    of_base = {name for name in dir(base) if _acts(inspect.getattr_static(base, name))}
    shadowing = sorted(of_base & set(inspect.signature(loaded).parameters))
    require(not shadowing, f"an option shadows what {base.__name__} has", got=", ".join(shadowing))


@check(hint="name every option in the signature of the constructor; take no **options")
def unknown_options_are_refused(subject: Subject) -> None:
    """An option that it does not have is refused."""
    try:
        subject.make(no_such_option=1)
    except Exception:
        return
    raise Fault("an option that it does not have is taken and passed over", got="no_such_option=1")


def _acts(attribute: object) -> bool:
    """Whether an attribute of a class is a method or property, and no default value."""
    return callable(attribute) or isinstance(attribute, property | classmethod | staticmethod)


def _shown(options: dict[str, object]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in options.items())
