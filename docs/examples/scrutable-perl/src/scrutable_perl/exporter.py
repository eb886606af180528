"""The exporter `perl`, and `perl` itself."""

from __future__ import annotations

import shutil
import subprocess
from typing import Any

import numpy as np
from scrutable.errors import PluginError
from scrutable.model import Evidence, Model
from scrutable.model.evaluator import OutputFrame, kind_of, read_inputs
from scrutable.model.program import added_up, kept, lowered
from scrutable.plugins import heading_lines
from scrutable.plugins.bases import Export, Exporter
from scrutable.writing import temporary_folder

from scrutable_perl.rendering import literal, number, render

FILE = "Score.pm"
#: Tells results of rows: of numbers 17 digits, which are enough for every double, of texts their code points.
_DRIVER = """require $ARGV[0]; my $INF = 9**9**9;
for my $told (map {{ Score::score($_) }} {rows}) {{
    my @cells = map {{ defined $told->{{$_->[1]}} ? sprintf $_->[0], $told->{{$_->[1]}} : '-' }} {names};
    print "@cells\\n";
}}"""


class PerlExporter(Exporter):
    """A model as the module `Score.pm` for perl 5.22 or newer, which is on every Debian.

    Everything that the evaluator says of a row, reasons among it, is equal to the last bit, and probabilities are equal
    to two units in the last place.

    Examples
    --------
    >>> from scrutable.testing import card
    >>> text = PerlExporter().export(card()).text
    >>> print(text[text.index("    my $score") :].partition("\\n")[0].strip())
    my $score = (500 + $points_amount_2 + $points_job_2);
    """

    def export(self, model: Model, *, evidence: Evidence | None = None) -> Export:
        """The model as one file."""
        program = lowered(model)
        program = added_up(kept(program, program.results))
        text = render(program, heading_lines(model))
        return Export(model=model, files={FILE: text}, settings={"results": program.names})

    def run(self, export: Export, X: Any) -> OutputFrame:
        """Run the file in a perl of its own.

        Raises
        ------
        InputError : X lacks a column.
        KindError : a column of X is of another kind than the model reads.
        PluginError : perl is not there, or stops with an error.
        """
        columns, n_rows = read_inputs(export.model, X)
        kinds = {name: kind_of(name) for name in export.settings["results"]}
        cells = [[f"{literal(name)}, {_value(each)}" for each in column.values] for name, column in columns.items()]
        rows = zip(*cells, strict=True) if columns else [()] * n_rows
        names = [f"['{'%vd' if kind is np.object_ else '%.17g'}', {literal(name)}]" for name, kind in kinds.items()]
        given = _DRIVER.format(rows=", ".join(f"{{{', '.join(row)}}}" for row in rows), names=", ".join(names))
        with temporary_folder() as folder:
            (folder / FILE).write_text(export.text, encoding="ascii")
            told = [line.split(" ") for line in _perl("-", str(folder / FILE), given=given).splitlines()]
        results = zip(*told, strict=True) if told else [()] * len(kinds)
        return OutputFrame(
            {
                name: np.array([_read(cell, kind) for cell in each], kind)
                for (name, kind), each in zip(kinds.items(), results, strict=True)
            }
        )

    def engine(self) -> str:
        """For example "Perl 5.36.0"."""
        return _perl("-e", 'printf "Perl %vd", $^V')


def _value(value: float | str | None) -> str:
    if isinstance(value, float):
        return number(value) if value == value else "undef"
    return literal(value)


def _read(cell: str, kind: type) -> float | str | None:
    if cell == "-":
        return None
    return "".join(chr(int(code)) for code in cell.split(".") if code) if kind is np.object_ else float(cell)


def _perl(*arguments: str, given: str = "") -> str:
    program = shutil.which("perl")
    if program is None:
        raise PluginError("perl is not on the path", where="engine perl", fix="on Debian: apt-get install perl-base")
    done = subprocess.run([program, *arguments], input=given, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise PluginError("perl stopped with an error", where="engine perl", got=done.stderr.strip())
    return done.stdout
