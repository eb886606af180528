"""The exporter `javascript`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from scrutable.model.evaluator import OutputFrame, read_inputs
from scrutable.model.program import Program
from scrutable.plugins.bases import Export
from scrutable.writing import temporary_folder
from scrutable_source_code.common.exporter import SourceExporter
from scrutable_source_code.common.options import check_name
from scrutable_source_code.common.programs import Engine
from scrutable_source_code.common.templates import source
from scrutable_source_code.common.transfer import pack, unpack
from scrutable_source_code.javascript.language import JavaScript
from scrutable_source_code.javascript.rendering import render


@dataclass(frozen=True, kw_only=True)
class JavaScriptExporter(SourceExporter):
    """A model as one module of JavaScript (ECMAScript 2022) without dependencies, for servers and browsers.

    Scores, points, decisions, knock-outs, reasons, shortfalls and rules equal the evaluator's to the last bit;
    probabilities to two units in the last place. Results on request are those of `ResultOptions`.

    Parameters
    ----------
    function : the function that scores one row, and the file's name without `.mjs`; `<function>_rows` scores several.

    Raises
    ------
    InputError : a name that JavaScript does not take, or that something else has already.

    Examples
    --------
    >>> from scrutable.testing import card
    >>> text = JavaScriptExporter().export(card()).text
    >>> print(text[text.index("    const score") :].partition(chr(10))[0].strip())
    const score = 500.0 + points_amount + points_job;
    """

    program: ClassVar[Engine] = Engine("node", "Node.js", ("nodejs",))
    function: str = "score"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_name("function", self.function, JavaScript.taken, "JavaScript")

    @property
    def file(self) -> str:
        """The file's name."""
        return f"{self.function}.mjs"

    def render(self, program: Program, header: Sequence[str]) -> str:
        """The text of the file."""
        return render(program, header, self.function)

    def run(self, export: Export, X: Any) -> OutputFrame:
        """Run the module in a node of its own.

        Raises
        ------
        InputError : X lacks a column.
        KindError : a column of X is of another kind than the model reads.
        PluginError : node is not there, or stops with an error.
        """
        columns, n_rows = read_inputs(export.model, X)
        results = export.results or ()
        with temporary_folder() as folder:
            (folder / self.file).write_text(export.text, encoding="ascii", newline="\n")
            (folder / "_run.mjs").write_text(source("javascript", "_run.mjs"), encoding="ascii")
            (folder / "rows.bin").write_bytes(pack(columns, n_rows, results))
            self.program.run(["_run.mjs", self.file, self.function], folder, [self.file])
            return unpack((folder / "results.bin").read_bytes(), n_rows, results)
