"""Sections on what the model is for, what it is, and where its limits are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from scrutable.model import (
    DecisionModel,
    Model,
    Policy,
    RegressionScorecard,
    RuleSet,
    Scorecard,
    SegmentedModel,
    TreeEnsemble,
    exception_in_words,
    policy_in_words,
)
from scrutable.model.rulesets import deciding_sentence
from scrutable.plugins import AllMissing, Decision
from scrutable_documents.common.environment import kind_words
from scrutable_documents.common.figures import plain, points
from scrutable_documents.common.part import ModelPart, parts_of, told_by_part
from scrutable_documents.common.sections import Block, Facts, Gap, Heading, Listing, Paragraph, Section
from scrutable_documents.report.options import named
from scrutable_documents.report.subject import Subject


def purpose(subject: Subject) -> Section:
    """What the model is for, in the user's words."""
    text = subject.options.purpose
    missing = Gap(f"The purpose is not stated. Give it as {named('purpose')}.")
    return Section("purpose", "Purpose", paragraphs(text) if text else [missing])


def limits(subject: Subject) -> Section:
    """What the model is not for, in the user's words, and what holds for every model."""
    text = subject.options.limits
    missing = Gap(f"The user's limits are not stated. Give them as {named('limits')}.")
    stated: list[Block] = paragraphs(text) if text else [missing]
    general = [
        "Measures hold for the applicants they were taken on, and not for others.",
        "Who was declined before has no observed outcome; measures of the accepted do not speak for them.",
        "Measured disparities depend on the groups that are recorded, and on their sizes.",
    ]
    return Section("limits", "Limits", [*stated, Listing(general)])


def described(subject: Subject) -> Section:
    """The model in a paragraph, its scaling, and its automatic declines."""
    told = told_by_part(subject.parts, _details)
    return Section("model", "Model", [Paragraph(_overview(subject.model)), *_learned(subject), *told])


def paragraphs(text: str) -> list[Block]:
    """A text by its blank lines."""
    return [Paragraph(part.strip()) for part in text.split("\n\n") if part.strip()]


def _overview(model: Model) -> str:
    kind = kind_words(model)
    if isinstance(model, RegressionScorecard):
        return f"A {kind} for {model.outcome.title}: {model.counts}. The score is the prediction; it decides nothing."
    about = f"A {kind} about {model.outcome.target!r}; the favourable outcome is {model.outcome.favourable!r}"
    return f"{about}. {_way_of_deciding(model)}"


def _way_of_deciding(model: DecisionModel) -> str:
    match model:
        case Scorecard():
            low, high = model.score_range
            return (
                f"It has {model.counts}. The score is {points(model.base_points)} base points plus the points of one "
                f"attribute of each characteristic, from {points(low)} to {points(high)}. {_decision(model)}"
            )
        case RuleSet():
            return (
                f"{len(model.rules)} rules vote with their weights; where none applies, the fallback decides. "
                f"Decision: {deciding_sentence(model)}."
            )
        case TreeEnsemble():
            return (
                f"The score is {points(model.base_score)} plus one leaf value of each of {len(model.trees)} trees. "
                f"{_decision(model)}"
            )
        case SegmentedModel():
            lines = (f"{part.segment}: {part.when}" for part in parts_of(model, None))
            return f"Each applicant belongs to the first segment whose conditions hold. {'; '.join(lines)}."
        case _:
            assert_never(model)


def _learned(subject: Subject) -> Iterator[Block]:
    """What fit found of its decision and of missing values, where the evidence says it."""
    if subject.evidence is None:
        return
    for told in (Decision.of(subject.evidence), AllMissing.of(subject.evidence)):
        if told is not None:
            said = told.describe()
            yield Paragraph(f"{said[:1].upper()}{said[1:]}.")


def _decision(model: Scorecard | TreeEnsemble) -> str:
    return f"A score of {points(model.cutoff)} or more is the favourable decision{exception_in_words(model)}."


def _details(part: ModelPart) -> Iterator[Block]:
    if part.segment:
        yield Paragraph(_overview(part.model))
    pairs = list(_facts(part.model))
    if pairs:
        yield Facts(pairs)
    if not isinstance(part.model, RegressionScorecard) and part.model.policy != Policy():
        yield Heading("Policy around the score")
        yield Listing(policy_in_words(part.model))


def _facts(model: Model) -> Iterator[tuple[str, str]]:
    if isinstance(model, Scorecard) and model.scaling is not None:
        scaling = model.scaling
        yield (
            "Scaling",
            (
                f"{points(scaling.base_score)} points at odds of {plain(scaling.base_odds)} to 1, "
                f"doubled every {points(scaling.pdo)} points"
            ),
        )
        rounding = "none" if scaling.decimals is None else f"{scaling.decimals} decimals"
        yield "Rounding of points", rounding
    if isinstance(model, Scorecard | TreeEnsemble):
        calibration = model.calibration
        line = f"{plain(calibration.intercept, 9)} + {plain(calibration.slope, 9)} × score"
        shape = f"1 / (1 + exp(−({line})))" if calibration.link == "logit" else f"{line}, held between 0 and 1"
        yield "Probability of the favourable outcome", shape
