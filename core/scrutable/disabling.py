"""Plugins that the user blocks: by the environment variable `SCRUTABLE_DISABLE`, or for good in a settings file."""

from __future__ import annotations

import os

from scrutable.settings import read_settings

#: Names of plugins or distributions, with commas between.
VARIABLE = "SCRUTABLE_DISABLE"


def disabled() -> dict[str, str]:
    """Names of plugins and distributions that are blocked, and what blocks each.

    Raises
    ------
    InputError : as in `read_settings`.
    """
    settings = read_settings()
    named = [name.strip() for name in os.environ.get(VARIABLE, "").split(",")]
    return {**dict.fromkeys(settings.disable, settings.where), **{name: VARIABLE for name in named if name}}
