"""Checks of what is not a component's own: random states, environment, folder and settings of this process."""

from __future__ import annotations

import os
import random
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from scrutable.testing.contract.check import check, require
from scrutable.testing.contract.results import results
from scrutable.testing.contract.subject import Subject


@dataclass(frozen=True, slots=True)
class _Setting:
    """Something that all code of a process shares."""

    read: Callable[[], Any]
    restore: Callable[[Any], object]


def _options(node: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Name and value of every option of pandas."""
    for name in dir(node):
        value = getattr(node, name)
        if isinstance(value, type(pd.options)):
            yield from _options(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _restore_environment(before: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(before)


def _restore_options(before: dict[str, Any]) -> None:
    for name, value in dict(_options(pd.options)).items():
        if repr(value) != repr(before[name]):
            pd.set_option(name, before[name])


_SETTINGS = {
    "the state of NumPy's random numbers": _Setting(lambda: np.random.get_state(legacy=False), np.random.set_state),
    "the state of Python's random numbers": _Setting(random.getstate, random.setstate),
    "environment variables": _Setting(lambda: dict(os.environ), _restore_environment),
    "the working folder": _Setting(os.getcwd, os.chdir),
    "options of pandas": _Setting(lambda: dict(_options(pd.options)), _restore_options),
    "NumPy's handling of errors": _Setting(np.geterr, lambda before: np.seterr(**before)),
}


@check(hint="draw from np.random.default_rng(seed), and pass settings to the calls that need them")
def its_surroundings_stay_as_they_were(subject: Subject) -> None:
    """Using it changes no random state, environment variable, working folder or option that others share."""
    subject.make()
    with kept() as before:
        subject.keep("results", results(subject))
        after = _read()
    changed = [what for what in before if repr(before[what]) != repr(after[what])]
    changes = [what + _differing(before[what], after[what]) for what in changed]
    require(not changes, f"using it changes {'; '.join(changes)}")


@contextmanager
def kept() -> Iterator[dict[str, Any]]:
    """What is shared, by what it is; put back as it was afterwards. Random states are such as no seed gives."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.random.random_sample()
        random.random()
        before = _read()
        try:
            yield before
        finally:
            for what, setting in _SETTINGS.items():
                setting.restore(before[what])


def _read() -> dict[str, Any]:
    return {what: setting.read() for what, setting in _SETTINGS.items()}


def _differing(before: Any, after: Any) -> str:
    """Which entries differ, where there are entries with names."""
    if not isinstance(before, dict) or "bit_generator" in before:
        return ""
    names = sorted(name for name in {*before, *after} if repr(before.get(name)) != repr(after.get(name)))
    return f" ({', '.join(names)})"
