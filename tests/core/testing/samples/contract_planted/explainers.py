"""Explainers that explain wrongly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
from contract_samples.healthy import TinyExplainer, TinyExplanation

from contract_planted.fault import C, planted
from scrutable import create
from scrutable.errors import InputError, UnsupportedModel
from scrutable.model import FrozenMapping, RuleSet, Scorecard, SegmentedModel, dumps
from scrutable.model.evaluator import evaluate, shortfalls_by_feature
from scrutable.plugins.bases import Explainer

_ADDS, _MOVES = "contributions-add-up-to-the-score", "a-replaced-value-moves-its-own-contribution"


def of_points(check: str, **declared: Any) -> Callable[[C], C]:
    """Plant an explainer of scorecards by contributions."""
    return planted("explainer", check=check, **{"accepts": ("scorecard",), "produces": ("contributions",)} | declared)


def of_reasons(check: str) -> Callable[[C], C]:
    """Plant an explainer by reasons."""
    return planted("explainer", check=check, accepts=("scorecard", "rule-set", "tree-ensemble"), produces=("reasons",))


def of_answers(check: str) -> Callable[[C], C]:
    """Plant an explainer by what would have to change."""
    return planted("explainer", check=check, accepts=("scorecard",), produces=("counterfactuals",))


class Changed(TinyExplainer):
    """Contributions that are changed before they are told."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        return [self.told(model, each) for each in super().explain(model, X, reference=reference)]

    def told(self, model: Any, found: TinyExplanation) -> Any:
        return found


@of_points(_ADDS)
class WrongSign(Changed):
    """What is good for the applicant is negative."""

    def told(self, model: Any, found: TinyExplanation) -> Any:
        return replace(found, contributions={name: -points for name, points in found.contributions.items()})


@of_points(_MOVES)
class SwappedBaselines(Changed):
    """Two features are measured from one another's baseline."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        self_found = super().explain(model, X, reference=reference)
        points = evaluate(model, X if reference is None else reference).points
        first, second, *_ = points
        gap = float(points[first].mean() - points[second].mean())
        for each in self_found:
            each.contributions[first] += gap
            each.contributions[second] -= gap
        return self_found


@of_points("baselines-are-of-their-features")
class SwappedBestPoints(Explainer):
    """Points below the best of another characteristic."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        if not isinstance(getattr(model, "characteristics", None), tuple) or not hasattr(model, "cutoff"):
            raise UnsupportedModel("no scorecard", got=type(model).__name__)
        if reference is not None:
            raise InputError("it compares with the best points", where="reference")
        found, best = evaluate(model, X), [each.points_range[1] for each in model.characteristics]
        names = [each.feature for each in model.characteristics]
        turned = dict(zip(names, best[1:] + best[:1], strict=True))
        return [
            TinyExplanation(
                approved=bool(found.approved[row]),
                score=float(found.score[row]),
                baseline=model.base_points + sum(best),
                contributions={name: float(found.points[name][row]) - turned[name] for name in names},
            )
            for row in range(len(found.predicted))
        ]


@of_points(_MOVES)
class SwappedFeatures(Changed):
    """Two features have one another's contribution."""

    def told(self, model: Any, found: TinyExplanation) -> Any:
        first, second, *others = found.contributions
        names = [second, first, *others]
        return replace(found, contributions=dict(zip(names, found.contributions.values(), strict=True)))


@of_points(_ADDS)
class Favouring(Changed):
    """Points count for the last class."""

    def told(self, model: Any, found: TinyExplanation) -> Any:
        sign = 1 if model.outcome.favourable_index == 1 else -1
        return replace(found, contributions={name: sign * its for name, its in found.contributions.items()})


@of_points(_ADDS)
class ForgettingMissing(Changed):
    """Contributions of 0 where a value is missing."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        found = super().explain(model, X, reference=reference)
        for row, each in enumerate(found):
            each.contributions.update({name: 0.0 for name in each.contributions if X[name].isna().iloc[row]})
        return found


@of_points("a-reference-that-is-given-counts")
class IgnoringReference(TinyExplainer):
    """The reference population is ignored."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        return super().explain(model, X)


@of_points("explanations-tell-applicants-apart")
class Constant(Changed):
    """Everybody with a decision gets the same explanation."""

    def told(self, model: Any, found: TinyExplanation) -> Any:
        return TinyExplanation(approved=found.approved, score=0.0)


