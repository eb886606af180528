"""The user's settings: a file of theirs, which environment variables add to."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from scrutable.errors import InputError

#: The settings file, where it is not in its usual place.
PLACE = "SCRUTABLE_SETTINGS"
_KEYS = ("disable", "min_cell", "requires_state", "signers")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the settings file says.

    Parameters
    ----------
    where : how errors name the file.
    disable : names of plugins and distributions that are blocked.
    min_cell : fewer rows than these are not told of on their own; None where the file does not say.
    requires_state : the state of sign-off that a model must be in to be deployed, or to decide about notices; None
        where any will do.
    signers : path of a file of allowed signers as OpenSSH has it, from the folder of the settings file; None where
        approvals need no signature.
    """

    where: str
    disable: tuple[str, ...] = ()
    min_cell: int | None = None
    requires_state: str | None = None
    signers: str | None = None


def settings_file(environment: Mapping[str, str] = os.environ) -> Path:
    """The user's settings: what `SCRUTABLE_SETTINGS` names, or `scrutable/settings.toml` among configuration files.

    >>> settings_file({"XDG_CONFIG_HOME": "/etc/mine"}).as_posix()
    '/etc/mine/scrutable/settings.toml'
    """
    if environment.get(PLACE):
        return Path(environment[PLACE])
    folder = environment.get("XDG_CONFIG_HOME") or environment.get("APPDATA")
    return Path(folder or os.path.expanduser("~/.config")) / "scrutable" / "settings.toml"


def read_settings() -> Settings:
    """The settings of the user's file; the defaults where there is none.

    Raises
    ------
    InputError : the file is no TOML, has a key that is none, or a value of another kind.
    """
    file = settings_file()
    try:
        stamp = file.stat().st_mtime_ns
    except OSError:
        stamp = None
    return _settings_in(file, stamp if file.is_file() else None)


@lru_cache(maxsize=1)
def _settings_in(file: Path, stamp: int | None) -> Settings:
    """What a file says that was changed last at this time; None where there is none."""
    where = f"file {str(file)!r}"
    if stamp is None:
        return Settings(where=where)
    from scrutable.writing.decoder import read_toml

    said = read_toml(file)
    for key in said:
        if key not in _KEYS:
            fix = "leave it out"
            raise InputError("no such setting", where=where, got=key, allowed=", ".join(_KEYS), fix=fix)
    names = said.get("disable", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        fix = 'write disable = ["plugin", "other"]'
        raise InputError("not a list of names", where=f"{where}, disable", got=names, fix=fix)
    least = None if "min_cell" not in said else check_least(said["min_cell"], f"{where}, min_cell")
    texts = {key: _text(said[key], f"{where}, {key}") for key in ("requires_state", "signers") if key in said}
    return Settings(where=where, disable=tuple(names), min_cell=least, **texts)


def _text(given: object, where: str) -> str:
    if isinstance(given, str) and given:
        return given
    raise InputError("not a text", where=where, got=given, fix="write a text between quotes, or leave it out")


def check_least(given: object, where: str) -> int:
    """A least number of rows: a whole number from 1 on.

    Raises
    ------
    InputError : it is something else.

    >>> check_least(5, "min_cell")
    5
    """
    if isinstance(given, int) and not isinstance(given, bool) and given >= 1:
        return given
    fix = "leave it out for the default; 1 tells of everybody"
    raise InputError("not a number of rows", where=where, got=given, allowed="a whole number from 1 on", fix=fix)
