"""Constraints, explainers and exporters that are wrong under an option, beside other data, or in what lies beside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from contract_samples.healthy import TinyConstraint, TinyExplainer, TinyExplanation

from contract_planted.fault import patched, planted
from contract_planted.faulty_explainer import POINTS, REASONS
from contract_planted.faulty_exporter import Faulty, fault, patch
from contract_planted.faulty_learner import changed
from scrutable import create
from scrutable.fairness import RateBound
from scrutable.model import RegressionScorecard, Scorecard, SegmentedModel, dumps
from scrutable.model.evaluator import OutputFrame
from scrutable.plugins.bases import Explainer, Export, ResultOptions

_OF_GOOD = {"produces": ("rate",), "enforces": ("approval",)}


@dataclass(frozen=True)
class WithPairs(TinyConstraint):
    """Compares with the reference, and groups with one another.

    Parameters
    ----------
    slack, attributes, min_group_size : as in `TinyConstraint`.
    """

    def bounds_for(self, attribute: Any, group: str, y: Any) -> Iterator[RateBound]:
        yield from super().bounds_for(attribute, group, y)
        yield from self.pairs(attribute, group)

    def pairs(self, attribute: Any, group: str) -> Iterator[RateBound]:
        return iter(())

    def pair(self, attribute: Any, group: str, other: str) -> RateBound:
        return RateBound(rate="approval", attribute=attribute.name, group=group, reference=other, slack=self.slack)


@patched(WithPairs, "pairs", check="names-of-groups-mean-nothing", **_OF_GOOD)
def stops_at_a_small_group(self: Any, attribute: Any, group: str) -> Iterator[RateBound]:
    """Compares a group with those after it, up to the first that is too small."""
    rows = dict(zip(attribute.labels, attribute.membership.sum(axis=0), strict=True))
    for other in attribute.known[attribute.known.index(group) + 1 :]:
        if rows[other] < self.min_group_size:
            break
        if other != self.reference_of(attribute):
            yield self.pair(attribute, group, other)


@patched(WithPairs, "pairs", check="rows-of-unknown-groups-change-no-bound", **_OF_GOOD)
def compares_with_the_largest(self: Any, attribute: Any, group: str) -> Iterator[RateBound]:
    """Compares with the largest group as well, which may be that of rows of unknown membership."""
    rows = attribute.membership.sum(axis=0)
    largest = attribute.labels[int(rows.argmax())]
    if largest not in (group, self.reference_of(attribute)):
        yield self.pair(attribute, group, largest)


@planted("constraint", check="its-reference-is-the-users-under-every-option", **_OF_GOOD)
@dataclass(frozen=True)
class HasAReferenceOfItsOwn(TinyConstraint):
    """Compares with the last group where it is asked to.

    Parameters
    ----------
    last : whether the last group is the reference.
    slack, attributes, min_group_size : as in `TinyConstraint`.
    """

    last: bool = False

    def reference_of(self, attribute: Any) -> str | None:
        return attribute.known[-1] if self.last else super().reference_of(attribute)


@planted("constraint", check="every-option-changes-its-bounds", produces=("rate",), enforces=("approval-of-good",))
@dataclass(frozen=True)
class LimitsByClass(TinyConstraint):
    """Takes the limit among good payers for that among bad ones.

    Parameters
    ----------
    slack_good : the largest difference among good payers.
    slack, attributes, min_group_size : as in `TinyConstraint`.
    """

    slack_good: float = 0.1

    def bounds_for(self, attribute: Any, group: str, y: Any) -> Iterator[RateBound]:
        for bound in super().bounds_for(attribute, group, y):
            yield replace(bound, given=True)
            yield replace(bound, given=False, slack=self.slack_good)


@patched(TinyExplainer, "explain", check="late-rows-of-a-reference-count", **POINTS)
def averages_a_thousand(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Compares with the first thousand rows of the reference."""
    return TinyExplainer.explain(self, model, X, reference=None if reference is None else reference[:1000])


