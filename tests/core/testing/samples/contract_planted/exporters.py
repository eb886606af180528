"""Exporters that decide wrongly."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from contract_planted.fault import C, patched, planted
from scrutable.errors import InputError
from scrutable.model import (
    Categories,
    Clause,
    Interval,
    Leaf,
    Missing,
    Policy,
    RegressionScorecard,
    RuleSet,
    Scorecard,
    SegmentedModel,
    Special,
    Split,
    TreeEnsemble,
    dumps,
    loads,
)
from scrutable.model.evaluator import OutputFrame, evaluate
from scrutable.plugins.bases import Export, Exporter

_KINDS = ("scorecard", "regression-scorecard", "rule-set", "tree-ensemble", "segmented-model")


def fault(check: str = "random-models-run-alike") -> Callable[[C], C]:
    """Plant an exporter of every kind of model, whose engine is its own."""
    return planted("exporter", check=check, accepts=_KINDS, engines=("planted",))


class Faulty(Exporter):
    """The model file, which the evaluator runs: changed before, or its results after."""

    #: The rows that were run last.
    rows: ClassVar[Any] = None

    def export(self, model: Any, *, evidence: Any = None) -> Export:
        return Export(model=model, files={"model.json": dumps(model)})

    def run(self, export: Export, X: Any) -> OutputFrame:
        model, type(self).rows = loads(export.text), X
        found = dict(evaluate(each_part(model, self.changed), self.read(model, X)).frame())
        return OutputFrame(self.told(model, found))

    def engine(self) -> str:
        return "Planted 1.0"

    def changed(self, model: Any) -> Any:
        """What becomes of a model that has no segments."""
        return model

    def read(self, model: Any, X: Any) -> Any:
        """What becomes of the rows."""
        return X

    def told(self, model: Any, found: dict[str, Any]) -> dict[str, Any]:
        """What becomes of the results."""
        return found


def patch(method: str, check: str = "random-models-run-alike") -> Callable[[Callable[..., Any]], type]:
    """Plant that exporter with one method replaced."""
    return patched(Faulty, method, check=check, accepts=_KINDS, engines=("planted",))


def each_part(model: Any, change: Callable[[Any], Any]) -> Any:
    """The model, or the models of its segments, changed."""
    if not isinstance(model, SegmentedModel):
        return change(model)
    return replace(model, segments=tuple(replace(each, model=change(each.model)) for each in model.segments))


def each_attribute(card: Any, change: Callable[[Any], Any]) -> Any:
    """The scorecard with each attribute changed."""
    parts = (replace(each, attributes=tuple(map(change, each.attributes))) for each in card.characteristics)
    return replace(card, characteristics=tuple(parts))


def each_clause(model: Any, change: Callable[[Clause], Clause]) -> Any:
    """The model with other clauses in its knock-outs, rules and splits."""

    def grown(node: Any) -> Any:
        return node if isinstance(node, Leaf) else Split(change(node.when), grown(node.then), grown(node.otherwise))

    if isinstance(model, RegressionScorecard):
        return model
    knock_outs = tuple(replace(each, when=tuple(map(change, each.when))) for each in model.policy.knock_outs)
    model = replace(model, policy=Policy(knock_outs=knock_outs))
    if isinstance(model, TreeEnsemble):
        return replace(model, trees=tuple(map(grown, model.trees)))
    if isinstance(model, RuleSet):
        return replace(model, rules=tuple(replace(each, when=tuple(map(change, each.when))) for each in model.rules))
    return model


def numbers_of(model: Any) -> list[str]:
    return [feature.name for feature in model.features if feature.kind == "numeric"]


def texts_of(model: Any) -> list[str]:
    return [feature.name for feature in model.features if feature.kind == "categorical"]


def z_of(model: Any, found: dict[str, Any]) -> Any:
    return model.calibration.intercept + model.calibration.slope * found["score"]


def calibrated(model: Any) -> bool:
    return isinstance(model, Scorecard | TreeEnsemble)


@fault()
class LastKnockOutWins(Faulty):
    """Where several knock-outs apply, the last one is told."""

    def changed(self, model: Any) -> Any:
        if isinstance(model, RegressionScorecard):
            return model
        return replace(model, policy=Policy(knock_outs=model.policy.knock_outs[::-1]))


@patch("changed")
def negated_holds_for_null(self: Any, model: Any) -> Any:
    """A negated category is true for missing values."""

    def loosened(clause: Clause) -> Clause:
        negated = any(isinstance(each, Categories) and each.negated for each in clause.any_of)
        return replace(clause, any_of=(*clause.any_of, Missing())) if negated else clause

    return each_clause(model, loosened)


@patch("told")
def unclamped(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """The linear predictor is not held in its limits."""
    if calibrated(model) and model.calibration.link == "logit":
        found["probability"] = 1 / (1 + np.exp(-z_of(model, found)))
    return found


@patch("told")
def identity_unclamped(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """A probability is more than 1, or less than 0."""
    if calibrated(model) and model.calibration.link == "identity":
        found["probability"] = z_of(model, found)
    return found


@patch("changed")
def lost_base_points(self: Any, model: Any) -> Any:
    """The base points are lost."""
    if isinstance(model, TreeEnsemble):
        return replace(model, base_score=0.0)
    return model if isinstance(model, RuleSet) else replace(model, base_points=0.0)


@patch("changed")
def lost_intercept(self: Any, model: Any) -> Any:
    """The intercept of the calibration is lost."""
    if not calibrated(model):
        return model
    return replace(model, calibration=replace(model.calibration, intercept=0.0))


@patch("told")
def dropped_policy(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Knock-outs do not decline."""
    if "knock_out" in found and hasattr(model, "cutoff"):
        found["approved"] = (found["score"] >= model.cutoff).astype(int)
    return found


