"""Learners that decline by knock-outs what they should not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from contract_samples.healthy import TinyLearner

from contract_planted.fault import patched
from scrutable.model import Attribute, Characteristic, Clause, KnockOut, Otherwise, Policy


class Knocking(TinyLearner):
    """Declines whoever has certain attributes."""

    def learn(self, data: Any) -> Any:
        model, evidence = super().learn(data)
        found = [
            KnockOut(code=f"K{number}-{place}", reason="never", when=(Clause(each.feature, (one.condition,)),))
            for number, each in enumerate(model.characteristics)
            for place, one in enumerate(each.attributes)
            if not isinstance(one.condition, Otherwise) and self.knocks(each, one)
        ]
        return replace(model, policy=Policy(knock_outs=tuple(found))), evidence

    def knocks(self, characteristic: Characteristic, attribute: Attribute) -> bool:
        raise NotImplementedError


@patched(Knocking, "knocks", check="what-was-not-seen-is-no-reason-to-decline")
def knocks_out_the_unseen(self: Any, characteristic: Characteristic, attribute: Attribute) -> bool:
    """Takes attributes that nobody had for such as nobody paid of."""
    return attribute.statistics is not None and attribute.statistics.good == 0


@patched(Knocking, "knocks", check="decisions-follow-the-score")
def knocks_out_the_worst(self: Any, characteristic: Characteristic, attribute: Attribute) -> bool:
    """Declines the worst attribute of each characteristic but the first, whoever paid."""
    worst = min(one.points for one in characteristic.attributes if one.statistics and one.statistics.count)
    seen = attribute.statistics is not None and attribute.statistics.count > 0
    return seen and attribute.points == worst and characteristic.feature != "x"