@of_points("explanations-tell-applicants-apart")
class ConstantWords(Changed):
    """Values differ, and words do not."""

    def told(self, model: Any, found: TinyExplanation) -> Any:
        return _Silent(**vars(found))


class _Silent(TinyExplanation):
    def describe(self) -> str:
        return "Approved" if self.approved else "Declined"


@of_points("explanations-repeat-the-evaluation")
class RoundedScore(Changed):
    """The score is told without decimals."""

    def told(self, model: Any, found: TinyExplanation) -> Any:
        return replace(found, score=float(round(found.score)))


@of_points("contributions-add-up-to-the-score")
class OtherValues(Changed):
    """What JSON holds are other values."""

    def told(self, model: Any, found: TinyExplanation) -> Any:
        return _Rounded(**vars(found))


class _Rounded(TinyExplanation):
    def to_dict(self) -> dict[str, Any]:
        rounded = {name: round(points) for name, points in self.contributions.items()}
        return super().to_dict() | {"contributions": rounded}


@of_points("what-it-produces-is-known", produces=("insights",))
class Undeclared(TinyExplainer):
    """It produces what nobody checks."""


class Reasoned(Explainer):
    """The reasons of our own explainer, changed."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        if isinstance(model, SegmentedModel):
            raise UnsupportedModel("no segments", got=type(model).__name__)
        if reference is not None:
            model = replace(model, reasons=self.policy(model, reference))
        return [self.told(each) for each in create("explainer", "reason-codes").explain(model, X)]

    def policy(self, model: Any, reference: Any, *, weight: Any = None) -> Any:
        return self.changed(model, create("explainer", "reason-codes").policy(model, reference, weight=weight))

    def told(self, found: Any) -> Any:
        return found

    def changed(self, model: Any, policy: Any) -> Any:
        return policy


@of_reasons("shortfalls-are-what-the-score-loses")
class SwappedPolicyBaselines(Reasoned):
    """The policy has two baselines swapped."""

    def changed(self, model: Any, policy: Any) -> Any:
        if len(policy.baselines) < 2:
            return policy
        names = list(policy.baselines)
        turned = dict(zip(names, [policy.baselines[name] for name in (*names[1:], names[0])], strict=True))
        return replace(policy, baselines=FrozenMapping(turned))


@of_reasons("shortfalls-are-what-the-score-loses")
class NegativeBaselines(Reasoned):
    """Baselines have the wrong sign."""

    def changed(self, model: Any, policy: Any) -> Any:
        return replace(policy, baselines=FrozenMapping({name: -its for name, its in policy.baselines.items()}))


@of_reasons("weights-of-the-reference-count")
class UnweightedReference(Reasoned):
    """Rows of the reference count once each."""

    def policy(self, model: Any, reference: Any, *, weight: Any = None) -> Any:
        return super().policy(model, reference)


@of_reasons("reasons-are-those-of-its-policy")
class ReasonsFromTheLeast(Reasoned):
    """The least reason comes first."""

    def told(self, found: Any) -> Any:
        return replace(found, reasons=found.reasons[::-1])


@of_reasons("reasons-are-those-of-its-policy")
class AlphabeticReasons(Reasoned):
    """Ties go by the alphabet, and the policy's order is lost."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        found = super().explain(model, X, reference=reference)
        return [
            replace(each, reasons=tuple(sorted(each.reasons, key=lambda one: (-(one.points_short or 1e9), one.text))))
            for each in found
        ]


@of_reasons("reasons-are-those-of-its-policy")
class LostKnockOut(Reasoned):
    """The knock-out is no reason."""

    def told(self, found: Any) -> Any:
        return replace(found, reasons=tuple(each for each in found.reasons if each.points_short is not None))


@of_reasons("reasons-are-those-of-its-policy")
class AnotherPolicy(Reasoned):
    """What is explained is not by the policy that is stored."""

    def changed(self, model: Any, policy: Any) -> Any:
        if isinstance(model, RuleSet):
            return policy
        return replace(policy, baselines=FrozenMapping({name: its + 3 for name, its in policy.baselines.items()}))

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        return create("explainer", "reason-codes").explain(model, X, reference=reference)


