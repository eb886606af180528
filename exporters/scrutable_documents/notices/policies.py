"""The models behind notices, by segment: what their reasons are called, and the ranges of their scores."""

from __future__ import annotations

from dataclasses import dataclass

from scrutable.errors import InputError, UnsupportedModel, did_you_mean
from scrutable.model import Model, ReasonPolicy, RegressionScorecard, Scorecard, SegmentedModel, SingleModel
from scrutable_documents.notices.score import ScoreDisclosure


@dataclass(frozen=True, slots=True, kw_only=True)
class Decider:
    """A model that decides on applicants, and its reason policy."""

    model: SingleModel
    policy: ReasonPolicy


def deciders(model: Model, language: str | None) -> dict[str | None, Decider]:
    """The model of each segment, or the model under None where there are no segments.

    Raises
    ------
    UnsupportedModel : a model without reasons, or with none in the language; of segments, the message names the first.
    """
    if isinstance(model, SegmentedModel):
        return {each.name: _decider(each.model, language, f"segment {each.name!r}") for each in model.segments}
    return {None: _decider(model, language, type(model).__name__)}


def check_ranges(disclosure: ScoreDisclosure | None, by_segment: dict[str | None, Decider]) -> None:
    """Refuse a range of scores that is stated for applicants of segments whose scores have other ones.

    One range is true of all segments if they share one scale, as scorecards of the same scaling do.

    Raises
    ------
    InputError : a segment whose range is not given, or a range of no segment.
    """
    if disclosure is None or disclosure.column is not None:
        return
    for name in disclosure.ranges:
        if name not in by_segment:
            names = [each for each in by_segment if each is not None]
            fix = did_you_mean(name, names) if names else "leave it out: the model has no segments"
            raise InputError("unknown segment", where="score: ranges", got=name, fix=fix)
    lacking = [name for name in by_segment if name not in disclosure.ranges]
    if len(by_segment) < 2 or not lacking or (not disclosure.ranges and _on_one_scale(by_segment)):
        return
    model = by_segment[lacking[0]].model
    possible = (
        "" if not isinstance(model, Scorecard) else ", whose scores can be {:g} to {:g}".format(*model.score_range)
    )
    raise InputError(
        "segments with scores on scales of their own need a range each",
        where="score: ranges",
        got=list(disclosure.ranges),
        allowed="a range for every segment, or one scaling for all of them",
        fix=f"give that of {lacking[0]!r}{possible}",
    )


def _decider(model: SingleModel | RegressionScorecard, language: str | None, where: str) -> Decider:
    if isinstance(model, RegressionScorecard) or model.reasons is None:
        raise UnsupportedModel(
            "a notice needs reasons, and the model has no reason policy",
            where=where,
            fix="fit it with an explainer, for example explainer=ReasonCodes(...), or use `scrutable reasons`",
        )
    if language is not None and language not in model.reasons.languages:
        raise UnsupportedModel(
            "the model's reasons have no texts in this language",
            where="option language" if where == type(model).__name__ else f"option language, {where}",
            got=language,
            allowed=", ".join(model.reasons.languages) or "none beside its own",
            fix="add translations to the reason policy, or leave the language out",
        )
    return Decider(model=model, policy=model.reasons)


def _on_one_scale(by_segment: dict[str | None, Decider]) -> bool:
    scalings = {each.model.scaling if isinstance(each.model, Scorecard) else None for each in by_segment.values()}
    return len(scalings) == 1 and None not in scalings
