"""Reasons in SQL: every shortfall as an integer that also tells its code, and the greatest of those one by one."""

from __future__ import annotations

from dataclasses import dataclass

from scrutable.model import Characteristic, Feature, Scorecard
from scrutable.model.reasons import number_of_reasons
from scrutable_sql.common import Result
from scrutable_sql.conditions import ladder
from scrutable_sql.ladders import LONGEST
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Call, Case, Column, Rung, greatest
from scrutable_sql.quoting import comment, literal, name, number

Shortfall = tuple[float, str]  # points below the baseline, and the reason code


@dataclass(frozen=True, slots=True)
class Reasons:
    """The columns that the first k reasons of a scorecard add; none if k is 0.

    A scorecard has finitely many shortfalls, one an attribute, so that each can be known by an integer, its key: the
    level of the shortfall, 1 for the smallest, times one more than there are codes, plus the place of its code counted
    from the end of the policy's order. A greater key is a greater shortfall or, where those are equal, the earlier
    code; two codes never share a key. No shortfall is 0, whose remainder is no place.

    Parameters
    ----------
    shortfalls : of each attribute, by the position of the characteristic.
    carriers : positions of the characteristics that can fall short by code, in the policy's order.
    levels : of the shortfalls above 0.
    places : of the codes.
    """

    model: Scorecard
    options: SQLOptions
    k: int
    shortfalls: dict[int, list[Shortfall]]
    carriers: dict[str, list[int]]
    levels: dict[float, int]
    places: dict[str, int]

    @classmethod
    def of(cls, model: Scorecard, options: SQLOptions) -> Reasons:
        """As many reasons as the options ask for.

        Raises
        ------
        UnsupportedModel : more reasons are asked for than the model gives.
        """
        k = number_of_reasons(model.reasons, options.reasons)
        shortfalls = _shortfalls(model) if k else {}
        carriers: dict[str, list[int]] = {}
        for code in model.reasons.order if model.reasons is not None else ():
            positions = [position for position, found in shortfalls.items() if code in _codes(found)]
            carriers |= {code: positions} if positions else {}
        values = sorted({short for found in shortfalls.values() for short, _ in found if short > 0})
        return cls(
            model=model,
            options=options,
            k=k,
            shortfalls=shortfalls,
            carriers=carriers,
            levels={short: level for level, short in enumerate(values, 1)},
            places={code: place for place, code in enumerate(reversed(carriers), 1)},
        )

    @property
    def words(self) -> str:
        """How to read the keys."""
        if not self.carriers:
            return ""
        return (
            f"; short_…: {self._factor} times the rank of a shortfall, of all that there can be from the smallest up,"
            " plus the number of its reason"
        )

    def keys(self, features: dict[str, Feature]) -> list[Column]:
        """The key of each characteristic's shortfall."""
        columns = []
        for position, found in self.shortfalls.items():
            if _codes(found):
                item = self.model.characteristics[position]
                note = comment(f"how far {features[item.feature].title} falls short, and the reason")
                keys = self._of_points(item, found) or self._of_values(item, found, features[item.feature])
                columns.append(Column(keys, f"short_{position}", note=note))
        return columns

    def _of_points(self, item: Characteristic, found: list[Shortfall]) -> Case | None:
        """The key from the points, which takes fewer and faster comparisons; None where equal points can tell two codes
        or where there are many."""
        short = sorted({(a.points, *each) for a, each in zip(item.attributes, found, strict=True) if each[0] > 0})
        if len(_codes(found)) > 1 or len(short) > LONGEST:
            return None
        d, points = self.options.target, name(points_name(item), self.options.target)
        return Case(
            tuple(
                Rung(f"{points} = {number(its, d, compared=True)}", str(self._key(far, code)), _told(far, code))
                for its, far, code in short
            ),
            "0",
        )

    def _of_values(self, item: Characteristic, found: list[Shortfall], feature: Feature) -> Case:
        conditions = [attribute.condition for attribute in item.attributes]
        values = [str(self._key(short, code)) for short, code in found]
        return ladder(feature, conditions, values, [_told(*each) for each in found], self.options.target)

    def merged(self) -> list[Column]:
        """The greatest key of each code that does not go together with a single characteristic."""
        return [
            Column(self._greatest([self._of(code, position) for position in positions]), self._column(code))
            for code, positions in self.carriers.items()
            if not self._alone(code)
        ]

    def best(self) -> list[Column]:
        """The greatest key, and again and again the greatest of those below it; each needs the one before."""
        terms = columns = [self._column(code) for code in self.carriers]
        best = []
        for place in range(1, self._count + 1):
            note = "what falls short most" + (", of what is left" if place > 1 else "")
            best.append(Column(self._greatest(terms), f"best_{place}", note=note))
            terms = [f"CASE WHEN {column} < best_{place} THEN {column} ELSE 0 END" for column in columns]
        return best

    def best_places(self) -> list[Column]:
        """The place of each greatest key's code, in columns since a remainder is slow to work out at every WHEN."""
        remainder = self.options.target.remainder
        return [
            Column(remainder.format(f"best_{place}", self._factor), f"place_{place}")
            for place in range(1, self._count + 1)
        ]

    def results(self) -> list[Result]:
        """The codes of the greatest keys, after the knock-out if there is one."""
        knocked = bool(self.model.policy.knock_outs)
        return [
            Result(f"reason_{place}", self._reason(place, knocked), f"code of reason {place}, the weightiest being 1")
            for place in range(1, self.k + 1)
        ]

    def _reason(self, place: int, knocked: bool) -> Case:
        ranked = self._ranked(place)
        if not knocked:
            return ranked
        if place == 1:
            return Case((Rung("knock_out IS NOT NULL", "knock_out"), *ranked.rungs))
        return Case((Rung("knock_out IS NULL", ranked),), self._ranked(place - 1))

    def _ranked(self, place: int) -> Case:
        if place > self._count:
            return _NO_TEXT
        d = self.options.target
        return Case(
            tuple(
                Rung(f"place_{place} = {self.places[code]}", literal(code, d), comment(self._text(code)))
                for code in self.carriers
            )
        )

    def _text(self, code: str) -> str:
        assert self.model.reasons is not None
        return self.model.reasons.texts[code]

    def _of(self, code: str, position: int) -> str:
        """The key of a characteristic's shortfall, 0 where it has another code."""
        key = f"short_{position}"
        if len(_codes(self.shortfalls[position])) == 1:
            return key
        place = self.options.target.remainder.format(key, self._factor)
        return f"CASE WHEN {place} = {self.places[code]} THEN {key} ELSE 0 END"

    def _alone(self, code: str) -> bool:
        """Whether a code has one characteristic only, and that one no other code."""
        positions = self.carriers[code]
        return len(positions) == 1 and len(_codes(self.shortfalls[positions[0]])) == 1

    def _column(self, code: str) -> str:
        return f"short_{self.carriers[code][0]}" if self._alone(code) else f"code_{self.places[code]}"

    def _key(self, short: float, code: str) -> int:
        return self.levels[short] * self._factor + self.places[code] if short > 0 else 0

    def _greatest(self, terms: list[str]) -> str | Call:
        return greatest(terms, self.options.target.greatest)

    @property
    def _factor(self) -> int:
        return len(self.carriers) + 1

    @property
    def _count(self) -> int:
        """The most reasons that an applicant can have."""
        return min(self.k, len(self.carriers))


#: NULL, of the type of a text.
_NO_TEXT = Case((Rung("1 = 0", "''"),))


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
        if item.feature not in policy.exclusions
    }


def _codes(shortfalls: list[Shortfall]) -> set[str]:
    """The codes that fall short."""
    return {code for short, code in shortfalls if short > 0}
