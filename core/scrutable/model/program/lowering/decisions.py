"""What models of two classes have in common: knock-outs, the decision, and reasons in their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scrutable.data.outcome import CLAMP, Calibration, ClassLabel
from scrutable.model.knock_outs import Policy
from scrutable.model.program.lowering.asking import Asking
from scrutable.model.program.nodes import (
    AtLeast,
    Choice,
    Clamp,
    Code,
    First,
    Linear,
    Logistic,
    Rank,
    Ref,
    Short,
    Test,
    Text,
)
from scrutable.model.program.program import Output
from scrutable.model.reasons import ReasonPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Nodes of a decision.

    Parameters
    ----------
    passed : whether the score reaches the cutoff.
    approved : whether it does, and no knock-out applies.
    code : the code of the first knock-out that applies, or none.
    place : which knock-out that is; None where there are none.
    """

    passed: Ref
    approved: Ref
    code: Ref
    place: Ref | None
    count: int
    cutoff: float


def decided(asking: Asking, score: Ref, cutoff: float, policy: Policy) -> Decision:
    """The decision about a score."""
    rules = policy.knock_outs
    passed = asking.add(AtLeast(score, cutoff))
    whens = tuple(asking.conjunction(rule.when) for rule in rules)
    place = asking.add(First(whens, tuple(rule.reason for rule in rules)))
    code = asking.add(Text(place, (*(rule.code for rule in rules), None)))
    if not rules:
        return Decision(passed=passed, approved=passed, code=code, place=None, count=0, cutoff=cutoff)
    approved = asking.every([passed, asking.add(Test(place, (len(rules),)))])
    return Decision(passed=passed, approved=approved, code=code, place=place, count=len(rules), cutoff=cutoff)


def unfavourable(asking: Asking, probability: Ref) -> Output:
    """The probability of the other class: 1 less that of the favourable one."""
    return Output("unfavourable", asking.add(Linear(probability, -1.0, 1.0)))


def outputs_of_decision(score: Ref, probability: Ref, decision: Decision, favourable: ClassLabel) -> list[Output]:
    """The outputs of every model for two classes."""
    return [
        Output("score", score, f"points to the favourable class {favourable!r}"),
        Output("probability", probability, f"probability of the favourable class {favourable!r}"),
        Output("approved", decision.approved, f"1 if the score is at least {decision.cutoff!r}, no knock-out; else 0"),
        Output("knock_out", decision.code, "code of the first knock-out that applies"),
    ]


def probability(asking: Asking, calibration: Calibration, score: Ref) -> Ref:
    """The probability of the favourable class."""
    linear = asking.add(Linear(score, calibration.slope, calibration.intercept))
    if calibration.link == "identity":
        return asking.add(Clamp(linear, 0.0, 1.0))
    return asking.add(Logistic(asking.add(Clamp(linear, -CLAMP, CLAMP))))


def reasons(
    asking: Asking, policy: ReasonPolicy, short: Mapping[str, Sequence[Ref]], decision: Decision, about: str
) -> list[Output]:
    """The ranked reasons; a knock-out comes first, and alone where the score reaches the cutoff.

    Parameters
    ----------
    short : by code, how far what carries it falls short.
    about : what a shortfall is, in words.
    """
    codes = [code for code in policy.order if short.get(code)]
    rank = asking.add(Rank(tuple(tuple(short[code]) for code in codes), tuple(policy.texts[code] for code in codes)))
    texts = [asking.add(Text(asking.add(Code(rank, i)), (*codes, None))) for i in range(policy.k)]
    shorts = [asking.add(Short(rank, i)) for i in range(policy.k)]
    if decision.place is not None:
        state = _state(asking, decision)
        texts = [asking.add(Choice(state, each)) for each in _shifted(texts, decision.code)]
        shorts = [asking.add(Choice(state, each)) for each in _shifted(shorts, None)]
    return [
        *(Output(f"reason_{i}", ref, f"code of reason {i}, the weightiest being 1") for i, ref in enumerate(texts, 1)),
        *(Output(f"short_{i}", ref, f"{about} of reason {i}; none for a knock-out") for i, ref in enumerate(shorts, 1)),
    ]


def _state(asking: Asking, decision: Decision) -> Ref:
    """0 where no knock-out applies, 1 where one joins what falls short, 2 where one stands alone."""
    assert decision.place is not None
    free = asking.add(Test(decision.place, (decision.count,)))
    return asking.add(First((free, asking.negated(decision.passed))))


def _shifted(ranked: Sequence[Ref], first: Ref | None) -> list[tuple[Ref | None, ...]]:
    """What each place shows by the state of the knock-outs: itself, or the one before it, or nothing."""
    alone: list[Ref | None] = [first, *[None] * (len(ranked) - 1)]
    return list(zip(ranked, [first, *ranked[:-1]], alone, strict=True))
