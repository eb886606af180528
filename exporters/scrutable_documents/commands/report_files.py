"""Where the files of a model's document go."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from scrutable.cli import output_folder
from scrutable.errors import InputError
from scrutable_documents.report.options import FORMATS

_NAME = "report"


def targets(output: str, formats: Sequence[str]) -> dict[str, str]:
    """The path of each format: in a folder all that are asked for, else the one that the file's ending names.

    Raises
    ------
    InputError : an unknown format, an ending that names none, or another than is asked for.

    Examples
    --------
    >>> targets("model.pdf", [])
    {'pdf': 'model.pdf'}
    """
    unknown = [form for form in formats if form not in FORMATS]
    if unknown:
        raise InputError(
            "unknown format of a document",
            where="--format",
            got=unknown[0],
            allowed="html or pdf",
            fix="give one of them",
        )
    if os.path.isdir(output) or output.endswith(("/", "\\")):
        folder = output_folder(output)
        return {form: str(folder / f"{_NAME}.{form}") for form in dict.fromkeys(formats or ["html"])}
    form = Path(output).suffix.lower().removeprefix(".")
    if form not in FORMATS or set(formats) - {form}:
        raise InputError(
            "the ending says another format" if form in FORMATS else "the ending says no format of a document",
            where=f"--output {output!r}",
            got=Path(output).suffix,
            allowed=" or ".join(f".{each}" for each in formats or FORMATS),
            fix="name the file accordingly, or give a folder with a slash at its end",
        )
    return {form: output}
