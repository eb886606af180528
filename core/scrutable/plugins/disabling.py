"""Plugins that the user blocks: by the environment variable `SCRUTABLE_DISABLE`, or for good in a settings file."""

from __future__ import annotations

import os

from scrutable.errors import warn_caller
from scrutable.writing.settings import PLACE, read_settings

#: Names of plugins or distributions, with commas between.
VARIABLE = "SCRUTABLE_DISABLE"


def disabled() -> dict[str, str]:
    """Names of plugins and distributions that are blocked, and what blocks each.

    Raises
    ------
    InputError : as in `read_settings`.
    """
    settings = read_settings()
    if (named_file := os.environ.get(PLACE)) and not os.path.isfile(named_file):
        warn_caller(f"{PLACE} names {named_file!r}, which is no file, so no setting counts", UserWarning)
    named = [name.strip() for name in os.environ.get(VARIABLE, "").split(",")]
    return {**dict.fromkeys(settings.disable, settings.where), **{name: VARIABLE for name in named if name}}
