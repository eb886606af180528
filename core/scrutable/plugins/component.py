"""What a plugin says of a component, or of a command, before anything heavy is imported."""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from scrutable.errors import PluginError
from scrutable.plugins.containing import contained
from scrutable.plugins.origins import Origin, origin_of

Kind = Literal["binner", "learner", "constraint", "explainer", "exporter", "importer", "dialect", "selector", "source"]
#: Kinds that have a suite of checks, and a place in the catalogue.
KINDS: tuple[Kind, ...] = ("binner", "learner", "constraint", "explainer", "exporter")
#: Kinds by which a command, an exporter or a learner is widened; they are listed where they are asked for by kind.
ADDITIONS: tuple[Kind, ...] = ("importer", "dialect", "selector", "source")
#: What hooks return: components of each kind, and commands.
Offered = Kind | Literal["command"]
OFFERED: tuple[Offered, ...] = (*KINDS, *ADDITIONS, "command")
#: How components and commands are called: lower-case words with hyphens between.
NAME_PATTERN = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """A light descriptor; the class behind it is imported when it is asked for.

    Parameters
    ----------
    name : how users call it, unique within its kind.
    kind : binner, learner, constraint, explainer, exporter, importer, dialect, selector or source.
    path : "package.module:Class"; of a dialect its declaration, "package.module:NAME".
    summary : one line of what it does.
    reference : the paper, standard or book it follows.
    produces : kinds of model or files it makes, for example ("scorecard",); a learner that makes alternatives for a
        search says "alternatives", too.
    accepts : what it can work on: kinds of model for explainers and exporters, kinds of bound for learners, and for
        sources the packages whose objects they take in the place of a frame, as classes name them in `__module__`.
    enforces : kinds of bound or limit that its results are sure to keep; of a constraint on rates what they count:
        "approval", "error", or either of them "-of-good" or "-of-bad" payers, such as "approval-of-good".
    engines : what an exporter's files can be run on here, as `scrutable verify --engine` names it.
    extra : the extra of its distribution that installs what it needs, as in `pip install scrutable[extra]`; empty if
        its distribution needs none.
    requires : import names of packages that must be there, for a clear message when the extra is missing.
    options : what checks make it with, where its defaults will not do.
    known_failures : reason by name of a check that it fails and may fail; a check that it passes is not named here.

    Raises
    ------
    PluginError : a field of another type.

    Examples
    --------
    >>> Component(name="manual", kind="binner", path="scrutable_manual.binner:ManualBinner", summary="Fixed cuts").extra
    ''
    """

    name: str
    kind: Kind
    path: str
    summary: str
    reference: str = ""
    produces: tuple[str, ...] = ()
    accepts: tuple[str, ...] = ()
    enforces: tuple[str, ...] = ()
    engines: tuple[str, ...] = ()
    extra: str = ""
    requires: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    known_failures: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        _check_texts(self, "name", "kind", "path", "summary", "reference", "extra")
        kinds = (*KINDS, *ADDITIONS)
        _check(self, "kind", self.kind in kinds, ", ".join(kinds))
        _check(self, "name", ":" not in self.name, "a text without a colon, which stands behind a distribution")
        for name in ("produces", "accepts", "enforces", "engines", "requires"):
            value = getattr(self, name)
            texts = isinstance(value, tuple) and all(isinstance(each, str) for each in value)
            _check(self, name, texts, "a tuple of texts")
        _check(self, "engines", not any(":" in each for each in self.engines), "texts without a colon")
        for name in ("options", "known_failures"):
            value = getattr(self, name)
            texts = isinstance(value, Mapping) and all(isinstance(each, str) for each in value)
            _check(self, name, texts, "a mapping with texts as keys")

    @property
    def absent(self) -> tuple[str, ...]:
        """What it requires and is not installed here; nothing is imported to find out."""
        return tuple(name for name in self.requires if not _found(name))

    def installation(self, distribution: str) -> str:
        """The command that installs what is absent.

        Parameters
        ----------
        distribution : the one that has the extra.
        """
        return f"pip install '{distribution}[{self.extra}]'" if self.extra else f"pip install {' '.join(self.absent)}"

    def load(self, distribution: str = "scrutable") -> type[Any]:
        """Import the class.

        Parameters
        ----------
        distribution : the one that has the extra.

        Raises
        ------
        PluginError : what it needs is not installed, the machine lacks a library, or its module cannot be imported.
        """
        absent = self.absent
        if absent:
            raise PluginError(
                "a library it needs is not installed",
                where=f"{self.kind} {self.name!r}",
                got=", ".join(absent),
                fix=self.installation(distribution),
            )
        loaded: type[Any] = _imported(self.path, f"{self.kind} {self.name!r}")
        return loaded


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A light descriptor of a command of `scrutable`; its module is imported when it runs, or its own help is shown.

    Parameters
    ----------
    name : how users call it, unique within its group: lower-case words with hyphens between.
    path : "package.module:function", a function as Typer takes it. A `typer.Typer` there makes the command a group: it
        brings what the group says of itself, and its commands are those that name it, wherever they come from.
    summary : what the list of commands says of it: the first paragraph of the function's docstring.
    group : the command that it is a part of, such as "strategy"; empty for one of `scrutable` itself.
    order : its place in the list of commands, the lowest first; equal ones are listed by name.

    Raises
    ------
    PluginError : a field of another type, or a name that nobody could type.

    Examples
    --------
    >>> Command(name="bands", group="strategy", path="my_package.bands:bands", summary="Count by band.").words
    'strategy bands'
    """

    name: str
    path: str
    summary: str
    group: str = ""
    order: int = 1000

    def __post_init__(self) -> None:
        _check_texts(self, "name", "path", "summary", "group")
        _check(self, "name", NAME_PATTERN.fullmatch(self.name) is not None, "lower-case words with hyphens between")
        _check(self, "order", isinstance(self.order, int), "a whole number")

    @property
    def kind(self) -> str:
        """What it is, as errors call it; its name is unique among all that are alike in this."""
        return command_of(self.group)

    @property
    def words(self) -> str:
        """What stands behind `scrutable` to run it."""
        return f"{self.group} {self.name}".lstrip()

    def load(self) -> Any:
        """Import the function, or the group.

        Raises
        ------
        PluginError : the machine lacks a library, or its module cannot be imported.
        """
        return _imported(self.path, f"{self.kind} {self.name!r}")


def command_of(group: str) -> str:
    """What errors call a command of a group.

    >>> command_of(""), command_of("strategy")
    ('command', 'strategy command')
    """
    return f"{group} command".lstrip()


def _check_texts(descriptor: Component | Command, *names: str) -> None:
    for name in names:
        _check(descriptor, name, isinstance(getattr(descriptor, name), str), "a text")


def _check(descriptor: Component | Command, name: str, right: bool, allowed: str) -> None:
    if not right:
        raise PluginError(
            "a descriptor that cannot be used",
            where=f"{type(descriptor).__name__}, {name}",
            got=getattr(descriptor, name),
            allowed=allowed,
        )


def _imported(path: str, where: str) -> Any:
    """What stands at a path of the form "package.module:name"."""
    module, _, attribute = path.partition(":")
    try:
        with contained():
            return getattr(importlib.import_module(module), attribute)
    except Exception as error:
        from scrutable.plugins.machine import missing_library
        from scrutable.plugins.remedies import remedy

        origin = origin_of(module) or Origin()
        theirs = str(origin) and not origin.first_party
        raise missing_library(error, where) or PluginError(
            "its code cannot be imported",
            where=f"{where}{f', {origin}' if theirs else ''}",
            got=f"{type(error).__name__}: {error}",
            fix=remedy(error, origin) or f"look for the fault in {path}{f', or {origin.advice}' if theirs else ''}",
        ) from error


def _found(module: str) -> bool:
    """Whether the package is there that a module is in; a module's own lookup would import the package."""
    try:
        return importlib.util.find_spec(module.partition(".")[0]) is not None
    except (ImportError, ValueError):  # no name of a module, or one that is there without a specification
        return False
