"""What the catalogue is made from: results of checks, and the distributions of third parties."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name

from scrutable.errors import InputError, PluginError, did_you_mean
from scrutable.plugins.component import KINDS
from scrutable.writing.decoder import read_json
from scrutable.writing.files import read_text

#: What every entry of a results file holds, and of what type.
_TYPES: dict[str, type] = {
    **dict.fromkeys(
        ("kind", "name", "summary", "reference", "distribution", "version", "maintainer", "scrutable"), str
    ),
    **dict.fromkeys(("produces", "accepts", "enforces", "others"), list),
    **dict.fromkeys(("checks", "passed", "hooks"), int),
}
_OTHER = ("check", "status", "reason")
#: Where a distribution's home may be: on the web, or beside the catalogue.
_HOME = re.compile(r"https://\S+|[\w./-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ThirdParty:
    """A distribution that others keep.

    Parameters
    ----------
    distribution : its name, as `pip install` takes it.
    home : where its code is: an address, or a path within the documentation.
    licence : by its SPDX name, for example "BSD-3-Clause".
    """

    distribution: str
    home: str
    licence: str


def read_results(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """The entries of files that `scrutable plugins check --output` wrote.

    Raises
    ------
    InputError : a file that is none of these, a component that is in two of them.
    """
    entries: dict[tuple[str, str, str], dict[str, Any]] = {}
    for path in paths:
        for entry in _entries(path):
            key = (entry["distribution"], entry["kind"], entry["name"])
            if key in entries:
                raise InputError(
                    "a component with two results", where=f"file {str(path)!r}", got=" ".join(key), fix="keep one"
                )
            entries[key] = entry
    return list(entries.values())


def read_third_parties(path: Path) -> dict[str, ThirdParty]:
    """The distributions of a YAML file, by name; see docs/plugins/listing.md.

    Raises
    ------
    InputError : no YAML, an entry that lacks something, holds something else, or is there twice.
    PluginError : PyYAML is not installed.
    """
    listed: dict[str, ThirdParty] = {}
    for place, entry in enumerate(_yaml(path), 1):
        made = _third_party(entry, f"file {str(path)!r}, entry {place}")
        if made.distribution in listed:
            raise InputError("listed twice", where=f"file {str(path)!r}", got=made.distribution, fix="keep one of them")
        listed[made.distribution] = made
    return listed


def _entries(path: Path) -> list[dict[str, Any]]:
    data = read_json(path)
    if not isinstance(data, list) or not all(map(_is_entry, data)):
        raise InputError(
            "no results of checks",
            where=f"file {str(path)!r}",
            fix="write them with scrutable plugins check --output, of this release",
        )
    return data


def _is_entry(entry: Any) -> bool:
    if not isinstance(entry, dict) or not all(isinstance(entry.get(key), kind) for key, kind in _TYPES.items()):
        return False
    others = all(
        isinstance(each, dict) and all(isinstance(each.get(k), str) for k in _OTHER) for each in entry["others"]
    )
    return entry["kind"] in KINDS and others and entry["checks"] == entry["passed"] + len(entry["others"])


def _yaml(path: Path) -> list[Any]:
    try:
        import yaml
    except ImportError as error:
        raise PluginError("YAML cannot be read", fix="pip install 'scrutable[catalogue]'") from error
    try:
        data = yaml.safe_load(read_text(path))
    except yaml.YAMLError as error:
        raise InputError("not valid YAML", where=f"file {str(path)!r}", got=str(error)) from None
    if not isinstance(data, list):
        raise InputError("the file is a list of distributions", where=f"file {str(path)!r}", got=data)
    return data


def _third_party(entry: Any, where: str) -> ThirdParty:
    names = [each.name for each in fields(ThirdParty)]
    if not isinstance(entry, Mapping):
        raise InputError("an entry names a distribution", where=where, got=entry, allowed=", ".join(names))
    for key in entry:
        if key not in names:
            raise InputError("unknown key", where=where, got=key, fix=did_you_mean(key, names))
    for name in names:
        if not isinstance(entry.get(name), str) or not entry[name].strip():
            raise InputError("an entry says this as a text", where=f"{where}, {name}", got=entry.get(name))
    if not _HOME.fullmatch(entry["home"]):
        raise InputError(
            "no home of a distribution", where=f"{where}, home", got=entry["home"], allowed="https://…, or a path"
        )
    return ThirdParty(**{**entry, "distribution": canonicalize_name(entry["distribution"])})
