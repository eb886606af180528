"""Versions of one dbt model: each has a file of its own, and one file tells dbt of all of them."""

from __future__ import annotations

import re

from scrutable.errors import InputError
from scrutable_sql.quoting import Qualified

#: What dbt is told of versions of one model, and where one of them begins; each text in it is in a line of ASCII.
_FILE = re.compile(
    r"version: 2\n\nmodels:\n  - name: (\w+)\n    latest_version: \d+\n    versions:\n((?: {6}[ -~]+\n)+)", re.ASCII
)
_VERSION = re.compile(r"^ {6}- v: (\d{1,9})\n", re.M | re.ASCII)


def versions_of(text: str | None) -> dict[int, str]:
    """The versions that a `<name>.yml` of this exporter tells of, as they stand in it, by number.

    The last end of a line may be missing, as it is where a shell put the text there.

    Raises
    ------
    InputError : it is not such a text.

    Examples
    --------
    >>> head = "version: 2\\n\\nmodels:\\n  - name: scores\\n    latest_version: 1\\n    versions:\\n"
    >>> versions_of(head + "      - v: 1\\n        columns:\\n"), versions_of(None)
    ({1: '        columns:\\n'}, {})
    """
    if text is None:
        return {}
    entries = _VERSION.split(_matched(text)[2])[1:]
    return {int(number): entry for number, entry in zip(entries[::2], entries[1::2], strict=True)}


def check_versions(
    form: str, name: Qualified | None, version: int | None, latest: int | None, earlier: str | None
) -> None:
    """Refuse versions that cannot stand beside each other.

    Raises
    ------
    InputError : there is no version, it is there already, the latest is none of them, or they are of another model.
    """
    beside = "latest" if latest is not None else "earlier" if earlier is not None else None
    if form != "dbt" and beside is not None:
        raise InputError("only dbt has versions beside each other", where=f"option {beside}", fix="give form='dbt'")
    if version is None and beside is not None:
        raise InputError("only a version has others beside it", where="option version", got=None, fix="give its number")
    if version is None or form != "dbt":
        return
    there = versions_of(earlier)
    if version in there:
        fix = f"give another, for example version={max(there) + 1}"
        raise InputError("a version that is there already", where="option version", got=version, fix=fix)
    if latest is not None and latest not in (*there, version):
        allowed = ", ".join(map(str, sorted((*there, version))))
        fix = "name one of them, or give the file that tells of earlier ones as option earlier"
        raise InputError("no version of that number", where="option latest", got=latest, allowed=allowed, fix=fix)
    if earlier is not None and _matched(earlier)[1] != name:
        fix = "give the file of the same model"
        raise InputError("versions of another model", where="option earlier", got=_matched(earlier)[1], fix=fix)


def _matched(text: str) -> re.Match[str]:
    matched = _FILE.fullmatch(text.rstrip("\n") + "\n")
    if matched is None or not _VERSION.match(matched[2]):
        raise InputError(
            "not what this exporter writes of the versions of a dbt model",
            where="option earlier",
            fix="give the text of the <name>.yml that it wrote with version=…, as it was written, and no path; in a "
            'shell --option earlier="$(cat scores.yml)"',
        )
    return matched
