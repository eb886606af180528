"""The scorecard that exporters and explainers are checked on: what careless arithmetic and quoting get wrong."""

from __future__ import annotations

from dataclasses import replace

from scrutable.model import (
    Attribute,
    Calibration,
    Categories,
    Characteristic,
    Clause,
    Feature,
    FrozenMapping,
    Interval,
    KnockOut,
    Missing,
    Otherwise,
    Outcome,
    Policy,
    ReasonPolicy,
    Scorecard,
    Special,
    snap,
)
from scrutable.model.conditions import AttributeCondition

#: Points of attributes, none but 0 a short decimal; characteristics share them, so that shortfalls tie.
_NONE, _FEW, _SOME, _MOST = 0.0, snap(1 / 3), snap(10.1), snap(20.7)
_BASE = snap(500 + 1 / 7)
_CODES = {"amount": "R1", "job": "R2", "region": "R3", "age": "R1"}
#: A code that only missing values of a characteristic have.
_OWN_CODE = "R4"


def tied_scorecard() -> Scorecard:
    """A scorecard whose points, cuts and cutoff are no short decimals and whose reasons often tie.

    A special code is inside an interval, one cut is at 0, integers are categories, two characteristics share a code and
    missing values of one have their own; ties go against the order of the file. A sum of points is the cutoff.
    """
    interval, cuts = Interval, (0.1, 25.1)
    characteristics = (
        _characteristic(
            "amount",
            (interval(upper=0), _NONE),
            (interval(0, cuts[0]), _SOME),
            (interval(*cuts), _FEW),
            (interval(cuts[1]), _MOST),
            (Special((-9,)), _NONE),
            (Special((12,)), _SOME),
            (Missing(), -_FEW),
        ),
        _characteristic(
            "job",
            (Categories(("cook", "it's")), _SOME),
            (Special(("n/a",)), _FEW),
            (Otherwise(), _NONE),
            (Missing(), _MOST),
        ),
        _characteristic(
            "region", (Categories((1, 2, 7)), _SOME), (Otherwise(), _MOST), (Missing(), _FEW), own=_OWN_CODE
        ),
        _characteristic("age", (interval(upper=-0.7), _FEW), (interval(-0.7), _MOST), (Missing(), _SOME)),
    )
    knock_out = KnockOut(code="K1", reason="amount below -5", when=(Clause("amount", (interval(upper=-5),)),))
    order = tuple(sorted({*_CODES.values(), _OWN_CODE}, reverse=True))
    cutoff = _BASE + _SOME + _SOME + _MOST
    return Scorecard(
        outcome=Outcome(classes=("bad", "good"), favourable="good"),
        features=(
            Feature(name="amount", kind="numeric", special_codes=(-9, 12)),
            Feature(name="job", kind="categorical", special_codes=("n/a",)),
            Feature(name="region", kind="numeric"),
            Feature(name="age", kind="numeric"),
        ),
        characteristics=characteristics,
        base_points=_BASE,
        cutoff=cutoff,
        calibration=Calibration(slope=0.1, intercept=-53),
        policy=Policy(knock_outs=(knock_out,)),
        reasons=ReasonPolicy(
            method="fixed",
            population="everybody",
            cutoff=cutoff,
            baselines=FrozenMapping(dict.fromkeys(_CODES, _MOST)),
            codes=FrozenMapping(_CODES),
            texts=FrozenMapping({code: f"What {code} considers" for code in order}),
            order=order,
            k=3,
        ),
    )


def with_codes_of_their_own(card: Scorecard) -> Scorecard:
    """The scorecard with no code shared by two terms, and ties between them against the order of the file.

    >>> with_codes_of_their_own(tied_scorecard()).reasons.order
    ('R1-age', 'R4', 'R3', 'R2', 'R1')
    """
    assert card.reasons is not None
    taken: set[str] = set()
    codes: dict[str, str] = {}
    order: list[str] = []
    characteristics = []
    for characteristic in card.characteristics:
        feature = characteristic.feature
        used = dict.fromkeys([card.reasons.codes[feature], *sorted(_own_codes(characteristic))])
        named = {code: f"{code}-{feature}" if code in taken else code for code in used}
        attributes = tuple(
            replace(each, reason_code=named.get(each.reason_code or "")) for each in characteristic.attributes
        )
        characteristics.append(replace(characteristic, attributes=attributes))
        codes[feature], *own = named.values()
        order = [*own, codes[feature], *order]
        taken |= set(order)
    for table in card.interactions:
        codes[table.name] = f"T{len(order)}"
        order = [codes[table.name], *order]
    texts = FrozenMapping({code: f"What {code} considers" for code in order})
    reasons = replace(card.reasons, codes=FrozenMapping(codes), texts=texts, order=tuple(order))
    return replace(card, characteristics=tuple(characteristics), reasons=reasons)


def _own_codes(characteristic: Characteristic) -> set[str]:
    return {each.reason_code for each in characteristic.attributes if each.reason_code is not None}


def _characteristic(
    feature: str, *attributes: tuple[AttributeCondition, float], own: str | None = None
) -> Characteristic:
    """Attributes of conditions and points; `own` is the code of missing values."""
    made = []
    for condition, points in attributes:
        code = own if isinstance(condition, Missing) else None
        made.append(Attribute(condition=condition, points=points, reason_code=code))
    return Characteristic(feature=feature, attributes=tuple(made))