@patched(TinyExplainer, "explain", check="the-number-of-a-special-code-means-nothing", **POINTS)
def scales_by_the_range(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Tells contributions in shares of the range of numbers, special codes among them."""
    found = TinyExplainer.explain(self, model, X, reference=reference)
    numbers = X.select_dtypes("number")
    widest = float(np.nanmax(np.where(np.isfinite(numbers), np.abs(numbers), 0.0)))
    for each in found:
        each.contributions["range"] = widest
    return found


class Held(Faulty):
    """Leaves out rows of infinite numbers."""

    def export(self, model: Any, *, evidence: Any = None) -> Export:
        return Export(model=model, files={"model.json": dumps(model)}, excluded={"numbers": "infinite ones"})

    def holds(self, export: Export, X: Any) -> Any:
        return ~np.isinf(X.select_dtypes("number").to_numpy(dtype=float)).any(axis=1)


@fault("rows-that-are-not-held-are-refused")
class ScoresWhatItDoesNotHold(Held):
    """Scores infinite numbers, which it says that it does not hold, as 0."""

    def read(self, model: Any, X: Any) -> Any:
        return X.replace([np.inf, -np.inf], 0.0)


@fault("runs-leave-their-rows-as-they-were")
class FillsTheCallersRows(Faulty):
    """Fills missing numbers in the rows that it is given, after they have run."""

    def told(self, model: Any, found: dict[str, Any]) -> dict[str, Any]:
        return found

    def run(self, export: Export, X: Any) -> OutputFrame:
        found = super().run(export, X)
        for name in X.select_dtypes("number"):
            X[name] = X[name].fillna(0.0)
        return found


@fault("settings-hold-nothing-of-the-model")
class PointsInSettings(Faulty):
    """Runs its settings, where the whole model stands as a text."""

    def export(self, model: Any, *, evidence: Any = None) -> Export:
        return replace(super().export(model), settings={"program": dumps(model)})

    def run(self, export: Export, X: Any) -> OutputFrame:
        return super().run(replace(export, files={"model.json": export.settings["program"]}), X)


@patch("export", "reason-texts-stand-beside-their-codes")
def zips_texts(self: Any, model: Any, *, evidence: Any = None) -> Export:
    """Writes codes in the policy's order beside texts in another one."""
    found = Faulty.export(self, model)
    policy = None if isinstance(model, RegressionScorecard | SegmentedModel) else model.reasons
    if policy is None:
        return found
    lines = (f"{code},{text}" for code, text in zip(policy.order, policy.texts.values(), strict=True))
    return replace(found, files={**found.files, "reasons.csv": "\n".join(lines)})


@patch("changed", "random-models-run-alike")
def joins_equal_points(self: Any, model: Any) -> Any:
    """Gives neighbours of equal points the reason code of the first of them."""
    if not isinstance(model, Scorecard):
        return model
    parts = []
    for item in model.characteristics:
        made: list[Any] = []
        for each in item.attributes:
            same = made and each.points == made[-1].points and {each.reason_code, made[-1].reason_code} - {None}
            made.append(replace(each, reason_code=made[-1].reason_code) if same else each)
        parts.append(replace(item, attributes=tuple(made)))
    return replace(model, characteristics=tuple(parts))


@fault("every-option-of-an-export-runs-alike")
class ShortensPoints(Faulty):
    """Rounds points where it is asked for a short file.

    Parameters
    ----------
    short : whether the file has few digits.
    """

    def __init__(self, *, short: bool = False) -> None:
        self.short = short

    def changed(self, model: Any) -> Any:
        if not self.short or not isinstance(model, Scorecard):
            return model
        return changed(model, lambda each: replace(each, points=round(each.points, 1)))


@fault("every-option-of-an-export-runs-alike")
@dataclass(frozen=True, kw_only=True)
class PassesOverRequests(ResultOptions, Faulty):
    """Takes the options of results on request, and gives none."""


@patched(TinyConstraint, "bind", check="attributes-may-have-groups-of-the-same-names", **_OF_GOOD)
def knows_groups_by_their_names(self: Any, y: Any, groups: Any) -> Any:
    """Leaves out a bound on a group of the name that a bounded group of another attribute has."""
    by_name = {(bound.group, bound.reference): bound for bound in TinyConstraint.bind(self, y, groups)}
    return tuple(by_name.values())


@dataclass(frozen=True, kw_only=True)
class Told(TinyExplanation):
    """Says of each feature what it cost."""

    def describe(self) -> str:
        return "; ".join(f"{name} cost {abs(points):.1f} points" for name, points in self.contributions.items())


@patched(TinyExplainer, "explain", check="words-follow-the-signs", **POINTS)
def says_cost(self: Any, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
    """Says that features cost points, whether they did or gained some."""
    return [Told(**vars(each)) for each in TinyExplainer.explain(self, model, X, reference=reference)]


@planted("explainer", check="one-name-is-no-list-of-letters", **POINTS)
@dataclass(frozen=True, kw_only=True)
class HidesNames(TinyExplainer):
    """Reads a name as the list of its letters.

    Parameters
    ----------
    hidden : features that are not told.
    words : as in `TinyExplainer`.
    """

    hidden: Sequence[str] = ()

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        found = super().explain(model, X, reference=reference)
        left = set(self.hidden)
        return [
            replace(each, contributions={k: v for k, v in each.contributions.items() if k not in left})
            for each in found
        ]


@planted("explainer", check="baselines-of-a-cutoff-stay-with-it", **REASONS)
class ForgetsTheCutoff(Explainer):
    """Takes baselines near the cutoff, and says that they are those of everybody."""

    def policy(self, model: Any, reference: Any, *, weight: Any = None) -> Any:
        method = "near-cutoff" if isinstance(model, Scorecard) else None
        found = create("explainer", "reason-codes", method=method).policy(model, reference, weight=weight)
        return replace(found, near=None)

    def explain(self, model: Any, X: Any, *, reference: Any = None) -> list[Any]:
        return create("explainer", "reason-codes").explain(model, X, reference=reference)


@fault("columns-may-swap-their-names")
class ReplacesNamesInTurn(Faulty):
    """Gives columns the names that are asked for one after another, also such as it has just given.

    Parameters
    ----------
    columns : column by feature.
    """

    def __init__(self, *, columns: Mapping[str, str] | None = None) -> None:
        self.columns = columns

    def read(self, model: Any, X: Any) -> Any:
        names = {each: each for each in X}
        for before, after in (self.columns or {}).items():
            names = {key: after if name == before else name for key, name in names.items()}
        read = {name: (self.columns or {}).get(name, name) for name in X}
        place = {name: key for key, name in names.items()}
        return X.assign(**{each: X[place.get(name, each)] for each, name in read.items()})
