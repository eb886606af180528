"""The exporter `java`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from scrutable.model import features_read
from scrutable.model.evaluator import OutputFrame, read_inputs
from scrutable.model.program import Program
from scrutable.plugins.bases import Export
from scrutable.writing import temporary_folder
from scrutable_source_code.common.exporter import SourceExporter
from scrutable_source_code.common.options import check_name
from scrutable_source_code.common.programs import Engine
from scrutable_source_code.common.statements import field_names, input_fields
from scrutable_source_code.common.templates import source
from scrutable_source_code.common.transfer import pack, unpack
from scrutable_source_code.java.language import Java
from scrutable_source_code.java.rendering import render

_COMPILER = Engine("javac", "Java", ("default-jdk-headless",))
#: What makes a short run start sooner.
_QUICK = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xss16m")


@dataclass(frozen=True, kw_only=True)
class JavaExporter(SourceExporter):
    """A model as one class of Java 8 or newer without dependencies.

    Scores, points, decisions, knock-outs, reasons, shortfalls and rules equal the evaluator's to the last bit;
    probabilities to two units in the last place. Results on request are those of `ResultOptions`.

    Parameters
    ----------
    name : the class, and the file's name without `.java`.
    package : the package that it is in; none if empty.

    Raises
    ------
    InputError : a name that Java does not take, or that the file has for something else.

    Examples
    --------
    >>> from scrutable.testing import card
    >>> text = JavaExporter().export(card()).text
    >>> print(text[text.index("            row.score") :].partition(chr(10))[0].strip())
    row.score = 500.0 + row.points_amount + row.points_job;
    """

    program: ClassVar[Engine] = Engine("java", "Java", ("default-jdk-headless",))
    name: str = "Score"
    package: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_name("name", self.name, Java.taken, "Java", but="(Part|Tables)[0-9].*")
        for part in self.package.split(".") if self.package else ():
            check_name("package", part, Java.taken, "Java")

    @property
    def file(self) -> str:
        """The file's name."""
        return f"{self.name}.java"

    def render(self, program: Program, header: Sequence[str]) -> str:
        """The text of the file."""
        return render(program, header, self.name, self.package)

    def run(self, export: Export, X: Any) -> OutputFrame:
        """Compile the class, and run it in a JVM of its own.

        Raises
        ------
        InputError : X lacks a column.
        KindError : a column of X is of another kind than the model reads.
        PluginError : a JDK is not there, or stops with an error.
        """
        columns, n_rows = read_inputs(export.model, X)
        results = export.results or ()
        fields = input_fields(features_read(export.model), Java())
        with temporary_folder() as folder:
            (folder / self.file).write_text(export.text, encoding="ascii", newline="\n")
            (folder / "_Run.java").write_text(source("java", "_Run.java"), encoding="ascii")
            renamed = {fields[name]: column for name, column in columns.items()}
            (folder / "rows.bin").write_bytes(pack(renamed, n_rows, results))
            self._compile(folder)
            name = f"{self.package}.{self.name}" if self.package else self.name
            arguments = ["-cp", ".", "_Run", name, *field_names(results, Java())]
            self.program.run([*_QUICK, *arguments], folder, [self.file])
            return unpack((folder / "results.bin").read_bytes(), n_rows, results)

    def _compile(self, folder: Path) -> None:
        quick = [f"-J{each}" for each in _QUICK]
        _COMPILER.run([*quick, "-proc:none", "-encoding", "ascii", "-d", ".", self.file, "_Run.java"], folder)