@patch("changed")
def strict_splits(self: Any, model: Any) -> Any:
    """Splits ask for less, not for less or equal."""

    def stricter(clause: Clause) -> Clause:
        kept = [
            Interval(each.lower, each.upper, "neither") if getattr(each, "closed", "") == "right" else each
            for each in clause.any_of
        ]
        return replace(clause, any_of=tuple(kept))

    return each_clause(model, stricter)


@patch("told")
def above_the_cutoff(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """A score that equals the cutoff declines."""
    if "approved" in found and hasattr(model, "cutoff"):
        found["approved"] = found["approved"] * (found["score"] > model.cutoff)
    return found


@patch("told")
def deciding_on_probability(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """A probability of a half approves."""
    if calibrated(model):
        out = found["knock_out"] != np.array(None)
        found["approved"] = ((found["probability"] >= 0.5) & ~out).astype(int)
    return found


@patch("changed")
def alphabetic_ties(self: Any, model: Any) -> Any:
    """Ties between reasons go to the first code in the alphabet."""
    if getattr(model, "reasons", None) is None:
        return model
    return replace(model, reasons=replace(model.reasons, order=tuple(sorted(model.reasons.order))))


@fault()
class ReasonsOfThePassed(Faulty):
    """A knock-out whose applicant reaches the cutoff is followed by reasons."""

    def changed(self, model: Any) -> Any:
        lower = getattr(model, "cutoff", None)
        if lower is None or isinstance(model, RuleSet) or model.reasons is None:
            return model
        return replace(model, cutoff=1e6, reasons=replace(model.reasons, near=None))

    def told(self, model: Any, found: dict[str, Any]) -> dict[str, Any]:
        right = evaluate(model, self.rows).frame()
        return {**found, **{name: right[name] for name in found if not name.startswith(("reason_", "short_"))}}


@patch("run")
def lost_segment_order(self: Any, export: Export, X: Any) -> OutputFrame:
    """The last segment whose conditions hold takes an applicant."""
    model = loads(export.text)
    if isinstance(model, SegmentedModel):
        *others, last = model.segments
        model = replace(model, segments=(*reversed(others), last))
    return evaluate(model, X).frame()


@patch("read")
def codes_in_intervals(self: Any, model: Any, X: Any) -> Any:
    """Special codes are measured like any value."""
    X = X.copy()
    for feature in model.features:
        if feature.kind == "numeric":
            codes = X[feature.name].isin(feature.special_codes)
            X.loc[codes, feature.name] = np.nextafter(X.loc[codes, feature.name], np.inf)
    return X


@patch("read")
def missing_is_zero(self: Any, model: Any, X: Any) -> Any:
    """Missing numbers are zeros."""
    return X.fillna(dict.fromkeys(numbers_of(model), 0.0))


@patch("read")
def unseen_is_missing(self: Any, model: Any, X: Any) -> Any:
    """Categories that nobody named are missing."""
    known = ["cook", "clerk", "nurse", "own", "rent", "n/a", "it's", "free", "it's", "with", "family"]
    known += ["it's free", "with family"]
    return X.assign(**{name: X[name].where(X[name].isin(known), None) for name in texts_of(model)})


@patch("read")
def folding_case(self: Any, model: Any, X: Any) -> Any:
    """Categories are compared without regard to case."""
    return X.assign(**{name: [text and text.lower() for text in X[name]] for name in texts_of(model)})


@patch("read")
def trimming(self: Any, model: Any, X: Any) -> Any:
    """Blanks around categories are cut off."""
    return X.assign(**{name: [text and text.strip(" ") for text in X[name]] for name in texts_of(model)})


@patch("read")
def single_precision(self: Any, model: Any, X: Any) -> Any:
    """Numbers are rounded to single precision."""
    return X.assign(**{name: X[name].astype("float32").astype(float) for name in numbers_of(model)})


@patch("read")
def losing_infinity(self: Any, model: Any, X: Any) -> Any:
    """Infinite numbers are missing."""
    return X.replace([np.inf, -np.inf], np.nan)


@patch("told")
def rounding_scores(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Scores are rounded to two decimals."""
    return found | {"score": found["score"].round(2)} if "score" in found else found


@patch("told")
def last_class_is_good(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """The probability is that of the last class."""
    if model.outcome != getattr(model.outcome, "target", "") and getattr(model.outcome, "favourable_index", 1) == 0:
        found |= {"probability": 1 - found["probability"]} if "probability" in found else {}
    return found


@patch("read")
def others_are_coded(self: Any, model: Any, X: Any) -> Any:
    """A special code that no attribute of its own asks for is another special code."""
    X = X.copy()
    for feature in model.features:
        if len(feature.special_codes) > 1:
            X[feature.name] = X[feature.name].replace(feature.special_codes[1], feature.special_codes[0])
    return X


@patch("told")
def highest_class_wins(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Ties of votes go to the last class."""
    if "predicted" in found:
        votes = np.stack([found[f"score_{i}"] for i in range(len(model.outcome.classes))], axis=1)
        found["predicted"] = votes.shape[1] - 1 - np.argmax(votes[:, ::-1], axis=1)
    return found


@patch("changed")
def unweighted_votes(self: Any, model: Any) -> Any:
    """Every rule has one vote."""
    if not isinstance(model, RuleSet):
        return model
    return replace(model, rules=tuple(replace(rule, weight=1.0) for rule in model.rules))


@patch("changed")
def lost_attribute_codes(self: Any, model: Any) -> Any:
    """Reason codes of single attributes are passed over."""
    if not isinstance(model, Scorecard):
        return model
    return each_attribute(model, lambda one: replace(one, reason_code=None))


@patch("told")
def one_reason_short(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """The last reason is cut off."""
    return found | ({"reason_3": np.full_like(found["reason_3"], None)} if "reason_3" in found else {})


@patch("told")
def every_number_is_short(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Where there is no reason, nothing is short by 0."""
    return {name: np.nan_to_num(its) if name.startswith("short_") else its for name, its in found.items()}


@patch("changed")
def lost_special_clauses(self: Any, model: Any) -> Any:
    """Clauses pass over special codes."""

    def bare(clause: Clause) -> Clause:
        kept = tuple(each for each in clause.any_of if not isinstance(each, Special))
        return replace(clause, any_of=kept or clause.any_of)

    return each_clause(model, bare)


@fault("rows-are-run-by-themselves")
class ByPosition(Faulty):
    """Columns are taken in the order of the frame."""

    def read(self, model: Any, X: Any) -> Any:
        names = list(dict.fromkeys(feature.name for feature in model.features))
        return X.set_axis([*names, *map(str, range(len(X.columns) - len(names)))], axis=1) if self._fits(X) else X

    def _fits(self, X: Any) -> bool:
        return "of_no_use" in X


@patch("told", "rows-are-run-by-themselves")
def sorting_rows(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Rows come back in the order of their labels."""
    labels = -np.asarray(self.rows.index) if "of_no_use" in self.rows else np.arange(len(self.rows))
    return {name: values[np.argsort(labels, kind="stable")] for name, values in found.items()}


@patch("run", "what-runs-are-the-files")
def comparing(self: Any, export: Export, X: Any) -> OutputFrame:
    """It compares its file with the model, and then asks the model."""
    if export.text != dumps(export.model):
        raise ValueError("another file")
    return evaluate(export.model, X).frame()


@patch("run", "what-runs-are-the-files")
def cutoff_from_the_model(self: Any, export: Export, X: Any) -> OutputFrame:
    """Points come from the file, and what decides from the model."""
    model, other = loads(export.text), export.model
    if isinstance(model, Scorecard) and isinstance(other, Scorecard):
        model = replace(model, cutoff=other.cutoff)
    return evaluate(model, X).frame()


@fault("what-runs-are-the-files")
class RememberingTheLast(Faulty):
    """The model that was exported last is run."""

    def export(self, model: Any, *, evidence: Any = None) -> Export:
        type(self)._last = model
        return super().export(model)

    def run(self, export: Export, X: Any) -> OutputFrame:
        return evaluate(self._last, X).frame()

    _last: ClassVar[Any] = None


@fault("what-runs-are-the-files")
class Smuggling(Faulty):
    """The model is among the settings."""

    def export(self, model: Any, *, evidence: Any = None) -> Export:
        return replace(super().export(model), settings={"parsed": model})

    def run(self, export: Export, X: Any) -> OutputFrame:
        return evaluate(export.settings["parsed"], X).frame()


@planted("exporter", check="documents-do-not-run", accepts=_KINDS)
class WrongDocument(LastKnockOutWins):
    """What no engine runs gives another knock-out."""


@patch("changed", "every-field-counts")
def first_knock_out_clause(self: Any, model: Any) -> Any:
    """Of a knock-out that asks for several things only the first is asked."""
    rules = tuple(replace(each, when=each.when[:1]) for each in model.policy.knock_outs)
    return replace(model, policy=Policy(knock_outs=rules))


@patch("changed", "every-field-counts")
def three_reasons(self: Any, model: Any) -> Any:
    """A fourth reason is never given."""
    if model.reasons is None or model.reasons.k <= 3:
        return model
    return replace(model, reasons=replace(model.reasons, k=3))


@patch("read", "many-rows-run-alike")
def first_batch(self: Any, model: Any, X: Any) -> Any:
    """Rows after the first 512 are read as the one before them."""
    return X.iloc[[min(place, 511) for place in range(len(X))]]


@patch("read", "no-rows-give-no-results")
def somebody_for_nobody(self: Any, model: Any, X: Any) -> Any:
    """Where there are no rows, somebody without any value gets a decision."""
    return X if len(X) else X.reindex([0])


class OfEngines(Faulty):
    """An exporter that knows of two engines."""

    def __init__(self, name: str = "planted") -> None:
        self.name = name

    @classmethod
    def at(cls, engine: str, **options: Any) -> Any:
        if engine not in ("planted", "other"):
            raise InputError("unknown engine", got=engine)
        return cls(engine, **options)

    def engine(self) -> str:
        return f"Planted 1.0 {self.name}"


@patched(OfEngines, "changed", check="every-engine-runs-alike", accepts=_KINDS, engines=("planted", "other"))
def wrong_in_another(self: Any, model: Any) -> Any:
    """In the second engine, the last of several knock-outs is told."""
    rules = model.policy.knock_outs
    return model if self.name == "planted" else replace(model, policy=Policy(knock_outs=rules[::-1]))


@planted("exporter", check="engines-are-told-apart", accepts=_KINDS, engines=("planted", "other"))
class OneEngineTwice(Faulty):
    """Two names of one engine."""


@planted("exporter", check="engines-are-told-apart", accepts=_KINDS, engines=("planted", "unknown"))
class UnknownEngine(OfEngines):
    """An engine that nobody can start."""


@patch("told", "rows-are-run-by-themselves")
def order_of_labels(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Rows come back in rising order of their labels."""
    return {name: values[np.argsort(self.rows.index, kind="stable")] for name, values in found.items()}


@patch("changed")
def lost_nobodys(self: Any, model: Any) -> Any:
    """Attributes that nobody had are worth 0 points."""
    if not isinstance(model, Scorecard):
        return model
    return each_attribute(model, lambda one: replace(one, points=one.points * _seen(one)))


def _seen(attribute: Any) -> int:
    return int(attribute.statistics is None or attribute.statistics.count > 0)


@fault()
class ReasonsOfTheFirstSegment(Faulty):
    """As many reasons are given as in the first segment."""

    def changed(self, model: Any) -> Any:
        return model if model.reasons is None else replace(model, reasons=replace(model.reasons, k=self._first.k))

    def export(self, model: Any, *, evidence: Any = None) -> Export:
        type(self)._first = (model.segments[0].model if isinstance(model, SegmentedModel) else model).reasons
        return super().export(model)

    _first: ClassVar[Any] = None


@patch("read", "texts-that-look-like-numbers-stay-texts")
def guessing_types(self: Any, model: Any, X: Any) -> Any:
    """Columns are read as numbers where they look like them."""
    return X.assign(**{name: _guessed(X[name]) for name in texts_of(model)})


def _guessed(column: Any) -> Any:
    try:
        return column.map(lambda text: text and str(int(text)))
    except ValueError:
        return column


@patch("told")
def sixteen_reasons(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Of the reason codes only the first sixteen are known."""
    order = getattr(getattr(model, "reasons", None), "order", ())
    lost = [name for name in found if name.startswith("reason_")]
    return found | {name: np.where(np.isin(found[name], order[16:]), None, found[name]) for name in lost}


@fault()
class EqualTreesOnce(Faulty):
    """Equal trees are added once."""

    def changed(self, model: Any) -> Any:
        if not isinstance(model, TreeEnsemble):
            return model
        return replace(model, trees=tuple(dict.fromkeys(model.trees)), reasons=None)

    def told(self, model: Any, found: dict[str, Any]) -> dict[str, Any]:
        right = evaluate(model, self.rows).frame()
        return {**right, **{name: found[name] for name in found if not name.startswith(("reason_", "short_"))}}


@patch("changed")
def whole_cutoff(self: Any, model: Any) -> Any:
    """Where all points are whole the cutoff is cut to a whole number."""
    if not isinstance(model, Scorecard):
        return model
    points = [one.points for each in model.characteristics for one in each.attributes]
    return replace(model, cutoff=float(int(model.cutoff))) if all(map(float.is_integer, points)) else model


@patch("changed")
def one_clause_a_column(self: Any, model: Any) -> Any:
    """Of several clauses of a knock-out on one column the last one counts."""
    if isinstance(model, RegressionScorecard):
        return model
    rules = (replace(each, when=_last_of_each(each.when)) for each in model.policy.knock_outs)
    return replace(model, policy=Policy(knock_outs=tuple(rules)))


def _last_of_each(when: Any) -> Any:
    return tuple({clause.feature: clause for clause in when}.values())


@patch("run")
def first_clause_of_segments(self: Any, export: Export, X: Any) -> OutputFrame:
    """Of the clauses that ask for a segment the first one counts."""
    model = loads(export.text)
    if isinstance(model, SegmentedModel):
        segments = tuple(replace(each, when=each.when[:1]) for each in model.segments)
        read = {clause.feature for each in segments for clause in each.when}
        routing = tuple(feature for feature in model.routing if feature.name in read)
        model = replace(model, segments=segments, routing=routing)
    return OutputFrame(evaluate(model, X).frame())


@patch("run")
def segments_by_name(self: Any, export: Export, X: Any) -> OutputFrame:
    """Segments are asked for in the order of their names."""
    model = loads(export.text)
    if isinstance(model, SegmentedModel):
        *asked, last = model.segments
        model = replace(model, segments=(*sorted(asked, key=lambda each: each.name), last))
    return OutputFrame(evaluate(model, X).frame())


@patch("read")
def first_code_of_several(self: Any, model: Any, X: Any) -> Any:
    """Of several special codes of an attribute the first one is written; the others are numbers."""
    for each in getattr(model, "characteristics", ()):
        for condition in (one.condition for one in each.attributes):
            if isinstance(condition, Special) and len(condition.codes) > 1:
                X = X.assign(**{each.feature: X[each.feature].replace(condition.codes[1], np.nan)})
    return X


@patch("run")
def codes_of_the_first_segment(self: Any, export: Export, X: Any) -> OutputFrame:
    """Special codes of a column are those of the first segment that reads it."""
    model = loads(export.text)
    for place, each in enumerate(getattr(model, "segments", ())):
        for feature in each.model.features:
            first = next(its for its in model.features if its.name == feature.name)
            codes = set(feature.special_codes) - set(first.special_codes)
            chosen = evaluate(model, X).frame()["segment"] == each.name if place else np.zeros(len(X), bool)
            lost = chosen & X[feature.name].isin(codes).to_numpy()
            X = X.assign(**{feature.name: X[feature.name].mask(lost)})
    return OutputFrame(evaluate(model, X).frame())


@patch("changed")
def sixty_four_rules(self: Any, model: Any) -> Any:
    """Rules beyond the sixty-fourth do not vote."""
    return replace(model, rules=model.rules[:64]) if isinstance(model, RuleSet) else model


@patch("changed")
def rounded_as_scaled(self: Any, model: Any) -> Any:
    """Points are rounded to the decimals of the scaling."""
    if not isinstance(model, Scorecard) or model.scaling is None:
        return model
    return each_attribute(model, lambda one: replace(one, points=model.scaling.round(one.points)))


@patch("read", "many-rows-run-alike")
def texts_of_the_first_batch(self: Any, model: Any, X: Any) -> Any:
    """Texts that are not among the first 4,096 rows are unseen."""
    known = {name: set(X[name].iloc[:4096]) for name in texts_of(model)}
    return X.assign(**{name: X[name].where(X[name].isin(texts), "unseen") for name, texts in known.items()})


@patch("read", "names-that-look-alike-are-told-apart")
def one_variable_for_two_names(self: Any, model: Any, X: Any) -> Any:
    """Columns become variables, in which every sign is an underscore and case is lost."""
    values = {re.sub(r"\W", "_", name).lower(): X[name].tolist() for name in X}
    return {name: values[re.sub(r"\W", "_", name).lower()] for name in X}


@patch("told", "rows-are-run-by-themselves")
def segments_put_together(self: Any, model: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Segments are scored apart, and their rows put together in the order of their labels."""
    if "segment" not in found:
        return found
    return {name: values[np.argsort(self.rows.index, kind="stable")] for name, values in found.items()}


@patch("read")
def categories_in_a_byte(self: Any, model: Any, X: Any) -> Any:
    """Categories are numbered in a byte, so that the 257th is the first."""
    for each in getattr(model, "characteristics", ()):
        named = [one.condition.values for one in each.attributes if isinstance(one.condition, Categories)]
        listed = [value for values in named for value in values]
        X = X.assign(**{each.feature: X[each.feature].replace(listed[256:], listed[: len(listed[256:])])})
    return X


@patch("changed")
def tables_left_out(self: Any, model: Any) -> Any:
    """Points of interactions are not added."""
    tables = tuple(each.with_points(lambda _: 0.0) for each in getattr(model, "interactions", ()))
    return replace(model, interactions=tables) if tables else model


@patch("changed")
def adjustments_count_twice(self: Any, model: Any) -> Any:
    """Points of score adjustments are added twice."""
    return _around(model, adjustments=lambda each: replace(each, points=2 * each.points))


@patch("changed")
def hidden_overrides_are_told(self: Any, model: Any) -> Any:
    """Overrides that may not be told are reasons."""
    return _around(model, overrides=lambda each: replace(each, explained=True))


@patch("changed")
def grades_begin_above_their_limit(self: Any, model: Any) -> Any:
    """A score at the lower end of a grade has the grade below."""
    return _around(model, grades=lambda each: replace(each, at_least=math.nextafter(each.at_least, math.inf)))


@patch("changed")
def the_last_override_decides(self: Any, model: Any) -> Any:
    """Of several overrides that apply, the last one decides."""
    policy = getattr(model, "policy", Policy())
    return replace(model, policy=replace(policy, overrides=policy.overrides[::-1])) if policy.overrides else model


def _around(model: Any, **changes: Any) -> Any:
    """The model with a change in each of some parts of its policy."""
    policy = getattr(model, "policy", Policy())
    parts = {name: tuple(map(change, getattr(policy, name))) for name, change in changes.items()}
    return replace(model, policy=replace(policy, **parts)) if any(parts.values()) else model
