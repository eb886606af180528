"""Applicants of whom nothing is known: what a model makes of them, and knock-outs that decline them."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Self, TypeVar

from scrutable.data.frames import as_table
from scrutable.data.training_rows import LabelledRows
from scrutable.data.values import Json
from scrutable.errors import InputError, ScrutableWarning, warn_caller
from scrutable.model import (
    Clause,
    DecisionModel,
    Evidence,
    FrozenMapping,
    KnockOut,
    Missing,
    RuleSet,
    Scorecard,
    SegmentedModel,
    TreeEnsemble,
    fingerprint,
)
from scrutable.model.contents import features_read
from scrutable.model.evaluator import evaluate
from scrutable.model.segmented.coding import agreeing
from scrutable.plugins.useless_models import DoubtfulModelWarning

M = TypeVar("M", bound=DecisionModel)
S = TypeVar("S", bound=Scorecard | RuleSet | TreeEnsemble)

#: The entry of the metrics that says what becomes of an applicant of whom nothing is known.
ALL_MISSING = "all_missing"

#: Which missing values decline: all of the inputs at once, or one that was there on every training row.
Refused = Literal["all", "unseen"]


class UnseenMissingWarning(ScrutableWarning):
    """The model approves an applicant of whom every input is missing, although training saw no such rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AllMissing:
    """The decision on an applicant of whom every input is missing, and what training rows say of missing values.

    Parameters
    ----------
    score : None of segments, whose scores may be on scales of their own.
    approved : whether the model approves them.
    read : number of inputs that the model reads.
    never_missing : those of them that were there on every training row, so that nothing was learned of their absence.
    """

    score: float | None
    approved: bool
    read: int
    never_missing: tuple[str, ...]

    @classmethod
    def of(cls, evidence: Evidence) -> Self | None:
        """What evidence says of it; None where it says nothing."""
        entry: Any = evidence.metrics.get(ALL_MISSING)
        return cls(**entry) if isinstance(entry, Mapping) else None

    @classmethod
    def measured(cls, model: DecisionModel, data: LabelledRows, *, cutoff: float | None = None) -> Self | None:
        """That of a model and the rows it was learned from; None of more than two classes, or without any input.

        Parameters
        ----------
        cutoff : another one than the model's, which decides in its place.
        """
        names = [feature.name for feature in features_read(model)]
        if not names or not data.outcome.binary:
            return None
        return cls(
            **_decided(model, names, cutoff),
            read=len(names),
            never_missing=tuple(name for name in names if not data.columns[name].missing.any()),
        )

    @property
    def unlearned(self) -> bool:
        """Whether they are approved although training saw no such rows."""
        return self.approved and bool(self.never_missing)

    def advice(self, declining: str) -> str:
        """What happens to such applicants, what was done about it, and whether anything is needed.

        Parameters
        ----------
        declining : what has them declined, as a sentence without its full stop.

        Examples
        --------
        >>> known = AllMissing(score=512.5, approved=True, read=3, never_missing=("age",))
        >>> known.advice("--refuse-missing all declines them").split(". ")[1]
        'This rests on no training row: 1 of the 3 inputs is never missing there'
        """
        score = "" if self.score is None else f", with a score of {self.score:.6g}"
        never = len(self.never_missing)
        return (
            f"an applicant of whom every input is missing would be approved{score}. This rests on no training row: "
            f"{never:,} of the {self.read:,} inputs {'is' if never == 1 else 'are'} never missing there. The model was "
            f"left as it is. Nothing is needed where no such application reaches it; otherwise {declining}."
        )

    def to_json(self) -> FrozenMapping[Json]:
        """The entry of the metrics."""
        return FrozenMapping(asdict(self))

    def describe(self) -> str:
        """A line, without its full stop.

        >>> print(AllMissing(score=512.5, approved=True, read=3, never_missing=("age", "income")).describe())
        an applicant of whom every input is missing scores 512.5 and is approved; 2 of the 3 inputs were never missing \
in training
        """
        scores = "" if self.score is None else f"scores {self.score:.6g} and "
        decided = f"{scores}is {'approved' if self.approved else 'declined'}"
        seen = f"{len(self.never_missing)} of the {self.read} inputs were never missing in training"
        return f"an applicant of whom every input is missing {decided}; {seen}"


