"""Baselines that make an engine's ranking of reasons ours.

Our reasons are the codes that fall short, ties in the policy's order. JPMML-Evaluator lists a code that falls short by
nothing too, settles ties by the order of the characteristics in the file, and adds up the shortfalls of characteristics
that share a code. So each baseline is lowered by a share of 2^-30 that grows with its place in the policy's order: all
points are multiples of 2^-30, so greater stays greater, a tie becomes the policy's order, and nothing short becomes
negative, which is no reason. Scores read no baseline.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from scrutable.errors import UnsupportedModel
from scrutable.model import ReasonPolicy, Scorecard

_UNIT_BITS = 30


def ranking_baselines(scorecard: Scorecard, policy: ReasonPolicy) -> dict[str, float]:
    """The baseline of each characteristic as the file has it, by feature.

    Raises
    ------
    UnsupportedModel : codes that characteristics share or that are interleaved, or points too large to lower exactly.

    Examples
    --------
    >>> from scrutable.model import *
    >>> age = Characteristic(feature="age", attributes=(
    ...     Attribute(condition=Interval(), points=10), Attribute(condition=Missing(), points=20)))
    >>> policy = ReasonPolicy(method="fixed", population="all", cutoff=0, baselines=FrozenMapping({"age": 15}),
    ...     codes=FrozenMapping({"age": "A"}), texts=FrozenMapping({"A": "Age of the account"}), order=("A",))
    >>> card = Scorecard(outcome=Outcome(classes=(0, 1), favourable=1), features=(Feature(name="age", kind="numeric"),),
    ...     characteristics=(age,), base_points=0, cutoff=0, calibration=Calibration(slope=1), reasons=policy)
    >>> 15 - ranking_baselines(card, policy)["age"] == 2.0**-31
    True
    """
    places = _places(policy, scorecard)
    step = Fraction(1, 2 ** (_UNIT_BITS + len(places).bit_length()))
    found = {}
    for position, place in places.items():
        item = scorecard.characteristics[position]
        lowered = Fraction(policy.baselines[item.feature]) - place * step
        for value in (lowered, *(lowered - Fraction(attribute.points) for attribute in item.attributes)):
            if Fraction(float(value)) != value:
                raise UnsupportedModel(
                    "points are too large for the order of tied reasons to be kept exactly",
                    where=f"characteristic {item.feature!r}",
                    got=policy.baselines[item.feature],
                    fix=scorecard.too_large,
                )
        found[item.feature] = float(lowered)
    return found


def _places(policy: ReasonPolicy, scorecard: Scorecard) -> Mapping[int, int]:
    """Place in the order, from 1, by position of each characteristic."""
    places: dict[int, int] = {}
    last = None
    for code, carriers in policy.carriers(scorecard).items():
        if len(carriers) > 1:
            raise UnsupportedModel(
                "JPMML-Evaluator adds up what characteristics of a reason code fall short; the largest counts here",
                where=f"reason code {code!r}",
                got=[scorecard.characteristics[position].feature for position, _ in carriers],
                fix="give each characteristic codes of its own",
            )
        for position, _ in carriers:
            if position != last and position in places:
                raise UnsupportedModel(
                    "PMML has one baseline a characteristic, so its codes must stand together in the order of ties",
                    where=f"characteristic {scorecard.characteristics[position].feature!r}",
                    got=list(policy.order),
                    fix="reorder the codes of the reason policy",
                )
            places.setdefault(position, len(places) + 1)
            last = position
    return places
