"""Where the page of a result goes, and its JSON: a file of either form, or a folder for both."""

from __future__ import annotations

import os
from pathlib import Path

from scrutable.cli.folders import output_folder
from scrutable.errors import InputError

FORMS = (".json", ".html")


def page_targets(output: str | None, name: str) -> list[str]:
    """The paths to write; in a folder, files of this name.

    Raises
    ------
    InputError : an ending that names neither form.

    Examples
    --------
    >>> page_targets("proof.html", "certificate"), page_targets(None, "certificate")
    (['proof.html'], [])
    """
    if output is None:
        return []
    if os.path.isdir(output) or output.endswith(("/", "\\")):
        folder = output_folder(output)
        return [str(folder / f"{name}{form}") for form in FORMS]
    if Path(output).suffix not in FORMS:
        raise InputError(
            "unknown kind of file",
            where=f"--output {output!r}",
            got=Path(output).suffix,
            allowed=", ".join(FORMS),
            fix="name a file accordingly, or a folder with a slash at its end",
        )
    return [output]
