"""Explainers that explain wrongly."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
from contract_samples.healthy import TinyExplainer, TinyExplanation

from contract_planted.fault import patched, planted
from scrutable import create
from scrutable.errors import InputError, UnsupportedModel
from scrutable.model import FrozenMapping, RuleSet, Scorecard, SegmentedModel, dumps
from scrutable.model.evaluator import evaluate, shortfalls_by_feature
from scrutable.plugins.bases import Explainer

_ADDS, _MOVES = "contributions-add-up-to-the-score", "a-replaced-value-moves-its-own-contribution"


POINTS: dict[str, Any] = {"accepts": ("scorecard",), "produces": ("contributions",)}
REASONS: dict[str, Any] = {"accepts": ("scorecard", "rule-set", "tree-ensemble"), "produces": ("reasons",)}
ANSWERS: dict[str, Any] = {"accepts": ("scorecard",), "produces": ("counterfactuals",)}
SEGMENTS: dict[str, Any] = {**REASONS, "accepts": (*REASONS["accepts"], "segmented-model")}


class Changed(TinyExplainer):
    """Contributions that are changed before they are told."""

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        return [self.told(model, each) for each in super().explain(model, X, reference=reference)]

    def told(self, model: Any, found: TinyExplanation) -> Any:
        return found


@patched(Changed, "told", check=_ADDS, **POINTS)
def wrong_sign(self: Any, model: Any, found: TinyExplanation) -> Any:
    """What is good for the applicant is negative."""
    return replace(found, contributions={name: -points for name, points in found.contributions.items()})


@patched(Changed, "explain", check=_MOVES, **POINTS)
def swapped_baselines(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Two features are measured from one another's baseline."""
    self_found = Changed.explain(self, model, X, reference=reference)
    points = evaluate(model, X if reference is None else reference).points
    first, second, *_ = points
    gap = float(points[first].mean() - points[second].mean())
    for each in self_found:
        each.contributions[first] += gap
        each.contributions[second] -= gap
    return self_found


