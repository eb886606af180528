"""Reasons in SQL: shortfall of every code, its rank by counting the codes before it, and the codes in that order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrutable.errors import UnsupportedModel
from scrutable.model import Feature, ReasonPolicy, Scorecard
from scrutable_sql.common import Result
from scrutable_sql.conditions import ladder
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Case, Column, Rung, greatest, joined
from scrutable_sql.quoting import comment, literal, name, number


@dataclass(frozen=True, slots=True)
class Reasons:
    """The columns that the reasons of a scorecard add to each step; none if there are no reasons to return.

    Codes that no attribute carries can never be a reason and are left out; the others are numbered in the policy's
    order, which settles ties.
    """

    model: Scorecard
    options: SQLOptions
    policy: ReasonPolicy | None
    k: int

    @classmethod
    def of(cls, model: Scorecard, options: SQLOptions) -> Reasons:
        """As many reasons as the options ask for.

        Raises
        ------
        UnsupportedModel : more reasons are asked for than the model gives.
        """
        most = model.reasons.k if model.reasons is not None else 0
        k = most if options.reasons is None else options.reasons
        if k > most:
            raise UnsupportedModel(
                "the model does not give so many reasons" if most else "the model has no reason policy",
                where="option reasons",
                got=k,
                allowed=f"0 to {most}",
            )
        return cls(model, options, model.reasons if k else None, k)

    def carried(self, features: dict[str, Feature]) -> list[Column]:
        """The number of the code that an applicant carries, of characteristics whose attributes differ in theirs."""
        if self.policy is None:
            return []
        d, found = self.options.engine, []
        for position in sorted(self._several()):
            item = self.model.characteristics[position]
            codes = [a.reason_code or self.policy.codes[item.feature] for a in item.attributes]
            values = [str(self._carried().index(code)) for code in codes]
            numbers = ladder(
                features[item.feature],
                [attribute.condition for attribute in item.attributes],
                values,
                [comment(code) for code in codes],
                d,
            )
            note = comment(f"reason code of {features[item.feature].title}, by its number")
            found.append(Column(numbers, f"code_{position}", note=note))
        return found

    def shortfalls(self) -> list[Column]:
        """Points below the baseline per code: the greatest among its carriers."""
        if self.policy is None:
            return []
        d, found = self.options.engine, []
        carriers = self.policy.carriers(self.model)
        for index, code in enumerate(self._carried()):
            terms = [self._shortfall(position, index) for position, _ in carriers[code]]
            note = comment(f"{code}: {self.policy.texts[code]}")
            found.append(Column(greatest(terms, d.greatest), f"short_{index}", note=note))
        return found

    def ranks(self) -> list[Column]:
        """1 and the number of codes that come before, NULL where the code does not fall short."""
        count = len(self._carried())
        return [
            Column(Case((Rung(f"short_{index} > 0", joined(["1", *_before(index, count)], " + ")),)), f"rank_{index}")
            for index in range(count)
        ]

    def results(self) -> list[Result]:
        """The codes in order of their ranks, after the knock-out if there is one."""
        knocked = bool(self.model.policy.knock_outs)
        return [Result(f"reason_{place}", self._reason(place, knocked)) for place in range(1, self.k + 1)]

    def _reason(self, place: int, knocked: bool) -> Case:
        ranked = self._ranked(place)
        if not knocked:
            return ranked
        if place == 1:
            return Case((Rung("knock_out IS NOT NULL", "knock_out"), *ranked.rungs))
        return Case((Rung("knock_out IS NULL", ranked),), self._ranked(place - 1))

    def _ranked(self, place: int) -> Case:
        codes = [literal(code, self.options.engine) for code in self._carried()]
        rungs = [Rung(f"rank_{index} = {place}", code) for index, code in enumerate(codes)]
        return Case(tuple(rungs)) if rungs else _NO_TEXT

    def _shortfall(self, position: int, index: int) -> str:
        assert self.policy is not None
        feature = self.model.characteristics[position].feature
        d = self.options.engine
        short = f"{number(self.policy.baselines[feature], d)} - {name(f'points_{feature}', d)}"
        if position in self._several():
            return f"CASE WHEN code_{position} = {index} THEN {short} ELSE 0 END"
        return short

    def _carried(self) -> list[str]:
        """Codes that some attribute carries, in the policy's order."""
        return [] if self.policy is None else [c for c, found in self.policy.carriers(self.model).items() if found]

    def _several(self) -> set[int]:
        """Positions of the characteristics whose attributes carry different codes."""
        assert self.policy is not None
        positions = [position for found in self.policy.carriers(self.model).values() for position, _ in found]
        return {position for position in positions if positions.count(position) > 1}


#: NULL, of the type of a text.
_NO_TEXT = Case((Rung("1 = 0", "''"),))


def _before(index: int, count: int) -> Sequence[str]:
    """For each other code, 1 if it comes before: a greater shortfall, or as great and earlier in the order."""
    return [
        f"CAST(short_{other} {'>=' if other < index else '>'} short_{index} AS INTEGER)"
        for other in range(count)
        if other != index
    ]
