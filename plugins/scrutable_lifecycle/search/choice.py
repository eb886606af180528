"""The pick: the most accurate candidate that meets the required ratio, and a reason for every other."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from scrutable_lifecycle.search.candidate import Candidate, with_frontier
from scrutable_lifecycle.search.settings import APPROVAL_TOLERANCE, Settings

#: What breaks ties, in this order, and how a reason names it.
_ORDER: tuple[tuple[str, Callable[[Candidate], float]], ...] = (
    ("its AUC, {own:.4f}, is below the pick's {best:.4f}", lambda candidate: -candidate.auc),
    ("its bad rate among the approved, {own:.2%}, is above the pick's {best:.2%}", lambda each: _bad_rate(each)),
    ("it has {own:.0f} attributes, the pick {best:.0f}", lambda candidate: candidate.attributes or 0),
    ("it equals the pick in every measure, and came later", lambda candidate: candidate.number),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The candidates with their place and the reason for each, the one picked, and whether it meets the requirement."""

    candidates: tuple[Candidate, ...]
    picked: Candidate
    requirement_met: bool


def choose(candidates: Sequence[Candidate], settings: Settings) -> Choice:
    """Pick among candidates; the first is the baseline.

    The pick has the highest AUC of those that meet the requirement; ties go to the lower bad rate among the approved,
    then to fewer attributes, then to the one tried first. Where none meets it, the one that comes closest is picked.
    A candidate whose cutoff approves far more of the rows learned from than asked is left aside, because that alone
    lifts a ratio: by over `APPROVAL_TOLERANCE` more than what was asked and what the baseline approves. Scores of few
    different values do that. So is one that cannot approve as many, as its `aside` says; the baseline has none. Neither
    is on the frontier.
    """
    baseline = candidates[0].judgement.approval_rate_learned
    ceiling = max(settings.approval_rate or 0.0, baseline) + APPROVAL_TOLERANCE
    candidates = with_frontier(
        [
            replace(each, comparable=not each.aside and each.judgement.approval_rate_learned <= ceiling)
            for each in candidates
        ]
    )
    equal = [each for each in candidates if each.comparable]
    meeting = [each for each in equal if settings.meets(each.ratio)]
    if meeting:
        best = min(meeting, key=_rank)
    else:
        best = min(equal, key=lambda each: (-settings.reached(each.ratio), *_rank(each)))
    reasons = {each.number: _reason(each, best, ceiling, settings) for each in candidates}
    reasons[best.number] = _praise(best, len(meeting), left_aside(candidates), settings)
    explained = tuple(replace(each, why=reasons[each.number]) for each in candidates)
    return Choice(
        candidates=explained,
        picked=next(each for each in explained if each.number == best.number),
        requirement_met=bool(meeting),
    )


def left_aside(candidates: Sequence[Candidate]) -> str:
    """What stands in a sentence about all candidates for those that are not compared; nothing where all are."""
    few = sum(bool(each.aside) for each in candidates)
    more = sum(not each.comparable for each in candidates) - few
    counts = {"approving far more than asked": more, "approving too few": few}
    said = ", ".join(f"{count} left aside for {what}" for what, count in counts.items() if count)
    return f" ({said})" if said else ""


def _rank(candidate: Candidate) -> tuple[float, ...]:
    return tuple(key(candidate) for _, key in _ORDER)


def _bad_rate(candidate: Candidate) -> float:
    return math.inf if math.isnan(candidate.bad_rate) else candidate.bad_rate


def _praise(best: Candidate, meeting: int, aside: str, settings: Settings) -> str:
    if not meeting:
        return (
            f"no candidate meets the required ratio of {settings.required_ratio:g}{aside}, and this one comes closest: "
            f"{settings.in_words(best.ratio)} is the highest"
        )
    among = "the only candidate" if meeting == 1 else f"the highest AUC, {best.auc:.4f}, of the {meeting} candidates"
    if not settings.by_groups:
        return f"{among}{aside}"
    reaches = "reaches" if settings.margin is None else "is at least"
    counts = f"{settings.in_words(best.ratio)} {reaches} {settings.required_ratio:g}"
    return f"{among} with the required ratio{aside}: {counts}"


def _reason(each: Candidate, best: Candidate, ceiling: float, settings: Settings) -> str:
    if each.aside:
        return each.aside
    if not each.comparable:
        rate = each.judgement.approval_rate_learned
        return (
            f"its cutoff approves {rate:.1%} of the rows learned from, more than the {ceiling:.1%} that can still "
            "be compared: approving more lifts a ratio by itself"
        )
    if not settings.meets(each.ratio):
        return f"{settings.in_words(each.ratio)} is below the required {settings.required_ratio:g}"
    for text, key in _ORDER:
        if key(each) != key(best):
            return text.format(own=abs(key(each)), best=abs(key(best)))
    return ""
