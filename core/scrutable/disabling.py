"""Plugins that the user blocks: by the environment variable `SCRUTABLE_DISABLE`, or for good in a settings file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from scrutable.decoder import read_toml
from scrutable.errors import InputError, warn_caller

#: Names of plugins or distributions, with commas between.
VARIABLE = "SCRUTABLE_DISABLE"
#: The settings file, where it is not in its usual place.
PLACE = "SCRUTABLE_SETTINGS"


def disabled() -> dict[str, str]:
    """Names of plugins and distributions that are blocked, and what blocks each.

    Raises
    ------
    InputError : the settings file is no TOML, or says something else than `disable = ["name", ...]`.
    """
    named = [name.strip() for name in os.environ.get(VARIABLE, "").split(",")]
    return {**_in_settings(settings_file()), **{name: VARIABLE for name in named if name}}


def settings_file(environment: Mapping[str, str] = os.environ) -> Path:
    """The user's settings: what `SCRUTABLE_SETTINGS` names, or `scrutable/settings.toml` among configuration files.

    >>> settings_file({"XDG_CONFIG_HOME": "/etc/mine"}).as_posix()
    '/etc/mine/scrutable/settings.toml'
    """
    if environment.get(PLACE):
        return Path(environment[PLACE])
    folder = environment.get("XDG_CONFIG_HOME") or environment.get("APPDATA")
    return Path(folder or os.path.expanduser("~/.config")) / "scrutable" / "settings.toml"


def _in_settings(file: Path) -> dict[str, str]:
    if not file.is_file():
        if os.environ.get(PLACE):
            warn_caller(f"{PLACE} names {str(file)!r}, which is no file, so no setting counts", UserWarning)
        return {}
    where, said = f"file {str(file)!r}", read_toml(file)
    for key in said:
        if key != "disable":
            raise InputError("no such setting", where=where, got=key, allowed="disable", fix="leave it out")
    names = said.get("disable", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InputError(
            "not a list of names", where=f"{where}, disable", got=names, fix='write disable = ["plugin", "other"]'
        )
    return dict.fromkeys(names, where)