def warn_of_unseen(evidence: Evidence) -> None:
    """Warn where evidence says that who lacks every input is approved although training saw no such rows."""
    all_missing = AllMissing.of(evidence)
    if all_missing is not None and all_missing.unlearned:
        call = "scrutable.plugins.refusing_missing(model_, evidence_, 'all')"
        declining = f"{call} gives a model that declines them, and 'unseen' one that declines who lacks any of these"
        warn_caller(all_missing.advice(declining), UnseenMissingWarning)


@contextmanager
def told_otherwise() -> Iterator[None]:
    """Within this, `fit` warns neither of it nor of a doubtful model: whoever calls it tells in its own way."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenMissingWarning)
        warnings.simplefilter("ignore", DoubtfulModelWarning)
        yield


def refusing_missing(model: M, evidence: Evidence, refused: Refused) -> tuple[M, Evidence]:
    """The model with knock-outs that decline missing values, and the evidence of that model.

    They come after the model's own knock-outs; of segments, each model gets those of the inputs that it reads.

    Parameters
    ----------
    evidence : of `fit`, which says which inputs were never missing.
    refused : "all" declines who lacks every input, "unseen" who lacks one that was there on every training row.

    Raises
    ------
    InputError : a model that does not decide between two classes, or that reads no input.

    Examples
    --------
    >>> from scrutable import create, evaluate
    >>> from scrutable.data.datasets import load_german_credit
    >>> german = load_german_credit()
    >>> learner = create("learner", "scorecard").fit(german.X, german.y)
    >>> model, _ = refusing_missing(learner.model_, learner.evidence_, "all")
    >>> nothing = {feature.name: [None] for feature in model.features}
    >>> evaluate(learner.model_, nothing).approved.tolist(), evaluate(model, nothing).knock_out.tolist()
    ([True], ['M01'])
    """
    known = AllMissing.of(evidence)
    if known is None:
        raise InputError(
            "missing values are refused by a model of two classes that reads an input",
            where="refused",
            got=repr(model),
            fix="leave it out",
        )
    columns = None if refused == "all" else known.never_missing
    changed: Any
    if isinstance(model, SegmentedModel):
        parts = agreeing({segment.name: _refusing(segment.model, columns) for segment in model.segments})
        segments = tuple(replace(segment, model=parts[segment.name]) for segment in model.segments)
        changed = replace(model, segments=segments)
    else:
        changed = _refusing(model, columns)
    names = [feature.name for feature in features_read(changed)]
    metrics = FrozenMapping({**evidence.metrics, ALL_MISSING: replace(known, **_decided(changed, names)).to_json()})
    return changed, replace(evidence, model_sha256=fingerprint(changed), metrics=metrics)


def _decided(model: DecisionModel, names: list[str], cutoff: float | None = None) -> dict[str, Any]:
    evaluation = evaluate(model, as_table({name: [None] for name in names}), reasons=False)
    score = None if evaluation.score is None or isinstance(model, SegmentedModel) else float(evaluation.score[0])
    if cutoff is None or score is None:
        return {"score": score, "approved": bool(evaluation.approved[0])}
    approved = (score >= cutoff and not evaluation.knocked_out[0]) or evaluation.let_in[0]
    return {"score": score, "approved": bool(approved)}


def _refusing(model: S, columns: tuple[str, ...] | None) -> S:
    return replace(
        model, policy=replace(model.policy, knock_outs=(*model.policy.knock_outs, *_knock_outs(model, columns)))
    )


def _knock_outs(model: Scorecard | RuleSet | TreeEnsemble, columns: tuple[str, ...] | None) -> Iterator[KnockOut]:
    taken = {rule.code for rule in model.policy.rules} | set(model.reasons.order if model.reasons else ())
    codes = (code for number in itertools.count(1) if (code := f"M{number:02d}") not in taken)
    if columns is None:
        every = tuple(Clause(feature.name, (Missing(),)) for feature in model.features)
        if every:
            yield KnockOut(code=next(codes), reason="Credit application incomplete", when=every)
        return
    for feature in model.features:
        if feature.name in columns:
            when = (Clause(feature.name, (Missing(),)),)
            yield KnockOut(code=next(codes), reason=f"Not given: {feature.title}", when=when)
