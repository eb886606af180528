"""The models that a document is about, each with the applicants that it is told of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from scrutable.model import (
    Adjustment,
    KnockOut,
    Model,
    Override,
    ReasonPolicy,
    RegressionScorecard,
    SegmentedModel,
    SingleModel,
    describe_all,
    titles_of,
)
from scrutable_documents.common.evaluated import Evaluated
from scrutable_documents.common.sections import Block, Heading


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelPart:
    """A model that is no more made of models: the whole, or that of a segment.

    Parameters
    ----------
    segment : its name; empty for the whole.
    when : who belongs to the segment, in words.
    sample, reference : applicants, and those that the model was developed on; None where there are none.
    language : of the texts of reasons; the policy's own if None.
    """

    segment: str
    when: str
    model: SingleModel | RegressionScorecard
    sample: Evaluated | None
    reference: Evaluated | None = None
    language: str | None = None

    @property
    def policy(self) -> ReasonPolicy | None:
        """The model's reason policy."""
        return None if isinstance(self.model, RegressionScorecard) else self.model.reasons

    @property
    def knock_outs(self) -> tuple[KnockOut, ...]:
        """The model's knock-outs, in their order."""
        return () if isinstance(self.model, RegressionScorecard) else self.model.policy.knock_outs

    @property
    def rules(self) -> tuple[KnockOut | Adjustment | Override, ...]:
        """The knock-outs, score adjustments and overrides that can be a reason, in their order."""
        if isinstance(self.model, RegressionScorecard):
            return ()
        return tuple(rule for rule in self.model.policy.rules if rule.is_reason)

    @property
    def titles(self) -> dict[str, str]:
        """What people call each feature, and each interaction."""
        return titles_of(self.model)

    def text(self, code: str) -> str:
        """The text of a code, of a rule's too.

        Raises
        ------
        ModelError : the policy has no texts in the language.
        """
        reasons = {rule.code: rule.reason for rule in self.rules}
        if self.policy is not None and (self.language is not None or code not in reasons):
            return self.policy.words(code, self.language)
        return reasons[code]

    def titled(self, title: str) -> str:
        """A title that says which segment it is about."""
        return f"{title}, segment {self.segment}" if self.segment else title


def parts_of(
    model: Model,
    sample: Evaluated | None,
    reference: Evaluated | None = None,
    *,
    language: str | None = None,
    reasons: bool = False,
) -> Iterator[ModelPart]:
    """The model, or the models of its segments with their own applicants.

    Parameters
    ----------
    reasons : whether the applicants of segments are told their reasons.
    """
    if not isinstance(model, SegmentedModel):
        yield ModelPart(segment="", when="", model=model, sample=sample, reference=reference, language=language)
        return
    routing = {feature.name: feature for feature in model.routing}
    for segment in model.segments:
        yield ModelPart(
            segment=segment.name,
            when=describe_all(segment.when, routing) if segment.when else "everybody else",
            model=segment.model,
            sample=None if sample is None else sample.of_segment(segment, reasons=reasons),
            reference=None if reference is None else reference.of_segment(segment),
            language=language,
        )


def told_by_part(parts: Iterable[ModelPart], blocks_of: Callable[[ModelPart], Iterable[Block]]) -> list[Block]:
    """What is said of each part, that of a segment under its name."""
    told: list[Block] = []
    for part in parts:
        told += [Heading(f"Segment {part.segment}")] if part.segment else []
        told += blocks_of(part)
    return told
