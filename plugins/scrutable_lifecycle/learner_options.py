"""The options that a registered learner takes."""

from __future__ import annotations

import inspect
from collections.abc import Mapping

from scrutable import registry
from scrutable.errors import InputError


def options_of(learner: str) -> Mapping[str, inspect.Parameter]:
    """The options of a registered learner."""
    return inspect.signature(registry().load("learner", learner)).parameters


def default_binner(learner: str) -> str:
    """The binner of a learner that is given options for it, and no name.

    Raises
    ------
    InputError : the learner takes no binner, or has none by default.
    """
    taken = options_of(learner)
    if "binner" not in taken or not isinstance(default := taken["binner"].default, str):
        fix = "leave it out" if "binner" not in taken else "name the binner, too: --binner NAME"
        raise InputError(f"the learner {learner!r} has no binner by default", where="--binner-option", fix=fix)
    return default
