"""A model's evidence that goes on to the model made of it: one file is read, another is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrutable.cli.options import OUTPUT
from scrutable.errors import InputError

if TYPE_CHECKING:
    from scrutable.model import Evidence, Model

EvidenceInput = Annotated[
    Path | None, typer.Option("--evidence", help="The model's evidence, to carry over.", rich_help_panel=OUTPUT)
]
EvidenceOutput = Annotated[
    Path | None,
    typer.Option("--evidence-output", help="Evidence file to write, of the new model.", rich_help_panel=OUTPUT),
]


def check_evidence(evidence: Path | None, evidence_output: Path | None, output: Path | None) -> list[Path]:
    """Refuse one of the two files without the other, or both without a new model; the file that is read, if any.

    Raises
    ------
    InputError : such options.
    """
    if (evidence is None) != (evidence_output is None):
        fix = "give --evidence and --evidence-output, or neither"
        raise InputError("one evidence file is read and another written", where="--evidence", fix=fix)
    if evidence is not None and output is None:
        raise InputError("evidence belongs to a model that is written", where="--evidence", fix="give --output too")
    return [] if evidence is None else [evidence]


def carried_evidence(
    evidence: Path | None, evidence_output: Path | None, old_model: Model, carry: Callable[[Evidence], Evidence]
) -> dict[str, str | bytes]:
    """The content of the new model's evidence file by its path, where one is asked for.

    Parameters
    ----------
    carry : makes the new model's evidence of the old one's.

    Raises
    ------
    ModelError, InputError : a file that cannot be read, or is about another model.
    """
    if evidence is None:
        return {}
    from scrutable.cli import read_evidence
    from scrutable.model import dumps_evidence

    return {str(evidence_output): dumps_evidence(carry(read_evidence(evidence, old_model)))}
