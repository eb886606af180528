"""The columns of the sheet "Score" from left to right: inputs, result, points, and the working behind them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from scrutable.errors import UnsupportedModel
from scrutable.model import Calibration
from scrutable_excel import conditions
from scrutable_excel.card import (
    BASE,
    CODE_PLACE,
    CUTOFF,
    INTERCEPT,
    POINTS,
    SHEET,
    SHORT,
    SLOPE,
    STRENGTH,
    TITLE,
    Card,
    CharacteristicRows,
)
from scrutable_excel.cells import at, beside, call, formula, runs

#: Sheets end at column XFD.
_MOST_COLUMNS = 16_384

Group = Literal["Inputs", "Result", "Reasons", "Points", "Working"]
Look = Literal["number", "text", "check", "score", "probability", "decision", "code", "points", "short", "count"]


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
    """

    name: str
    title: str
    group: Group
    look: Look
    formula: str | None = None


class Layout:
    """All columns of a scorecard, and where each stands; what its knock-outs compare with is put down in the card.

    `check` is a place; `lines`, `flags` and `strengths` are the first places of one column for each characteristic,
    knock-out, and code of `codes`, those that an applicant can get.
    """

    def __init__(self, card: Card) -> None:
        model = card.model
        self.card = card
        self.features = model.features
        policy = card.reasons
        self._n_reasons = 0 if policy is None else policy.k
        self.codes = [] if policy is None else [code for code in policy.order if self.carriers(code)]
        self.check = 1 + len(self.features)
        self._score, self._knock_out = self.check + 1, self.check + 4
        self._points = (self._score if card.deciding is None else self._knock_out) + 1 + 2 * self._n_reasons
        self.lines = self._points + len(card.blocks)
        self.flags = self.lines + len(card.blocks)
        self.strengths = self.flags + len(card.policy.knock_outs)
        self.columns = tuple(self._all())
        if len(self.columns) > _MOST_COLUMNS:
            raise UnsupportedModel(
                "more columns than a sheet has",
                where="sheet 'Score'",
                got=len(self.columns),
                allowed=f"at most {_MOST_COLUMNS:,}",
                fix="use the exporter python",
            )

    def input(self, feature: str) -> int:
        """The column that a feature is filled into."""
        return 1 + [each.name for each in self.features].index(feature)

    @property
    def results(self) -> dict[str, int]:
        """The columns of `Evaluation.frame()`, in its order: reasons after points."""
        named = [(place, column) for place, column in enumerate(self.columns) if column.formula and column.name]
        return {column.name: place for place, column in sorted(named, key=lambda each: each[1].group == "Reasons")}

    def _all(self) -> Iterator[ScoreColumn]:
        yield ScoreColumn(name="", title="Applicant", group="Inputs", look="text")
        for feature in self.features:
            look: Look = "number" if feature.kind == "numeric" else "text"
            yield ScoreColumn(name=feature.name, title=feature.title, group="Inputs", look=look)
        yield from self._result()
        for place, block in enumerate(self.card.blocks):
            line = beside(self.lines + place)
            yield self._computed(
                f"points_{block.feature.name}",
                block.feature.title,
                "Points",
                "points",
                f'IF({line}="","",INDEX({block.span(POINTS)},{line}))',
            )
        yield from self._working()

    def _result(self) -> Iterator[ScoreColumn]:
        check = beside(self.check)
        total = call("SUM", [at(BASE, 1, SHEET), *runs(range(self._points, self.lines))])
        yield self._computed("", "Check", "Result", "check", self._unreadable())
        yield self._computed("score", "Score", "Result", "score", _guarded(check, total))
        if self.card.deciding is not None:
            yield from self._decision(self.card.deciding.calibration)

    def _decision(self, calibration: Calibration) -> Iterator[ScoreColumn]:
        check, score, knock_out = beside(self.check), beside(self._score), beside(self._knock_out)
        decision = f'IF({score}="","",IF({knock_out}="",GESTEP({score},{at(CUTOFF, 1, SHEET)}),0))'
        probability = _probability(score, calibration)
        yield self._computed("probability", "Probability", "Result", "probability", probability)
        yield self._computed("approved", "Decision", "Result", "decision", decision)
        yield self._computed("knock_out", "Knock-out", "Result", "code", _guarded(check, self._first_knock_out()))
        codes, shortfalls = self.card.span_of_strengths(TITLE), self.card.span_of_strengths(SHORT)
        yield from self._reasons("reason", "Reason", "code", codes, knock_out)
        yield from self._reasons("short", "Short for reason", "short", shortfalls, '""')

    def _reasons(self, name: str, title: str, look: Look, span: str, of_knock_out: str) -> Iterator[ScoreColumn]:
        """What stands in a span, a cell each strength, for the strongest reasons.

        A knock-out comes before them, and stands alone where the score reaches the cutoff.
        """
        check, knock_out = beside(self.check), beside(self._knock_out)
        passed = f"GESTEP({beside(self._score)},{at(CUTOFF, 1, SHEET)})"
        for place in range(1, self._n_reasons + 1):
            shown = self._by_strength(place, span)
            if self.card.policy.knock_outs:
                before = of_knock_out if place == 1 else f'IF({passed},"",{self._by_strength(place - 1, span)})'
                shown = f'IF({knock_out}="",{shown},{before})'
            yield self._computed(f"{name}_{place}", f"{title} {place}", "Reasons", look, _guarded(check, shown))

    def _unreadable(self) -> str:
        """How many inputs are of another kind than their feature; empty where there are no inputs at all."""
        kinds = {
            kind: [1 + i for i, f in enumerate(self.features) if f.kind == kind] for kind in ("numeric", "categorical")
        }
        numbers, texts = runs(kinds["numeric"]), runs(kinds["categorical"])
        count = f"{call('COUNTA', numbers)}-{call('COUNT', numbers)}" if numbers else ""
        count += f"{'+' if count else ''}{call('COUNT', texts)}" if texts else ""
        return f'IF({call("COUNTA", runs(range(1, self.check)))}=0,"",{count})'

    def _first_knock_out(self) -> str:
        if not self.card.policy.knock_outs:
            return '""'
        flags = f"{beside(self.flags)}:{beside(self.strengths - 1)}"
        return f'IFERROR(INDEX({self.card.span_of_knock_outs()},MATCH(1,{flags},0)),"")'

    def _by_strength(self, place: int, span: str) -> str:
        """What stands in the span for the reason that is strongest but for place - 1 others."""
        if place > len(self.codes):
            return '""'
        strongest = f"LARGE({beside(self.strengths)}:{beside(self.strengths + len(self.codes) - 1)},{place})"
        return f'IF({strongest}>0,INDEX({span},{strongest}),"")'

    def _working(self) -> Iterator[ScoreColumn]:
        check = beside(self.check)
        cells = {f.name: (f, beside(self.input(f.name))) for f in self.features}
        for block in self.card.blocks:
            line = conditions.line(block, cells[block.feature.name][1])
            yield self._computed("", f"Line: {block.feature.title}", "Working", "count", f'IF({check}="","",{line})')
        for rule in self.card.policy.knock_outs:
            applies = f"IF({conditions.conjunction(rule.when, cells, self.card)},1,0)"
            yield self._computed("", f"Knock-out {rule.code}", "Working", "count", f'IF({check}="","",{applies})')
        for code in self.codes:
            strength = call("MAX", ["0", *self._strengths_of(code)])
            yield self._computed("", f"Strength: {code}", "Working", "count", f'IF({check}="","",{strength})')

    def _strengths_of(self, code: str) -> Iterator[str]:
        """The strength that each characteristic gives a code."""
        for place, block in self.carriers(code):
            line = beside(self.lines + place)
            strength = f"INDEX({block.span(STRENGTH)},{line})"
            if len({item.code_place for item in block.lines}) == 1:
                yield strength
            else:
                yield f"(INDEX({block.span(CODE_PLACE)},{line})={self.place(code)})*{strength}"

    def carriers(self, code: str) -> list[tuple[int, CharacteristicRows]]:
        """The characteristics that can fall short with a code, with their positions."""
        place = self.place(code)
        return [
            (i, block)
            for i, block in enumerate(self.card.blocks)
            if any(line.short and line.code_place == place for line in block.lines)
        ]

    def place(self, code: str) -> int:
        policy = self.card.reasons
        assert policy is not None
        return policy.order.index(code) + 1

    def _computed(self, name: str, title: str, group: Group, look: Look, text: str) -> ScoreColumn:
        return ScoreColumn(name=name, title=title, group=group, look=look, formula=formula(text, f"column {title!r}"))


def _probability(score: str, calibration: Calibration) -> str:
    """The sum has tiny numbers at both ends, since spreadsheets take one whose last step almost cancels for 0."""
    z = f"SUM(1E-300,{at(INTERCEPT, 1, SHEET)},{at(SLOPE, 1, SHEET)}*{score},-1E-300)"
    if calibration.link == "identity":
        return f'IF({score}="","",MIN(1,MAX(0,{z})))'
    return f'IF({score}="","",1/(1+EXP(-MAX(-36,MIN(36,{z})))))'


def _guarded(check: str, text: str) -> str:
    """Empty for an unused row, #N/A where an input is of another kind."""
    return f'IF({check}="","",IF({check}>0,NA(),{text}))'
