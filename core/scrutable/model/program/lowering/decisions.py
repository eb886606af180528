"""What models of two classes have in common: policy, the decision, and reasons in their order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scrutable.data.outcome import CLAMP, Calibration, ClassLabel
from scrutable.model.grades import Grade
from scrutable.model.policy import Adjustment, KnockOut, Override, Policy
from scrutable.model.program.lowering.asking import Asking
from scrutable.model.program.nodes import (
    AtLeast,
    Choice,
    Clamp,
    Code,
    First,
    Linear,
    Logistic,
    Points,
    Rank,
    Ref,
    Short,
    Sum,
    Test,
    Text,
)
from scrutable.model.program.program import ADJUSTING, Output
from scrutable.model.reasons import ReasonPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Nodes of a decision.

    Parameters
    ----------
    score : what is held against the cutoff.
    passed : whether it reaches the cutoff.
    rules : the knock-outs and overrides, of which the first that applies decides.
    place : which rule that is, their number where none applies; None where there are no rules.
    """

    score: Ref
    cutoff: float
    passed: Ref
    rules: tuple[KnockOut | Override, ...]
    place: Ref | None

    def text(self, asking: Asking, codes: Iterable[str | None]) -> Ref:
        """A code for each rule; none where no rule applies."""
        told = tuple(codes)
        if self.place is None or not any(told):
            return asking.add(Text(asking.add(First(())), (None,)))
        return asking.add(Text(self.place, (*told, None)))

    def among(self, asking: Asking, places: Iterable[int]) -> Ref:
        """Whether the rule that decides is one of some."""
        assert self.place is not None
        return asking.add(Test(self.place, tuple(places)))

    def approved(self, asking: Asking) -> Ref:
        """Whether a rule approves, or the score reaches the cutoff and no rule declines."""
        if self.place is None:
            return self.passed
        by_score = asking.every([self.passed, self.among(asking, [len(self.rules)])])
        approving = self.approving
        if not approving:
            return by_score
        return asking.add(Test(asking.add(First((self.among(asking, approving), by_score))), (0, 1)))

    @property
    def approving(self) -> list[int]:
        """The rules that approve."""
        return [place for place, rule in enumerate(self.rules) if not rule.declines]

    @property
    def hidden(self) -> list[int]:
        """The rules that decline and are no reason."""
        return [place for place, rule in enumerate(self.rules) if rule.declines and not rule.is_reason]


def decided(asking: Asking, score: Ref, cutoff: float, policy: Policy) -> Decision:
    """The decision about a score."""
    rules = policy.deciding
    passed = asking.add(AtLeast(score, cutoff))
    whens = tuple(asking.conjunction(rule.when) for rule in rules)
    place = asking.add(First(whens, tuple(rule.reason for rule in rules))) if rules else None
    return Decision(score=score, cutoff=cutoff, passed=passed, rules=rules, place=place)


def adjusting(asking: Asking, policy: Policy) -> tuple[Ref, ...]:
    """The points of each score adjustment, 0 where it does not apply."""
    return tuple(_where(each, each.points, asking) for each in policy.adjustments)


def details_of_adjustments(asking: Asking, policy: Policy) -> list[Output]:
    """The points of each score adjustment by itself."""
    points = zip(policy.adjustments, adjusting(asking, policy), strict=True)
    return [Output(f"{ADJUSTING}{each.code}", ref, f"points of the adjustment: {each.reason}") for each, ref in points]


def unfavourable(asking: Asking, probability: Ref) -> Output:
    """The probability of the other class: 1 less that of the favourable one."""
    return Output("unfavourable", asking.add(Linear(probability, -1.0, 1.0)))


def outputs_of_decision(
    asking: Asking, decision: Decision, probability: Ref, favourable: ClassLabel, policy: Policy
) -> list[Output]:
    """The outputs of every model for two classes, and those of what its policy has."""
    score, rules = decision.score, decision.rules
    knock_outs = decision.text(asking, (rule.code if isinstance(rule, KnockOut) else None for rule in rules))
    approved = decision.approved(asking)
    known = f"1 if the score is at least {decision.cutoff!r}, no knock-out; else 0"
    outputs = [
        Output("score", score, f"points to the favourable class {favourable!r}"),
        Output("probability", probability, f"probability of the favourable class {favourable!r}"),
        Output("approved", approved, f"{known}, unless an override decides" if policy.overrides else known),
        Output("knock_out", knock_outs, "code of the first knock-out that applies"),
    ]
    if policy.overrides:
        overrides = decision.text(asking, (rule.code if isinstance(rule, Override) else None for rule in rules))
        outputs.append(Output("override", overrides, "code of the override that decides"))
    if policy.adjustments:
        added = asking.add(Sum(0.0, adjusting(asking, policy)))
        outputs.append(Output("adjustment", added, "points of the score adjustments that apply"))
    if policy.grades:
        outputs.append(Output("grade", _grade(asking, score, policy.grades), "grade of the score"))
    return outputs


