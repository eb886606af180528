"""What the exporters of all languages do alike."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from scrutable.model import Evidence, Model
from scrutable.model.evaluator import read_inputs
from scrutable.model.program import Program, added_up, kept, lowered
from scrutable.plugins import heading_lines
from scrutable.plugins.bases import Export, Exporter, ResultOptions
from scrutable_source_code.common.programs import Engine

EXCLUDED = "rows with a text that is not valid Unicode (a lone surrogate), which has no form in UTF-8"


@dataclass(frozen=True, kw_only=True)
class SourceExporter(ResultOptions, Exporter):
    """A model as one file of source code; the options of all languages are those of `ResultOptions`."""

    #: What is said to run it.
    program: ClassVar[Engine]

    @property
    @abstractmethod
    def file(self) -> str:
        """The file's name."""

    @abstractmethod
    def render(self, program: Program, header: Sequence[str]) -> str:
        """The text of the file; `header` is lines of words."""

    def export(self, model: Model, *, evidence: Evidence | None = None) -> Export:
        """The model as one file."""
        program = lowered(model)
        program = added_up(kept(program, self.names(program)))
        return Export(
            model=model,
            files={self.file: self.render(program, heading_lines(model))},
            results=program.names,
            excluded=EXCLUDED if any(feature.kind == "categorical" for feature in model.features) else "",
        )

    def holds(self, export: Export, X: Any) -> NDArray[np.bool_]:
        """(n,) rows whose texts are valid Unicode."""
        columns, n_rows = read_inputs(export.model, X)
        texts = [column.encodable for column in columns.values() if column.kind == "categorical"]
        held: NDArray[np.bool_] = np.logical_and.reduce([np.ones(n_rows, dtype=bool), *texts])
        return held

    def engine(self) -> str:
        """Name and version of what `run` starts."""
        return self.program.version()
