"""Drawn scorecards of which many parts are alike: attributes of equal points, and long lists of categories."""

from __future__ import annotations

from dataclasses import replace

from scrutable.model import Attribute, Calibration, Categories, FrozenMapping, Outcome, Scorecard
from scrutable.testing.contract.examples.drawer import Drawing
from scrutable.testing.contract.examples.drawing import LINES


class CardDrawing(Drawing):
    """Draws scorecards of parts that are alike."""

    def listing_scorecard(self, outcome: Outcome) -> Scorecard:
        """A characteristic whose attributes list 257 categories, 11, and 2."""
        item = self._characteristic(LINES[-1], 0)
        values = LINES[-1].values
        parts = (values[:257], values[257:268], values[268:])
        listed = [
            Attribute(condition=Categories(tuple(map(str, part))), points=25.0 * (place + 1))
            for place, part in enumerate(parts)
        ]
        others = [replace(each, reason_code=None) for each in item.attributes if not _lists(each)]
        card = Scorecard(
            outcome=outcome,
            features=(LINES[-1].feature,),
            characteristics=(replace(item, attributes=(*listed, *others)),),
            base_points=500,
            cutoff=0.0,
            calibration=Calibration(slope=1.0),
        )
        return self._decided(card)

    def equal_scorecard(self, outcome: Outcome) -> Scorecard:
        """Neighbours of equal points, each with a reason code of its own, which most applicants are given."""
        card = self.scorecard(outcome)
        assert card.reasons is not None
        codes, parts = list(dict.fromkeys(card.reasons.codes.values())), []
        for item in card.characteristics:
            own = [f"{item.feature}-{place}" for place in range(len(item.attributes))]
            codes += own
            attributes = tuple(
                replace(each, points=float(place // 3), reason_code=code)
                for place, (each, code) in enumerate(zip(item.attributes, own, strict=True))
            )
            parts.append(replace(item, attributes=attributes))
        reasons = replace(
            card.reasons,
            k=8,
            order=tuple(codes),
            texts=FrozenMapping({code: f"Reason of {code}" for code in codes}),
            translations=FrozenMapping({}),
            baselines=FrozenMapping({item.feature: 5.0 for item in card.characteristics}),
            near=None,
        )
        return self._decided(replace(card, characteristics=tuple(parts), reasons=reasons))


def _lists(attribute: Attribute) -> bool:
    return isinstance(attribute.condition, Categories)
