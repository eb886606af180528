"""One run of `scrutable report`: the document of a model, and where it goes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrutable.cli import output_folder
from scrutable.data import Probabilities, check_columns, read_groups
from scrutable.errors import InputError

if TYPE_CHECKING:
    from scrutable.model import Model

FORMATS = ("html", "pdf")
_NAME = "report"


@dataclass(frozen=True, kw_only=True)
class Measuring:
    """What a model is measured on.

    Parameters
    ----------
    data, reference : files of applicants, and of those that the model was developed on.
    target : column of the outcomes.
    protected : columns of protected attributes.
    probabilities : columns of membership probabilities, by attribute and group.
    reference_groups : group to compare with by attribute; the largest where none is named.
    """

    data: Path | None = None
    target: str | None = None
    protected: Sequence[str] = ()
    probabilities: Probabilities = field(default_factory=dict)
    reference_groups: Mapping[str, str] = field(default_factory=dict)
    reference: Path | None = None

    @property
    def files(self) -> list[Path]:
        """The files that are read."""
        return [path for path in (self.data, self.reference) if path is not None]

    def options(self, model: Model) -> dict[str, Any]:
        """The same as options of the exporter, the files read."""
        data = None if self.data is None else _applicants(model, self.data)
        made = self.probabilities or self.reference_groups
        return {
            "data": data,
            "target": self.target,
            "protected": self._groups(data) if made else list(self.protected) or None,
            "reference": None if self.reference is None else _applicants(model, self.reference),
        }

    def _groups(self, data: Any) -> Any:
        """Groups of which some are not known, or references named; without data names, for the exporter to refuse."""
        if data is None:
            return [*self.protected, *self.probabilities]
        check_columns(data, self.protected, self.probabilities)
        return read_groups(data, self.protected, self.probabilities, reference=self.reference_groups)


def make_report(
    model_path: Path, evidence_path: Path | None, measuring: Measuring, texts: dict[str, Any], formats: Sequence[str]
) -> dict[str, str | bytes]:
    """Contents by format.

    Raises
    ------
    InputError, ModelError, PluginError : a file that cannot be used, or no exporter of documents.
    """
    from scrutable.cli import read_evidence, read_model
    from scrutable.plugins import Choice
    from scrutable.plugins.bases import exported

    model = read_model(model_path)
    evidence = None if evidence_path is None else read_evidence(evidence_path, model)
    given = {**texts, **measuring.options(model), "format": list(formats)}
    made = exported(Choice(name=_NAME).create("exporter", **given), model, evidence=evidence)
    return dict(zip(formats, made.files.values(), strict=True))


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


def _applicants(model: Model, path: Path) -> Any:
    from scrutable.cli import read_data

    return read_data(path, model)