@of_reasons("without-a-reference-the-models-reasons-count")
class OwnReasonsOnly(Reasoned):
    """Without a reference the rows themselves are one."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        return super().explain(model, X, reference=X if reference is None else reference)


@of_reasons("codes-say-what-they-stand-for")
class SwappedCodes(Reasoned):
    """Features have one another's code."""

    def changed(self, model: Any, policy: Any) -> Any:
        names = list(policy.codes)
        turned = dict(zip(names, [policy.codes[name] for name in (*names[1:], names[0])], strict=True))
        return replace(policy, codes=FrozenMapping(turned))


@of_reasons("codes-say-what-they-stand-for")
class AnotherCutoff(Reasoned):
    """The policy is for another cutoff."""

    def changed(self, model: Any, policy: Any) -> Any:
        return replace(policy, cutoff=policy.cutoff + 1)


@dataclass(frozen=True, kw_only=True)
class _Found(TinyExplanation):
    answers: tuple[Any, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {"approved": self.approved, "score": self.score, "answers": len(self.answers)}


class OneChange(Explainer):
    """The first single value of the reference that approves."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        if not hasattr(model, "characteristics") or not hasattr(model, "cutoff"):
            raise UnsupportedModel("no scorecard", got=type(model).__name__)
        if reference is None:
            raise InputError("values come from it", where="reference")
        found = evaluate(model, X)
        return [
            _Found(
                approved=bool(found.approved[row]),
                score=float(found.score[row]),
                answers=self._answers(model, X.iloc[[row]], reference),
            )
            for row in range(len(X))
        ]

    def _answers(self, model: Any, row: Any, reference: Any) -> tuple[Any, ...]:
        if evaluate(model, row).approved[0]:
            return ()
        for feature in row:
            tried = row.iloc[[0] * len(reference)].assign(**{feature: reference[feature].to_numpy()})
            for place in np.flatnonzero(evaluate(model, tried).approved)[:1]:
                return (self.answer(model, feature, row, tried.iloc[[place]]),)
        return ()

    def answer(self, model: Any, feature: str, row: Any, changed: Any) -> Any:
        says = evaluate(model, changed)
        values = {name: changed[name].iloc[0] for name in changed}
        change = SimpleNamespace(feature=feature, value=row[feature].iloc[0], nearest=values[feature])
        return SimpleNamespace(
            values=values, score=float(says.score[0]), approved=bool(says.approved[0]), changes=[change]
        )


@of_answers("answers-are-what-the-model-says")
class OldScore(OneChange):
    """An answer has the score of before."""

    def answer(self, model: Any, feature: str, row: Any, changed: Any) -> Any:
        found = super().answer(model, feature, row, changed)
        found.score = float(evaluate(model, row).score[0])
        return found


@of_answers("answers-are-what-the-model-says")
class HiddenChange(OneChange):
    """A change is not listed."""

    def answer(self, model: Any, feature: str, row: Any, changed: Any) -> Any:
        found = super().answer(model, feature, row, changed)
        found.changes = []
        return found


@of_answers("answers-reach-what-is-wanted")
class NothingReached(OneChange):
    """An answer does not approve."""

    def answer(self, model: Any, feature: str, row: Any, changed: Any) -> Any:
        return super().answer(model, feature, row, row)


@of_points("late-rows-are-explained-as-early-ones")
class FirstRowsOnly(TinyExplainer):
    """Rows after the first 256 are explained as the one before them."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        return super().explain(model, X.iloc[[min(row, 255) for row in range(len(X))]], reference=reference)


@of_points("late-rows-of-a-reference-count")
class FirstOfReference(TinyExplainer):
    """Of the reference only the first 100 rows count."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        return super().explain(model, X, reference=None if reference is None else reference.iloc[:100])


@of_points("words-name-what-counts-most")
class SwappedWords(Changed):
    """The words name another feature than the one that counts most."""

    def told(self, model: Any, found: TinyExplanation) -> Any:
        return _Misnaming(**vars(found))


class _Misnaming(TinyExplanation):
    def describe(self) -> str:
        decision = "Approved" if self.approved else "Declined"
        names = sorted(self.contributions, key=lambda name: abs(self.contributions[name]))
        return f"{decision}: most of all {names[0] if names else 'nothing'} {sum(self.contributions.values()):.2f}"


@of_reasons("words-name-the-reasons-in-order")
class WordsTurned(Reasoned):
    """The words name the reasons from the last to the first."""

    def told(self, found: Any) -> Any:
        turned = replace(found, reasons=found.reasons[::-1]).describe()
        return _Told(found, turned)


class _Told:
    def __init__(self, found: Any, words: str) -> None:
        self._found, self._words = found, words

    def __getattr__(self, name: str) -> Any:
        return getattr(self._found, name)

    def describe(self) -> str:
        return self._words


@of_answers("words-name-what-is-to-change")
class UnsaidChange(OneChange):
    """The words do not name what is to change."""


@of_answers("answers-are-values-to-have")
class MissingProposed(OneChange):
    """Missing values are proposed first."""

    def _answers(self, model: Any, row: Any, reference: Any) -> tuple[Any, ...]:
        return super()._answers(model, row, reference.iloc[np.argsort(reference.notna().all(axis=1))])


@of_answers("every-change-is-needed")
class OneMoreChange(OneChange):
    """A second change is told that is not needed."""

    def answer(self, model: Any, feature: str, row: Any, changed: Any) -> Any:
        other = next(name for name in changed if name != feature)
        found = super().answer(model, feature, row, changed)
        found.changes.append(SimpleNamespace(feature=other, value=row[other].iloc[0], nearest=found.values[other]))
        return found


@of_answers("who-can-get-there-is-told-how")
class FirstFeatureOnly(OneChange):
    """Only the first feature is tried."""

    def _answers(self, model: Any, row: Any, reference: Any) -> tuple[Any, ...]:
        found = super()._answers(model, row, reference)
        return tuple(each for each in found if each.changes[0].feature == next(iter(row)))


@of_answers("answers-keep-to-the-options")
class ForgottenImmutable(OneChange):
    """Immutable features change."""

    def __init__(self, *, immutable: Any = ()) -> None:
        self.immutable = immutable


@of_reasons("weights-of-the-reference-count")
class WholeWeights(Reasoned):
    """Weights of the reference are rounded up to copies of rows."""

    def policy(self, model: Any, reference: Any, *, weight: Any = None) -> Any:
        return super().policy(model, reference, weight=None if weight is None else np.ceil(weight))


@of_reasons("without-a-reference-the-models-reasons-count")
class AddedUp(Reasoned):
    """Features that share a code fall short together."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        found = super().explain(model, X, reference=reference)
        explained = replace(model, reasons=self.policy(model, reference)) if reference is not None else model
        short = shortfalls_by_feature(explained, X)
        return [self._added(explained, each, row, short) for row, each in enumerate(found)]

    def _added(self, model: Any, found: Any, row: int, short: Any) -> Any:
        sums: dict[str, float] = {}
        for name, values in short.items():
            code = model.reasons.codes.get(name)
            sums[code] = sums.get(code, 0.0) + max(float(values[row]), 0.0)
        told = [
            each if each.points_short is None else replace(each, points_short=sums.get(each.code, each.points_short))
            for each in found.reasons
        ]
        return replace(found, reasons=tuple(told))


@of_points("rows-are-explained-by-themselves")
class OrderOfLabels(TinyExplainer):
    """Explanations come in the order of the labels of rows."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        return super().explain(model, X.sort_index(), reference=reference)


@planted(
    "explainer",
    check="answers-are-what-the-model-says",
    accepts=("scorecard", "segmented-model"),
    produces=("counterfactuals",),
)
class PresentSegment(OneChange):
    """Answers have the score that the present segment gives."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        if not isinstance(model, SegmentedModel):
            return super().explain(model, X, reference=reference)
        if reference is None:
            raise InputError("values come from it", where="reference")
        found = evaluate(model, X)
        return [
            _Found(
                approved=bool(found.approved[row]),
                score=float(found.score[row]),
                answers=self._answers(model, X.iloc[[row]], reference),
            )
            for row in range(len(X))
        ]

    def answer(self, model: Any, feature: str, row: Any, changed: Any) -> Any:
        found = super().answer(model, feature, row, changed)
        if isinstance(model, SegmentedModel):
            present = next(each for each in model.segments if each.name == evaluate(model, row).segment[0])
            found.score = float(evaluate(present.model, changed).score[0])
        return found


@of_points("every-sort-of-reference-row-counts")
class CompleteRowsOnly(TinyExplainer):
    """Of the reference only complete rows count, where there are any."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        complete = None if reference is None else reference.dropna()
        return super().explain(model, X, reference=reference if complete is None or complete.empty else complete)


@of_points("every-sort-of-reference-row-counts")
class ApprovedRowsOnly(TinyExplainer):
    """Of the reference only approved rows count, where there are any."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        if reference is not None and isinstance(model, Scorecard):
            approved = evaluate(model, reference).approved
            reference = reference[approved] if approved.any() else reference
        return super().explain(model, X, reference=reference)


@of_points("rows-of-a-reference-count-as-often-as-they-stand-there")
class RowsThatDiffer(TinyExplainer):
    """Of the reference the rows that differ count, each once."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        return super().explain(model, X, reference=None if reference is None else reference.drop_duplicates())


_AVERAGED: dict[tuple[str, int], Any] = {}


@of_points("nothing-is-kept-between-calls")
class FirstReferenceKept(TinyExplainer):
    """The first reference of so many rows is kept for a model."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        if reference is not None:
            reference = _AVERAGED.setdefault((dumps(model), len(reference)), reference.copy())
        return super().explain(model, X, reference=reference)


_BY_IDENTITY: dict[tuple[int, int], Any] = {}


@of_points("nothing-is-kept-between-calls")
class ChangedInPlace(TinyExplainer):
    """A reference that is the same object is taken for what it was."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        if reference is not None:
            reference = _BY_IDENTITY.setdefault((id(model), id(reference)), reference.copy())
        return super().explain(model, X, reference=reference)


class Segmented(Reasoned):
    """Reasons of models of segments too, each by its own reference rows."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        if reference is None or not isinstance(model, SegmentedModel):
            return create("explainer", "reason-codes").explain(model, X, reference=reference)
        segments = [replace(each, model=self.with_reasons(model, each, reference)) for each in model.segments]
        return create("explainer", "reason-codes").explain(replace(model, segments=tuple(segments)), X)

    def with_reasons(self, model: Any, segment: Any, reference: Any) -> Any:
        numbers = {each.name: f"R{number:02}" for number, each in enumerate(model.features, 1)}
        codes = {each.name: numbers[each.name] for each in segment.model.features}
        policy = create("explainer", "reason-codes", codes=codes).policy(
            segment.model, self.rows(model, segment, reference)
        )
        return replace(segment.model, reasons=policy)

    def rows(self, model: Any, segment: Any, reference: Any) -> Any:
        return reference[evaluate(model, reference).of_segment(segment.name)]


def of_segments(check: str) -> Callable[[C], C]:
    """Plant an explainer of models with segments by reasons."""
    accepts = ("scorecard", "rule-set", "tree-ensemble", "segmented-model")
    return planted("explainer", check=check, accepts=accepts, produces=("reasons",))


@of_segments("other-segments-change-nothing")
class WholeReference(Segmented):
    """Each segment is compared with the reference rows of all."""

    def rows(self, model: Any, segment: Any, reference: Any) -> Any:
        return reference


@of_segments("a-segment-is-explained-as-its-model-alone")
class HalfOfTheSegment(Segmented):
    """Each segment is compared with every second of its reference rows."""

    def rows(self, model: Any, segment: Any, reference: Any) -> Any:
        return super().rows(model, segment, reference).iloc[::2]


@of_answers("one-row-of-a-reference-is-enough")
class ApprovedValuesOnly(OneChange):
    """Values come from approved rows of the reference, where there are any."""

    def _answers(self, model: Any, row: Any, reference: Any) -> tuple[Any, ...]:
        approved = evaluate(model, reference).approved
        return super()._answers(model, row, reference[approved] if approved.any() else reference)


@of_answers("one-row-of-a-reference-is-enough")
class FrequentValuesOnly(OneChange):
    """Values come from the row that stands most often in the reference, and others that do so."""

    def _answers(self, model: Any, row: Any, reference: Any) -> tuple[Any, ...]:
        often = reference[reference.duplicated(keep=False)]
        return super()._answers(model, row, often if len(often) else reference)


@of_answers("every-word-of-actions-is-kept")
class NoneForgotten(OneChange):
    """Of actions it reads "up" and "down", and no other word.

    Parameters
    ----------
    actions : by feature "up" or "down".
    """

    def __init__(self, *, actions: Any = None) -> None:
        self.actions = actions or {}

    def _answers(self, model: Any, row: Any, reference: Any) -> tuple[Any, ...]:
        kept = {name: row[name].iloc[0] for name, word in self.actions.items() if word in ("up", "down")}
        return super()._answers(model, row, reference.assign(**kept))
