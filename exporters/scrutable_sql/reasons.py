"""Reasons of scorecards: how far each characteristic falls short, as a key of the ranking."""

from __future__ import annotations

from dataclasses import dataclass

from scrutable.model import Characteristic, Feature, Scorecard, number_of_reasons
from scrutable_sql.conditions import ladder
from scrutable_sql.ladders import LONGEST
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Case, Column, Rung
from scrutable_sql.quoting import comment, inner, number
from scrutable_sql.ranking import Ranking

Shortfall = tuple[float, str]  # points below the baseline, and the reason code


@dataclass(frozen=True, slots=True)
class Reasons:
    """The columns of keys that the reasons of a scorecard add; none where no reasons are asked for.

    Parameters
    ----------
    shortfalls : of each attribute, by the position of the characteristic.
    carriers : positions of the characteristics that can fall short by code, in the policy's order.
    """

    model: Scorecard
    ranking: Ranking
    shortfalls: dict[int, list[Shortfall]]
    carriers: dict[str, list[int]]

    @classmethod
    def of(cls, model: Scorecard, options: SQLOptions) -> Reasons:
        """Rank codes by the points that they fall short, with as many reasons as the options ask for.

        Raises
        ------
        UnsupportedModel : more reasons are asked for than the model gives, or more codes are than keys can tell.
        """
        k, policy = number_of_reasons(model.reasons, options.reasons), model.reasons
        if not k or policy is None:
            return cls(model, Ranking.none(options), {}, {})
        shortfalls = _shortfalls(model)
        carriers: dict[str, list[int]] = {}
        for code in policy.order:
            positions = [position for position, own in shortfalls.items() if code in _codes(own)]
            carriers |= {code: positions} if positions else {}
        numbers = [short for own in shortfalls.values() for short, _ in own if short > 0]
        ranking = Ranking.of(
            policy,
            carriers,
            numbers,
            max(numbers, default=0.0),
            k=k,
            cutoff=model.cutoff if model.policy.knock_outs else None,
            about="points short",
            options=options,
        )
        return cls(model, ranking, shortfalls, carriers)

    def keys(self, features: dict[str, Feature]) -> list[Column]:
        """The key of each characteristic's shortfall."""
        columns = []
        for position, own in self.shortfalls.items():
            if _codes(own):
                item = self.model.characteristics[position]
                note = comment(f"how far {features[item.feature].title} falls short, and the reason")
                keys = self._of_points(item, own) or self._of_values(item, own, features[item.feature])
                columns.append(Column(keys, f"key_{position}", note=note))
        return columns

    def merged(self) -> list[Column]:
        """The greatest key of each code that does not go together with a single characteristic."""
        return [
            Column(self.ranking.greatest([self._of(code, position) for position in positions]), self._column(code))
            for code, positions in self.carriers.items()
            if not self._alone(code)
        ]

    def columns(self) -> dict[str, str]:
        """The column of each code's key."""
        return {code: self._column(code) for code in self.carriers}

    def _of_points(self, item: Characteristic, shortfalls: list[Shortfall]) -> Case | None:
        """The key from the points, which takes fewer and faster comparisons; None where equal points can tell two codes
        or where there are many."""
        short = sorted({(a.points, *each) for a, each in zip(item.attributes, shortfalls, strict=True) if each[0] > 0})
        if len(_codes(shortfalls)) > 1 or len(short) > LONGEST:
            return None
        d = self.ranking.options.target
        points = inner(points_name(item), d)
        return Case(
            tuple(
                Rung(
                    f"{points} = {number(worth, d, compared=True)}", str(self.ranking.key(far, code)), _told(far, code)
                )
                for worth, far, code in short
            ),
            "0",
        )

    def _of_values(self, item: Characteristic, shortfalls: list[Shortfall], feature: Feature) -> Case:
        conditions = [attribute.condition for attribute in item.attributes]
        values = [str(self.ranking.key(short, code)) for short, code in shortfalls]
        notes = [_told(*each) for each in shortfalls]
        return ladder(feature, conditions, values, notes, self.ranking.options.target)

    def _of(self, code: str, position: int) -> str:
        """The key of a characteristic's shortfall, 0 where it has another code."""
        key = f"key_{position}"
        if len(_codes(self.shortfalls[position])) == 1:
            return key
        place = self.ranking.options.target.remainder.format(key, self.ranking.factor)
        return f"CASE WHEN {place} = {self.ranking.place(code)} THEN {key} ELSE 0 END"

    def _alone(self, code: str) -> bool:
        """Whether a code has one characteristic only, and that one no other code."""
        positions = self.carriers[code]
        return len(positions) == 1 and len(_codes(self.shortfalls[positions[0]])) == 1

    def _column(self, code: str) -> str:
        return f"key_{self.carriers[code][0]}" if self._alone(code) else f"code_{self.ranking.place(code)}"


def points_name(item: Characteristic) -> str:
    """The column that holds the points of a characteristic."""
    return f"points_{item.feature}"


def _told(short: float, code: str) -> str:
    return comment(f"{short!r} short: {code}") if short > 0 else ""


def _shortfalls(model: Scorecard) -> dict[int, list[Shortfall]]:
    policy = model.reasons
    assert policy is not None
    return {
        position: [
            (policy.baselines[item.feature] - attribute.points, attribute.reason_code or policy.codes[item.feature])
            for attribute in item.attributes
        ]
        for position, item in enumerate(model.characteristics)
    }


def _codes(shortfalls: list[Shortfall]) -> set[str]:
    """The codes that fall short."""
    return {code for short, code in shortfalls if short > 0}
