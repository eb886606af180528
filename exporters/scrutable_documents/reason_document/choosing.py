"""How a policy chooses reasons, in words."""

from __future__ import annotations

from collections.abc import Iterator

from scrutable.model import ReasonPolicy, RegressionScorecard, RuleSet, TreeEnsemble
from scrutable.model.rulesets import deciding_sentence
from scrutable_documents.common.figures import points
from scrutable_documents.common.part import ModelPart
from scrutable_documents.law import REGULATION_B_READ, REGULATION_B_SINCE

_COMMENT = "12 CFR part 1002, Supplement I, comment 9(b)(2)"

_METHODS = {
    "below-average": (
        "A feature falls short by the average points of the applicants of the population minus the applicant's points "
        f"({_COMMENT}-5, {REGULATION_B_READ}, names this "
        f"method; {REGULATION_B_SINCE})."
    ),
    "near-cutoff": (
        "A feature falls short by the average points of those applicants of the population whose score is at or "
        f"slightly above the cutoff, minus the applicant's points ({_COMMENT}-5, {REGULATION_B_READ}, names "
        f"this method; {REGULATION_B_SINCE})."
    ),
    "below-maximum": "A feature falls short by the most points that it can give minus the applicant's points.",
    "below-neutral": (
        "A feature falls short by its neutral points minus the applicant's points; neutral are points at a weight of "
        "evidence of 0, unless others were given."
    ),
    "shapley": (
        "A feature falls short by its exact interventional Shapley value, the population being what applicants are "
        "compared with. For sums of points that is the average points of the population minus the applicant's."
    ),
    "votes-against": "A feature falls short by the weight of all rules that vote against the applicant and read it.",
}


def facts(part: ModelPart, policy: ReasonPolicy) -> Iterator[tuple[str, str]]:
    """Names and values of what was set."""
    yield "Method", policy.method
    yield "Population of the baselines", policy.population or "not stated"
    if isinstance(part.model, RuleSet):
        yield "Decision", deciding_sentence(part.model)
    else:
        yield "Cutoff of the baselines", points(policy.cutoff)
    if policy.near is not None:
        yield "Near the cutoff", f"up to {points(policy.near)} points above it"
    yield "Reasons at most", str(policy.k)
    yield "Codes", str(len(policy.order) + len(part.rules))
    if policy.inquiries:
        yield "Features that count inquiries", ", ".join(part.titles[name] for name in policy.inquiries)
    yield "Languages", ", ".join(["the policy's own texts", *policy.languages])


def steps(part: ModelPart, policy: ReasonPolicy) -> Iterator[str]:
    """How the reasons of an applicant come about, one step after another."""
    if part.knock_outs:
        yield (
            "A knock-out that applies declines whatever the score, and is the first reason, and the only one where the "
            "score reaches the cutoff; of several that apply, the first in the list below."
        )
    yield from _around(part)
    unknown = "A feature falls short by its baseline minus what the applicant has."
    yield _METHODS.get(policy.method, unknown)
    if isinstance(part.model, TreeEnsemble) and policy.effects:
        yield (
            "Trees of a single feature give it their points. A leaf of a tree of several features gives or takes "
            "points of each of them, whether or not the applicant gets there, by what the applicant has of its path."
        )
    if isinstance(part.model, RuleSet):
        yield "Where no rule applies, the fallback's rule that does takes their place."
    yield (
        "A code falls short by as much as the feature that falls short most, of those that carry it. Codes that fall "
        "short by more than 0 are ranked, the largest first; equal ones go by their order in the list of codes."
    )
    yield f"The list ends after {policy.k}."
    if policy.inquiries:
        yield (
            "In a list of key factors of a score, which has four at most, the number of inquiries is named beyond the "
            "four where it is one (15 U.S.C. 1681g(f)(9))."
        )


def _around(part: ModelPart) -> Iterator[str]:
    """What overrides and score adjustments do to the reasons."""
    if part.policy is None or isinstance(part.model, RegressionScorecard):
        return
    overrides = [rule for rule in part.model.policy.overrides if rule.declines]
    if overrides:
        yield "An override that declines is a reason as a knock-out is, unless a knock-out or another override decides."
    if not all(rule.is_reason for rule in overrides):
        yield (
            "An override that may not be told is no reason: where it declines and the score reaches the cutoff, there "
            "is no reason to tell."
        )
    if any(each.is_reason for each in part.model.policy.adjustments):
        yield (
            "A score adjustment that takes points away falls short by these points, wherever it applies; of equal ones "
            "it comes after the codes of features."
        )
