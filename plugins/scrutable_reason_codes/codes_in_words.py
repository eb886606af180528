"""Ranked codes in words, with the value in the file that each goes back to."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

from scrutable.data.frames import Column
from scrutable.model import (
    Adjustment,
    Characteristic,
    Interaction,
    KnockOut,
    Override,
    ReasonPolicy,
    RuleSet,
    Scorecard,
    SingleModel,
    describe_alike,
    titles_of,
)
from scrutable.model.evaluator import ClauseMasks, evaluate, read_inputs, shortfalls_by_feature
from scrutable.writing import number
from scrutable_reason_codes.explanation import Reason, ReasonExplanation
from scrutable_reason_codes.turning import turns_of

#: As many key factors are disclosed at most, inquiries aside: 15 U.S.C. 1681g(f)(1)(C).
KEY_FACTORS = 4


class Teller:
    """Explains rows of a table by the model's own policy; see `explanation`."""

    def __init__(self, model: SingleModel, policy: ReasonPolicy, X: Any) -> None:
        everything = replace(model, reasons=replace(policy, k=ReasonPolicy.MOST))
        columns, self.n_rows = read_inputs(model, X)
        self.model, self.policy = model, policy
        self.evaluation = evaluate(everything, X)
        self.short = shortfalls_by_feature(everything, X)
        self.values = {name: column.values for name, column in columns.items()}
        self.titles = titles_of(model)
        self.carried: dict[str, list[tuple[str, Collection[int] | None]]] = _carriers(model, policy)
        self.rules = {rule.code: rule for rule in model.policy.rules}
        self.against = _Against(model, columns, self.n_rows) if isinstance(model, RuleSet) else None
        terms = model.terms if isinstance(model, Scorecard) else {}
        self.words = {name: _titles(term, self.titles) for name, term in terms.items()}
        self.turns = turns_of(model)

    def explanation(self, row: int) -> ReasonExplanation:
        """The decision on a row, its reasons, and what the score suffers from."""
        assert self.evaluation.reasons is not None
        assert self.evaluation.score is not None
        assert self.model.cutoff is not None
        every = [self._reason(code, row) for code in self.evaluation.reasons[row] if code is not None]
        factors = [reason for reason in every if not self._decides(reason.code)]
        further = [reason for reason in factors[KEY_FACTORS:] if self._counts_inquiries(reason.code, row)]
        return ReasonExplanation(
            row=row,
            score=float(self.evaluation.score[row]),
            cutoff=self.model.cutoff,
            probability=float(self.evaluation.probability[row]),
            approved=bool(self.evaluation.approved[row]),
            reasons=tuple(every[: self.policy.k]),
            key_factors=(*factors[:KEY_FACTORS], *further),
            **self._around(row),
        )

    def _reason(self, code: str, row: int) -> Reason:
        if code in self.rules:
            return _of_rule(self.rules[code])
        name = max(self._carriers(code, row), key=lambda feature: float(self.short[feature][row]))
        reason = Reason(
            code=code,
            text=self.policy.texts[code],
            points_short=float(self.short[name][row]),
            characteristic=name,
            title=self.titles[name] if name in self.values else None,
            value=(value := self._value(name, row)),
            attribute=self._attribute(name, row),
            turns=None if value is None else self.turns.get(name),
        )
        return reason if self.against is None else replace(reason, measure="of the votes against")

    def _around(self, row: int) -> dict[str, Any]:
        """What the policy adds to the row, where the model has it."""
        all_rows = self.evaluation
        kept = {"override": all_rows.override, "adjustment": all_rows.adjustment, "grade": all_rows.grade}
        values = {name: column[row] for name, column in kept.items() if column is not None}
        return {name: float(value) if name == "adjustment" else value for name, value in values.items()}

    def _decides(self, code: str) -> bool:
        """Whether the code is of a rule that declines, whatever the score."""
        return code in self.rules and not isinstance(self.rules[code], Adjustment)

    def _carriers(self, code: str, row: int) -> list[str]:
        """Features that give this row the code."""
        held = self.evaluation.attribute
        return [name for name, indices in self.carried[code] if indices is None or held[name][row] in indices]

    def _counts_inquiries(self, code: str, row: int) -> bool:
        carriers = [] if code in self.rules else self._carriers(code, row)
        return any(name in carriers and self.short[name][row] > 0 for name in self.policy.inquiries)

    def _value(self, name: str, row: int) -> float | str | None:
        if name not in self.values:  # an interaction has a value of each of two features
            return None
        value: float | str | None = self.values[name][row]
        return None if value != value else value

    def _attribute(self, name: str, row: int) -> str:
        """What was found in the file: an attribute, conditions of the rules against, or the plain value."""
        if self.words:
            return self.words[name][int(self.evaluation.attribute[name][row])]
        if self.against is not None:
            return "; ".join(dict.fromkeys(self.against.conditions(name, row)))
        value = self._value(name, row)
        return "missing" if value is None else repr(value) if isinstance(value, str) else number(value)


def _carriers(model: SingleModel, policy: ReasonPolicy) -> dict[str, list[tuple[str, Collection[int] | None]]]:
    """For each code the features that carry it, and with which attributes; None stands for whatever these are."""
    if not isinstance(model, Scorecard):
        return {code: [(name, None) for name in names] for code, names in policy.features().items()}
    names = list(model.terms)
    carriers = policy.carriers(model).items()
    return {
        code: [(names[position], frozenset(indices)) for position, indices in carried] for code, carried in carriers
    }


def _titles(term: Characteristic | Interaction, titles: Mapping[str, str]) -> tuple[str, ...]:
    """What each attribute, or each cell of a table of two features, says of the applicant."""
    if isinstance(term, Characteristic):
        return term.titles
    first, second = ([f"{titles[axis.feature]} {words}" for words in axis.titles] for axis in term.axes)
    return tuple(f"{row}; {column}" for row in first for column in second)


def _of_rule(rule: KnockOut | Adjustment | Override) -> Reason:
    """A rule as a reason: a score adjustment falls short by what it takes away."""
    if isinstance(rule, Adjustment):
        measure = "points taken away"
        return Reason(code=rule.code, text=rule.reason, points_short=-rule.points, measure=measure)
    return Reason(code=rule.code, text=rule.reason)


class _Against:
    """The rules that voted against each row."""

    def __init__(self, model: RuleSet, columns: dict[str, Column], n_rows: int) -> None:
        masks = ClauseMasks(model.features, columns, n_rows)
        covered = masks.any_of([rule.when for rule in model.rules])
        deciding = ((model.rules, covered), (model.fallback, ~covered))
        self._rules = [
            (rule, masks.conjunction(rule.when) & rows)
            for rules, rows in deciding
            for rule in rules
            if model.against(rule)
        ]

    def conditions(self, name: str, row: int) -> Iterator[str]:
        """What the rules against a row ask of a feature, in words."""
        for rule, applies in self._rules:
            if applies[row]:
                yield from (
                    " or ".join(describe_alike(clause.any_of)) for clause in rule.when if clause.feature == name
                )
