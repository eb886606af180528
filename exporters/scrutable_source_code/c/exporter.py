"""The exporter `c`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from scrutable.model.evaluator import OutputFrame, read_inputs
from scrutable.model.program import Program
from scrutable.plugins.bases import Export
from scrutable.writing import temporary_folder
from scrutable_source_code.c.calling import Library
from scrutable_source_code.c.language import C
from scrutable_source_code.c.rendering import render
from scrutable_source_code.common.exporter import SourceExporter
from scrutable_source_code.common.options import check_name
from scrutable_source_code.common.programs import Engine

_COMPILED = ("-std=c11", "-O2", "-ffp-contract=off", "-shared", "-fPIC")


@dataclass(frozen=True, kw_only=True)
class CExporter(SourceExporter):
    """A model as one file of C11 without dependencies.

    Scores, points, decisions, knock-outs, reasons, shortfalls and rules equal the evaluator's to the last bit;
    probabilities to two units in the last place. Results on request are those of `ResultOptions`.

    Parameters
    ----------
    name : the function that scores one row, the file's name without `.c`, and what all other names begin with.

    Raises
    ------
    InputError : a name that C does not take, or that its library or the file has for something else.

    Examples
    --------
    >>> from scrutable.testing import card
    >>> text = CExporter().export(card()).text
    >>> print(text[text.index("    ROWS s->score") :].partition(chr(10))[0].strip())
    ROWS s->score[i] = 500.0 + s->points_amount[i] + s->points_job[i];
    """

    program: ClassVar[Engine] = Engine("cc", "C", ("gcc", "libc6-dev"))
    name: str = "score"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_name("name", self.name, C.taken | C.library, "C", but="part_[0-9]+")

    @property
    def file(self) -> str:
        """The file's name."""
        return f"{self.name}.c"

    def render(self, program: Program, header: Sequence[str]) -> str:
        """The text of the file."""
        return render(program, header, self.name)

    def run(self, export: Export, X: Any) -> OutputFrame:
        """Compile the file to a shared library, and call it.

        Raises
        ------
        InputError : X lacks a column.
        KindError : a column of X is of another kind than the model reads.
        PluginError : there is no compiler, or it stops with an error.
        """
        columns, n_rows = read_inputs(export.model, X)
        with temporary_folder() as folder:
            (folder / self.file).write_text(export.text, encoding="ascii", newline="\n")
            self.program.run([*_COMPILED, self.file, "-o", "score.so", "-lm"], folder, [self.file])
            library = Library(folder / "score.so", self.name)
        return library.results(export.model, columns, n_rows, export.results or ())