@patched(Explainer, "explain", check="baselines-are-of-their-features", **POINTS)
def swapped_best_points(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Points below the best of another characteristic."""
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


@patched(Changed, "told", check=_MOVES, **POINTS)
def swapped_features(self: Any, model: Any, found: TinyExplanation) -> Any:
    """Two features have one another's contribution."""
    first, second, *others = found.contributions
    names = [second, first, *others]
    return replace(found, contributions=dict(zip(names, found.contributions.values(), strict=True)))


@patched(Changed, "told", check=_ADDS, **POINTS)
def favouring(self: Any, model: Any, found: TinyExplanation) -> Any:
    """Points count for the last class."""
    sign = 1 if model.outcome.favourable_index == 1 else -1
    return replace(found, contributions={name: sign * its for name, its in found.contributions.items()})


@patched(Changed, "explain", check=_ADDS, **POINTS)
def forgetting_missing(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Contributions of 0 where a value is missing."""
    found = Changed.explain(self, model, X, reference=reference)
    for row, each in enumerate(found):
        each.contributions.update({name: 0.0 for name in each.contributions if X[name].isna().iloc[row]})
    return found


@patched(TinyExplainer, "explain", check="a-reference-that-is-given-counts", **POINTS)
def ignoring_reference(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """The reference population is ignored."""
    return TinyExplainer.explain(self, model, X)


@patched(Changed, "told", check="explanations-tell-applicants-apart", **POINTS)
def constant(self: Any, model: Any, found: TinyExplanation) -> Any:
    """Everybody with a decision gets the same explanation."""
    return TinyExplanation(approved=found.approved, score=0.0)


@patched(Changed, "told", check="explanations-tell-applicants-apart", **POINTS)
def constant_words(self: Any, model: Any, found: TinyExplanation) -> Any:
    """Values differ, and words do not."""
    return _Silent(**vars(found))


class _Silent(TinyExplanation):
    def describe(self) -> str:
        return "Approved" if self.approved else "Declined"


@patched(Changed, "told", check="explanations-repeat-the-evaluation", **POINTS)
def rounded_score(self: Any, model: Any, found: TinyExplanation) -> Any:
    """The score is told without decimals."""
    return replace(found, score=float(round(found.score)))


@patched(Changed, "told", check="contributions-add-up-to-the-score", **POINTS)
def other_values(self: Any, model: Any, found: TinyExplanation) -> Any:
    """What JSON holds are other values."""
    return _Rounded(**vars(found))


class _Rounded(TinyExplanation):
    def to_dict(self) -> dict[str, Any]:
        rounded = {name: round(points) for name, points in self.contributions.items()}
        return super().to_dict() | {"contributions": rounded}


@planted("explainer", check="what-it-produces-is-known", **{**POINTS, "produces": ("insights",)})
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


@patched(Reasoned, "changed", check="shortfalls-are-what-the-score-loses", **REASONS)
def swapped_policy_baselines(self: Any, model: Any, policy: Any) -> Any:
    """The policy has two baselines swapped."""
    if len(policy.baselines) < 2:
        return policy
    names = list(policy.baselines)
    turned = dict(zip(names, [policy.baselines[name] for name in (*names[1:], names[0])], strict=True))
    return replace(policy, baselines=FrozenMapping(turned))


@patched(Reasoned, "changed", check="shortfalls-are-what-the-score-loses", **REASONS)
def negative_baselines(self: Any, model: Any, policy: Any) -> Any:
    """Baselines have the wrong sign."""
    return replace(policy, baselines=FrozenMapping({name: -its for name, its in policy.baselines.items()}))


@patched(Reasoned, "policy", check="weights-of-the-reference-count", **REASONS)
def unweighted_reference(self: Any, model: Any, reference: Any, *, weight: Any = None) -> Any:
    """Rows of the reference count once each."""
    return Reasoned.policy(self, model, reference)


@patched(Reasoned, "told", check="reasons-are-those-of-its-policy", **REASONS)
def reasons_from_the_least(self: Any, found: Any) -> Any:
    """The least reason comes first."""
    return replace(found, reasons=found.reasons[::-1])


@patched(Reasoned, "explain", check="reasons-are-those-of-its-policy", **REASONS)
def alphabetic_reasons(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Ties go by the alphabet, and the policy's order is lost."""
    found = Reasoned.explain(self, model, X, reference=reference)
    return [
        replace(each, reasons=tuple(sorted(each.reasons, key=lambda one: (-(one.points_short or 1e9), one.text))))
        for each in found
    ]


@patched(Reasoned, "told", check="reasons-are-those-of-its-policy", **REASONS)
def lost_knock_out(self: Any, found: Any) -> Any:
    """The knock-out is no reason."""
    return replace(found, reasons=tuple(each for each in found.reasons if each.points_short is not None))


@planted("explainer", check="reasons-are-those-of-its-policy", **REASONS)
class AnotherPolicy(Reasoned):
    """What is explained is not by the policy that is stored."""

    def changed(self, model: Any, policy: Any) -> Any:
        if isinstance(model, RuleSet):
            return policy
        return replace(policy, baselines=FrozenMapping({name: its + 3 for name, its in policy.baselines.items()}))

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        return create("explainer", "reason-codes").explain(model, X, reference=reference)


@patched(Reasoned, "explain", check="without-a-reference-the-models-reasons-count", **REASONS)
def own_reasons_only(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Without a reference the rows themselves are one."""
    return Reasoned.explain(self, model, X, reference=X if reference is None else reference)


@patched(Reasoned, "changed", check="codes-say-what-they-stand-for", **REASONS)
def swapped_codes(self: Any, model: Any, policy: Any) -> Any:
    """Features have one another's code."""
    names = list(policy.codes)
    turned = dict(zip(names, [policy.codes[name] for name in (*names[1:], names[0])], strict=True))
    return replace(policy, codes=FrozenMapping(turned))


@patched(Reasoned, "changed", check="codes-say-what-they-stand-for", **REASONS)
def another_cutoff(self: Any, model: Any, policy: Any) -> Any:
    """The policy is for another cutoff."""
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


@patched(OneChange, "answer", check="answers-are-what-the-model-says", **ANSWERS)
def old_score(self: Any, model: Any, feature: str, row: Any, changed: Any) -> Any:
    """An answer has the score of before."""
    found = OneChange.answer(self, model, feature, row, changed)
    found.score = float(evaluate(model, row).score[0])
    return found


@patched(OneChange, "answer", check="answers-are-what-the-model-says", **ANSWERS)
def hidden_change(self: Any, model: Any, feature: str, row: Any, changed: Any) -> Any:
    """A change is not listed."""
    found = OneChange.answer(self, model, feature, row, changed)
    found.changes = []
    return found


@patched(OneChange, "answer", check="answers-reach-what-is-wanted", **ANSWERS)
def nothing_reached(self: Any, model: Any, feature: str, row: Any, changed: Any) -> Any:
    """An answer does not approve."""
    return OneChange.answer(self, model, feature, row, row)


@patched(TinyExplainer, "explain", check="late-rows-are-explained-as-early-ones", **POINTS)
def first_rows_only(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Rows after the first 256 are explained as the one before them."""
    return TinyExplainer.explain(self, model, X.iloc[[min(row, 255) for row in range(len(X))]], reference=reference)


@patched(TinyExplainer, "explain", check="late-rows-of-a-reference-count", **POINTS)
def first_of_reference(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Of the reference only the first 100 rows count."""
    return TinyExplainer.explain(self, model, X, reference=None if reference is None else reference.iloc[:100])


@patched(Changed, "told", check="words-name-what-counts-most", **POINTS)
def swapped_words(self: Any, model: Any, found: TinyExplanation) -> Any:
    """The words name another feature than the one that counts most."""
    return _Misnaming(**vars(found))


class _Misnaming(TinyExplanation):
    def describe(self) -> str:
        decision = "Approved" if self.approved else "Declined"
        names = sorted(self.contributions, key=lambda name: abs(self.contributions[name]))
        return f"{decision}: most of all {names[0] if names else 'nothing'} {sum(self.contributions.values()):.2f}"


@patched(Reasoned, "told", check="words-name-the-reasons-in-order", **REASONS)
def words_turned(self: Any, found: Any) -> Any:
    """The words name the reasons from the last to the first."""
    turned = replace(found, reasons=found.reasons[::-1]).describe()
    return _Told(found, turned)


class _Told:
    def __init__(self, found: Any, words: str) -> None:
        self._found, self._words = found, words

    def __getattr__(self, name: str) -> Any:
        return getattr(self._found, name)

    def describe(self) -> str:
        return self._words


@planted("explainer", check="words-name-what-is-to-change", **ANSWERS)
class UnsaidChange(OneChange):
    """The words do not name what is to change."""


@patched(OneChange, "_answers", check="answers-are-values-to-have", **ANSWERS)
def missing_proposed(self: Any, model: Any, row: Any, reference: Any) -> tuple[Any, ...]:
    """Missing values are proposed first."""
    return OneChange._answers(self, model, row, reference.iloc[np.argsort(reference.notna().all(axis=1))])


@patched(OneChange, "answer", check="every-change-is-needed", **ANSWERS)
def one_more_change(self: Any, model: Any, feature: str, row: Any, changed: Any) -> Any:
    """A second change is told that is not needed."""
    other = next(name for name in changed if name != feature)
    found = OneChange.answer(self, model, feature, row, changed)
    found.changes.append(SimpleNamespace(feature=other, value=row[other].iloc[0], nearest=found.values[other]))
    return found


@patched(OneChange, "_answers", check="who-can-get-there-is-told-how", **ANSWERS)
def first_feature_only(self: Any, model: Any, row: Any, reference: Any) -> tuple[Any, ...]:
    """Only the first feature is tried."""
    found = OneChange._answers(self, model, row, reference)
    return tuple(each for each in found if each.changes[0].feature == next(iter(row)))


@planted("explainer", check="answers-keep-to-the-options", **ANSWERS)
class ForgottenImmutable(OneChange):
    """Immutable features change."""

    def __init__(self, *, immutable: Any = ()) -> None:
        self.immutable = immutable


@patched(Reasoned, "policy", check="weights-of-the-reference-count", **REASONS)
def whole_weights(self: Any, model: Any, reference: Any, *, weight: Any = None) -> Any:
    """Weights of the reference are rounded up to copies of rows."""
    return Reasoned.policy(self, model, reference, weight=None if weight is None else np.ceil(weight))


@planted("explainer", check="without-a-reference-the-models-reasons-count", **REASONS)
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


@planted("explainer", check="rows-are-explained-by-themselves", **POINTS)
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


@patched(TinyExplainer, "explain", check="every-sort-of-reference-row-counts", **POINTS)
def complete_rows_only(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Of the reference only complete rows count, where there are any."""
    complete = None if reference is None else reference.dropna()
    return TinyExplainer.explain(
        self, model, X, reference=reference if complete is None or complete.empty else complete
    )


@patched(TinyExplainer, "explain", check="every-sort-of-reference-row-counts", **POINTS)
def approved_rows_only(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Of the reference only approved rows count, where there are any."""
    if reference is not None and isinstance(model, Scorecard):
        approved = evaluate(model, reference).approved
        reference = reference[approved] if approved.any() else reference
    return TinyExplainer.explain(self, model, X, reference=reference)


@patched(TinyExplainer, "explain", check="rows-of-a-reference-count-as-often-as-they-stand-there", **POINTS)
def rows_that_differ(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Of the reference the rows that differ count, each once."""
    return TinyExplainer.explain(self, model, X, reference=None if reference is None else reference.drop_duplicates())


_AVERAGED: dict[tuple[str, int], Any] = {}


@patched(TinyExplainer, "explain", check="nothing-is-kept-between-calls", **POINTS)
def first_reference_kept(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """The first reference of so many rows is kept for a model."""
    if reference is not None:
        reference = _AVERAGED.setdefault((dumps(model), len(reference)), reference.copy())
    return TinyExplainer.explain(self, model, X, reference=reference)


_BY_IDENTITY: dict[tuple[int, int], Any] = {}


@patched(TinyExplainer, "explain", check="nothing-is-kept-between-calls", **POINTS)
def changed_in_place(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """A reference that is the same object is taken for what it was."""
    if reference is not None:
        reference = _BY_IDENTITY.setdefault((id(model), id(reference)), reference.copy())
    return TinyExplainer.explain(self, model, X, reference=reference)


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


@patched(Segmented, "rows", check="other-segments-change-nothing", **SEGMENTS)
def whole_reference(self: Any, model: Any, segment: Any, reference: Any) -> Any:
    """Each segment is compared with the reference rows of all."""
    return reference


@patched(Segmented, "rows", check="a-segment-is-explained-as-its-model-alone", **SEGMENTS)
def half_of_the_segment(self: Any, model: Any, segment: Any, reference: Any) -> Any:
    """Each segment is compared with every second of its reference rows."""
    return Segmented.rows(self, model, segment, reference).iloc[::2]


@patched(OneChange, "_answers", check="one-row-of-a-reference-is-enough", **ANSWERS)
def approved_values_only(self: Any, model: Any, row: Any, reference: Any) -> tuple[Any, ...]:
    """Values come from approved rows of the reference, where there are any."""
    approved = evaluate(model, reference).approved
    return OneChange._answers(self, model, row, reference[approved] if approved.any() else reference)


@patched(OneChange, "_answers", check="one-row-of-a-reference-is-enough", **ANSWERS)
def frequent_values_only(self: Any, model: Any, row: Any, reference: Any) -> tuple[Any, ...]:
    """Values come from the row that stands most often in the reference, and others that do so."""
    often = reference[reference.duplicated(keep=False)]
    return OneChange._answers(self, model, row, often if len(often) else reference)


@planted("explainer", check="every-word-of-actions-is-kept", **ANSWERS)
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
