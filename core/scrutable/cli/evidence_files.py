"""A model's evidence that goes on to the model made of it: one file is read, another is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from scrutable.cli.help_panels import OUTPUT
from scrutable.errors import InputError

if TYPE_CHECKING:
    from scrutable.model import Evidence, Model


@dataclass(frozen=True, kw_only=True)
class EvidenceFiles:
    """The file of a model's evidence, and the one that is written of the model made of it."""

    evidence: Annotated[Path | None, OUTPUT.option("--evidence", help="The model's evidence, to carry over.")] = None
    evidence_output: Annotated[
        Path | None, OUTPUT.option("--evidence-output", help="Evidence file to write, of the new model.")
    ] = None

    def inputs(self, output: Path | None) -> list[Path]:
        """The file that is read, if any; one of the two without the other, or both without a new model are refused.

        Raises
        ------
        InputError : such options.
        """
        if (self.evidence is None) != (self.evidence_output is None):
            fix = "give --evidence and --evidence-output, or neither"
            raise InputError("one evidence file is read and another written", where="--evidence", fix=fix)
        if self.evidence is not None and output is None:
            raise InputError("evidence belongs to a model that is written", where="--evidence", fix="give --output too")
        return [] if self.evidence is None else [self.evidence]

    def outputs(self, output: Path) -> list[Path]:
        """The files that are written: the model's, and that of its evidence if one is asked for."""
        return [output, *([] if self.evidence_output is None else [self.evidence_output])]

    def contents(self, old_model: Model, carry: Callable[[Evidence], Evidence]) -> dict[str, str | bytes]:
        """The content of the new model's evidence file by its path, where one is asked for.

        Parameters
        ----------
        carry : makes the new model's evidence of the old one's.

        Raises
        ------
        ModelError, InputError : a file that cannot be read, or is about another model.
        """
        if self.evidence is None:
            return {}
        from scrutable.cli.tables import read_evidence
        from scrutable.model import dumps_evidence

        return {str(self.evidence_output): dumps_evidence(carry(read_evidence(self.evidence, old_model)))}
