"""The columns of the sheet "Score" from left to right: inputs, result, reasons, points, and the working behind them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from scrutable.errors import UnsupportedModel
from scrutable.model.program import (
    Bucket,
    Choice,
    Column,
    Largest,
    Output,
    Program,
    Rank,
    Ref,
    Share,
    Uses,
    Words,
    sort_of,
)
from scrutable_excel.cells import beside, call, formula, runs, split_call
from scrutable_excel.formulas import Formulas
from scrutable_excel.tables import Tables

#: Sheets end at column XFD.
_MOST_COLUMNS = 16_384
#: Formulas up to which a node stands where the only one that reads it does.
_SHORT = 80

Group = Literal["Inputs", "Result", "Reasons", "Points", "Working"]
Look = Literal["number", "text", "check", "score", "probability", "decision", "code", "points", "short", "count"]
#: What a cell holds of its node: what it gives, the line of a bucket, or a code's shortfall or place in a ranking.
Part = Literal["value", "line", "short", "order"]

_TITLES = {
    "score": "Score",
    "probability": "Probability",
    "approved": "Decision",
    "knock_out": "Knock-out",
    "segment": "Segment",
    "rules": "Rules that apply",
    "predicted": "Class",
    "override": "Override",
    "adjustment": "Adjustment",
    "grade": "Grade",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreColumn:
    """A column of the sheet.

    Parameters
    ----------
    name : the feature's name, or that of the result in `Evaluation.frame()`; empty for others.
    title : the column in words.
    group : what it belongs to.
    look : how its cells look.
    formula : what each cell computes, with {row} for the row's number; None where people fill in.
    of, part, code : the node, and what of it the cell holds; of the check nothing.
    """

    name: str
    title: str
    group: Group
    look: Look
    formula: str | None = None
    of: Ref | None = None
    part: Part = "value"
    code: int = 0


class Layout:
    """All columns of a program, and where each stands.

    `check` is a place, and `working` the first one of the working.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.features = program.features
        self.tables = Tables(program)
        self.check = 1 + len(self.features)
        outputs = sorted(program.outputs, key=lambda output: ("Result", "Reasons", "Points").index(_group(output.name)))
        self._places = {output.name: self.check + 1 + place for place, output in enumerate(outputs)}
        self.working = self.check + 1 + len(outputs)
        self._write = Formulas(program, self.tables)
        self._working: list[ScoreColumn] = []
        texts = self._texts(Uses.of(program))
        results = [self._result(output, texts[output.of]) for output in outputs]
        self.columns = (*self._inputs(), *results, *self._working)
        if len(self.columns) > _MOST_COLUMNS:
            raise UnsupportedModel(
                "more columns than a sheet has",
                where="sheet 'Score'",
                got=len(self.columns),
                allowed=f"at most {_MOST_COLUMNS:,}",
                fix="use the exporter python",
            )

    @property
    def results(self) -> dict[str, int]:
        """The columns of `Evaluation.frame()`, in its order."""
        return {output.name: self._places[output.name] for output in self.program.outputs}

    def _texts(self, uses: Uses) -> dict[Ref, str]:
        """The formulas of the results, after what they read was written down."""
        outputs = {output.of: self._places[output.name] for output in reversed(self.program.outputs)}
        texts: dict[Ref, str] = {}
        for ref, node in enumerate(self.program.nodes):
            if isinstance(node, Column):
                place = 1 + [each.name for each in self.features].index(node.name)
                self._write.known[ref] = beside(place)
            elif isinstance(node, Rank):
                self._rank(ref, node)
            else:
                text = self._write(ref)
                if ref in outputs and not isinstance(node, Bucket):
                    self._write.known[ref], texts[ref] = beside(outputs[ref]), text
                elif uses.count(ref) > 1 or len(text) > _SHORT or self._has_a_cell(uses, ref):
                    part: Part = "line" if isinstance(node, Bucket) else "value"
                    title = f"{'Line' if part == 'line' else 'Working'}: {self._called(ref)}"
                    self._write.known[ref] = self._worked_out(ref, title, text, part)
                else:
                    self._write.known[ref] = text
                if ref in outputs and ref not in texts:
                    texts[ref] = self._write.place(ref)
        return texts

    def _has_a_cell(self, uses: Uses, ref: Ref) -> bool:
        """Whether others read a node several times, or as one that may be a text."""
        often = any(isinstance(self.program[each], Bucket | Largest | Rank | Share) for each in uses.readers[ref])
        return often or isinstance(self.program[ref], Bucket | Choice | Words)

    def _rank(self, ref: Ref, node: Rank) -> None:
        titles = node.titles or tuple(map(str, range(1, 1 + len(node.of))))
        shortfalls = []
        for code, (title, of) in enumerate(zip(titles, node.of, strict=True)):
            short = split_call("MAX", ["0", *(self._write.known[each] for each in of)])
            shortfalls.append(self._worked_out(ref, f"Short: {title}", short, "short", code))
        orders = [
            self._worked_out(ref, f"Order: {title}", self._write.order(shortfalls, code), "order", code)
            for code, title in enumerate(titles)
        ]
        if node.of:
            self._write.shortfalls[ref] = f"{shortfalls[0]}:{shortfalls[-1]}"
            self._write.orders[ref] = f"{orders[0]}:{orders[-1]}"

    def _inputs(self) -> Iterator[ScoreColumn]:
        yield ScoreColumn(name="", title="Applicant", group="Inputs", look="text")
        for feature in self.features:
            look: Look = "number" if feature.kind == "numeric" else "text"
            yield ScoreColumn(name=feature.name, title=feature.title, group="Inputs", look=look)
        text = formula(self._unreadable(), "column 'Check'")
        yield ScoreColumn(name="", title="Check", group="Result", look="check", formula=text)

    def _result(self, output: Output, text: str) -> ScoreColumn:
        name, title = output.name, _title(output)
        whole = self._guarded(text, title)
        return ScoreColumn(name=name, title=title, group=_group(name), look=_look(name), formula=whole, of=output.of)

    def _worked_out(self, ref: Ref, title: str, text: str, part: Part, code: int = 0) -> str:
        """The cell of what is worked out in a column of its own."""
        whole = self._guarded(text, title)
        look: Look = "code" if sort_of(self.program, ref) == "text" else "count"
        column = ScoreColumn(
            name="", title=title, group="Working", look=look, formula=whole, of=ref, part=part, code=code
        )
        self._working.append(column)
        return beside(self.working + len(self._working) - 1)

    def _guarded(self, text: str, title: str) -> str:
        """Empty for an unused row, #N/A where an input is of another kind.

        LibreOffice works rows out on several threads, and then takes cells that it has yet to work out for 0 at times,
        unless a formula has a function such as DELTA.
        """
        check = beside(self.check)
        return formula(f'IF({check}="","",IF(DELTA({check},0),{text},NA()))', f"column {title!r}")

    def _unreadable(self) -> str:
        """How many inputs are of another kind than their feature; empty where there are no inputs at all."""
        kinds = {
            kind: [1 + i for i, f in enumerate(self.features) if f.kind == kind] for kind in ("numeric", "categorical")
        }
        numbers, texts = runs(kinds["numeric"]), runs(kinds["categorical"])
        count = f"{call('COUNTA', numbers)}-{call('COUNT', numbers)}" if numbers else ""
        count += f"{'+' if count else ''}{call('COUNT', texts)}" if texts else ""
        return f'IF({call("COUNTA", runs(range(1, self.check)))}=0,"",{count})'

    def _called(self, ref: Ref) -> str:
        if ref in self.tables.blocks and self.tables.blocks[ref].title:
            return self.tables.blocks[ref].title
        return self.tables.hints.get(ref, sort_of(self.program, ref))


def _title(output: Output) -> str:
    kind, _, rest = output.name.partition("_")
    told = {
        "points": output.about.removeprefix("points of "),
        "reason": f"Reason {rest}",
        "short": f"Short for reason {rest}",
    }
    return _TITLES.get(output.name, told.get(kind, output.name))


def _group(name: str) -> Group:
    if name.startswith(("reason_", "short_")):
        return "Reasons"
    return "Points" if name.startswith("points_") else "Result"


def _look(name: str) -> Look:
    looks: dict[str, Look] = {
        "score": "score",
        "probability": "probability",
        "points": "points",
        "adjustment": "points",
        "short": "short",
        "approved": "decision",
        "predicted": "count",
    }
    return looks.get(name.partition("_")[0], "code")
