"""What a plugin says of a component before anything heavy is imported."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from scrutable.errors import PluginError

Kind = Literal["binner", "learner", "constraint", "explainer", "exporter"]
KINDS: tuple[Kind, ...] = ("binner", "learner", "constraint", "explainer", "exporter")


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """A light descriptor; the class behind it is imported when it is asked for.

    Parameters
    ----------
    name : how users call it, unique within its kind.
    kind : binner, learner, constraint, explainer or exporter.
    path : "package.module:Class".
    summary : one line of what it does.
    reference : the paper, standard or book it follows.
    produces : kinds of model or files it makes, for example ("scorecard",).
    accepts : what it can work on: kinds of model for explainers and exporters, kinds of bound for learners.
    enforces : kinds of bound or limit that its results are sure to keep.
    engines : what an exporter's files can be run on here, as `scrutable verify --engine` names it.
    extra : the extra of its distribution that installs what it needs, as in `pip install scrutable[extra]`; empty if
        its distribution needs none.
    requires : import names that must be there, for a clear message when the extra is missing.
    options : what checks make it with, where its defaults will not do.
    known_failures : reason by name of a check that it fails and may fail; a check that it passes is not named here.

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

    @property
    def absent(self) -> tuple[str, ...]:
        """What it requires and cannot be found here; nothing is imported to find out."""
        return tuple(name for name in self.requires if not _found(name))

    def load(self, distribution: str = "scrutable") -> type[Any]:
        """Import the class.

        Parameters
        ----------
        distribution : the one that has the extra.

        Raises
        ------
        PluginError : what it needs is not installed, or its module cannot be imported.
        """
        absent = self.absent
        if absent:
            raise PluginError(
                "a library it needs is not installed",
                where=f"{self.kind} {self.name!r}",
                got=", ".join(absent),
                fix=f"pip install '{distribution}[{self.extra}]'" if self.extra else f"pip install {' '.join(absent)}",
            )
        module, _, attribute = self.path.partition(":")
        try:
            loaded: type[Any] = getattr(importlib.import_module(module), attribute)
        except Exception as error:
            raise PluginError(
                "its code cannot be imported",
                where=f"{self.kind} {self.name!r}",
                got=f"{type(error).__name__}: {error}",
                fix=f"look for the fault in {self.path}",
            ) from error
        return loaded


def _found(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # the package that would hold it is not there
        return False