def probability(asking: Asking, calibration: Calibration, score: Ref) -> Ref:
    """The probability of the favourable class."""
    linear = asking.add(Linear(score, calibration.slope, calibration.intercept))
    if calibration.link == "identity":
        return asking.add(Clamp(linear, 0.0, 1.0))
    return asking.add(Logistic(asking.add(Clamp(linear, -CLAMP, CLAMP))))


def reasons(
    asking: Asking,
    policy: ReasonPolicy,
    short: Mapping[str, Sequence[Ref]],
    decision: Decision,
    adjustments: Sequence[Adjustment],
    about: str,
) -> list[Output]:
    """The ranked reasons; the rule that declines comes first, and alone where the score reaches the cutoff.

    Parameters
    ----------
    short : by code, how far what carries it falls short.
    adjustments : those of the model; such as take points away have a rank too, after equal ones of the policy's order.
    about : what a shortfall is, in words.
    """
    ranked = {code: (tuple(short[code]), policy.texts[code]) for code in policy.order if short.get(code)}
    for each in adjustments:
        if each.is_reason:
            ranked[each.code] = ((_where(each, -each.points, asking),), each.reason)
    rank = asking.add(Rank(tuple(refs for refs, _ in ranked.values()), tuple(words for _, words in ranked.values())))
    texts = [asking.add(Text(asking.add(Code(rank, i)), (*ranked, None))) for i in range(policy.k)]
    shorts = [asking.add(Short(rank, i)) for i in range(policy.k)]
    if decision.place is not None:
        first = decision.text(asking, (rule.code if rule.is_reason else None for rule in decision.rules))
        texts, shorts = _with_rules(asking, decision, texts, first), _with_rules(asking, decision, shorts, None)
    return [
        *(Output(f"reason_{i}", ref, f"code of reason {i}, the weightiest being 1") for i, ref in enumerate(texts, 1)),
        *(Output(f"short_{i}", ref, f"{about} of reason {i}; none for a knock-out") for i, ref in enumerate(shorts, 1)),
    ]


def _with_rules(asking: Asking, decision: Decision, ranked: Sequence[Ref], first: Ref | None) -> list[Ref]:
    """What each place of a list shows: what falls short, after or instead of it what a rule that declines gives."""
    nothing: list[Ref | None] = [None] * len(ranked)
    joined, alone = [first, *ranked[:-1]], [first, *nothing[1:]]
    free = decision.among(asking, [*decision.approving, len(decision.rules)])
    cases: list[tuple[Ref, Sequence[Ref | None]]] = [(free, ranked)]
    failed = asking.negated(decision.passed)
    if decision.hidden:
        hidden = decision.among(asking, decision.hidden)
        cases += [(asking.every([hidden, failed]), ranked), (hidden, nothing)]
    cases += [(failed, joined)]
    which = asking.add(First(tuple(truth for truth, _ in cases)))
    shown = [*(refs for _, refs in cases), alone]
    return [asking.add(Choice(which, refs)) for refs in zip(*shown, strict=True)]


def _grade(asking: Asking, score: Ref, grades: Sequence[Grade]) -> Ref:
    """The name of the first grade whose lower limit the score reaches; every score reaches the last one's."""
    reached = tuple(asking.add(AtLeast(score, grade.at_least)) for grade in grades[:-1])
    place = asking.add(First(reached, tuple(grade.label or grade.name for grade in grades)))
    return asking.add(Text(place, tuple(grade.name for grade in grades)))


def _where(adjustment: Adjustment, points: float, asking: Asking) -> Ref:
    """Some points where an adjustment applies, else none."""
    return asking.add(Points(asking.conjunction(adjustment.when), (0.0, points)))
