"""A planted fault: a component that does one thing wrong, and the check that is there to catch it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from scrutable.plugins.base_classes import base_of
from scrutable.plugins.component import KINDS, Component, Kind
from scrutable.plugins.registry import Listing
from scrutable.testing.contract import Outcome, Subject, checks_for, run_check, run_checks

C = TypeVar("C", bound=type)

_PLANTED: list[PlantedFault] = []
#: What components of a kind produce where nothing else is declared.
_PRODUCE: dict[Kind, dict[str, Any]] = {
    "binner": {"produces": ("binning",)},
    "learner": {"produces": ("scorecard",)},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedFault:
    """A component with one fault.

    Parameters
    ----------
    component : its descriptor; its summary says what is wrong.
    check : the check that has to fail.
    """

    component: Component
    check: str

    def subject(self) -> Subject:
        """The component under its checks."""
        return Subject(Listing(self.component, "contract_planted", "", ""))

    def outcome(self) -> Outcome:
        """What came of the check that has to fail."""
        [check] = [each for each in checks_for(self.component) if each.name == self.check]
        return run_check(check, self.subject())

    def failing(self) -> list[str]:
        """Every check of the contract that fails: slow."""
        return [each.check for each in run_checks(self.subject()).outcomes if each.status == "failed"]


def planted(kind: Kind, *, check: str, **declared: Any) -> Callable[[C], C]:
    """Plant a class as a fault: its name becomes the component's, the first line of its docstring the summary.

    Parameters
    ----------
    check : name of the check that has to fail.
    declared : further fields of the `Component`, for example ``enforces=("trend",)``.
    """

    def plant(made: C) -> C:
        words = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in made.__name__)
        name = words.strip("-").replace("_", "-")
        said = {"summary": (made.__doc__ or "").strip().partition("\n")[0], "reference": "Nobody (2026)"}
        path = f"{made.__module__}:{made.__name__}"
        component = Component(name=name, kind=kind, path=path, **{**said, **_PRODUCE.get(kind, {}), **declared})
        _PLANTED.append(PlantedFault(component=component, check=check))
        return made

    return plant


def patched(base: type, method: str, *, check: str, **declared: Any) -> Callable[[Callable[..., Any]], type]:
    """Plant another component with one method replaced: the name of the function becomes the fault's.

    Parameters
    ----------
    check, declared : as in `planted`.
    """

    def plant(function: Callable[..., Any]) -> type:
        own = {method: function, "__doc__": function.__doc__, "__module__": function.__module__}
        made = type(function.__name__, (base,), own)
        return planted(next(kind for kind in KINDS if base_of(base, kind)), check=check, **declared)(made)

    return plant


def faults() -> list[PlantedFault]:
    """All that are planted, kind by kind, each once."""
    for module in pkgutil.iter_modules(importlib.import_module("contract_planted").__path__):
        if module.name != "__main__":
            importlib.import_module(f"contract_planted.{module.name}")
    return sorted(_PLANTED, key=lambda fault: KINDS.index(fault.component.kind))
