"""Exporters that decide wrongly."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from contract_planted.fault import C, planted
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

    def export(self, model: Any, *, evidence: Any = None) -> Export:
        return Export(model=model, files={"model.json": dumps(model)})

    def run(self, export: Export, X: Any) -> OutputFrame:
        model = loads(export.text)
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


def each_part(model: Any, change: Callable[[Any], Any]) -> Any:
    """The model, or the models of its segments, changed."""
    if not isinstance(model, SegmentedModel):
        return change(model)
    return replace(model, segments=tuple(replace(each, model=change(each.model)) for each in model.segments))


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


@fault()
class NegatedHoldsForNull(Faulty):
    """A negated category is true for missing values."""

    def changed(self, model: Any) -> Any:
        def loosened(clause: Clause) -> Clause:
            negated = any(isinstance(each, Categories) and each.negated for each in clause.any_of)
            return replace(clause, any_of=(*clause.any_of, Missing())) if negated else clause

        return each_clause(model, loosened)


@fault()
class Unclamped(Faulty):
    """The linear predictor is not held in its limits."""

    def told(self, model: Any, found: dict[str, Any]) -> dict[str, Any]:
        if calibrated(model) and model.calibration.link == "logit":
            found["probability"] = 1 / (1 + np.exp(-z_of(model, found)))
        return found


@fault()
class IdentityUnclamped(Faulty):
    """A probability is more than 1, or less than 0."""

    def told(self, model: Any, found: dict[str, Any]) -> dict[str, Any]:
        if calibrated(model) and model.calibration.link == "identity":
            found["probability"] = z_of(model, found)
        return found


@fault()
class LostBasePoints(Faulty):
    """The base points are lost."""

    def changed(self, model: Any) -> Any:
        if isinstance(model, TreeEnsemble):
            return replace(model, base_score=0.0)
        return model if isinstance(model, RuleSet) else replace(model, base_points=0.0)


@fault()
class LostIntercept(Faulty):
    """The intercept of the calibration is lost."""

    def changed(self, model: Any) -> Any:
        if not calibrated(model):
            return model
        return replace(model, calibration=replace(model.calibration, intercept=0.0))


@fault()
class DroppedPolicy(Faulty):
    """Knock-outs do not decline."""

    def told(self, model: Any, found: dict[str, Any]) -> dict[str, Any]:
        if "knock_out" in found and hasattr(model, "cutoff"):
            found["approved"] = (found["score"] >= model.cutoff).astype(int)
        return found


@fault()
class StrictSplits(Faulty):
    """Splits ask for less, not for less or equal."""

    def changed(self, model: Any) -> Any:
        def stricter(clause: Clause) -> Clause:
            kept = [
                Interval(each.lower, each.upper, "neither") if getattr(each, "closed", "") == "right" else each
                for each in clause.any_of
            ]
            return replace(clause, any_of=tuple(kept))

        return each_clause(model, stricter)


@fault()
class AboveTheCutoff(Faulty):
    """A score that equals the cutoff declines."""

    def told(self, model: Any, found: dict[str, Any]) -> dict[str, Any]:
        if "approved" in found and hasattr(model, "cutoff"):
            found["approved"] = found["approved"] * (found["score"] > model.cutoff)
        return found


@fault()
class DecidingOnProbability(Faulty):
    """A probability of a half approves."""

    def told(self, model: Any, found: dict[str, Any]) -> dict[str, Any]:
        if calibrated(model):
            out = found["knock_out"] != np.array(None)
            found["approved"] = ((found["probability"] >= 0.5) & ~out).astype(int)
        return found


@fault()
class AlphabeticTies(Faulty):
    """Ties between reasons go to the first code in the alphabet."""

    def changed(self, model: Any) -> Any:
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
        right = evaluate(model, self._rows).frame()
        return {**found, **{name: right[name] for name in found if not name.startswith(("reason_", "short_"))}}

    def read(self, model: Any, X: Any) -> Any:
        type(self)._rows = X
        return X

    _rows: ClassVar[Any] = None


@fault()
class LostSegmentOrder(Faulty):
    """The last segment whose conditions hold takes an applicant."""

    def run(self, export: Export, X: Any) -> OutputFrame:
        model = loads(export.text)
        if isinstance(model, SegmentedModel):
            *others, last = model.segments
            model = replace(model, segments=(*reversed(others), last))
        return evaluate(model, X).frame()


@fault()
class CodesInIntervals(Faulty):
    """Special codes are measured like any value."""

    def read(self, model: Any, X: Any) -> Any:
        X = X.copy()
        for feature in model.features:
            if feature.kind == "numeric":
                codes = X[feature.name].isin(feature.special_codes)
                X.loc[codes, feature.name] = np.nextafter(X.loc[codes, feature.name], np.inf)
        return X


@fault()
class MissingIsZero(Faulty):
    """Missing numbers are zeros."""

    def read(self, model: Any, X: Any) -> Any:
        return X.fillna(dict.fromkeys(numbers_of(model), 0.0))


@fault()
class UnseenIsMissing(Faulty):
    """Categories that nobody named are missing."""

    def read(self, model: Any, X: Any) -> Any:
        known = ["cook", "clerk", "nurse", "own", "rent", "n/a", "it's", "free", "it's", "with", "family"]
        known += ["it's free", "with family"]
        return X.assign(**{name: X[name].where(X[name].isin(known), None) for name in texts_of(model)})


@fault()
class FoldingCase(Faulty):
    """Categories are compared without regard to case."""

    def read(self, model: Any, X: Any) -> Any:
        return X.assign(**{name: [text and text.lower() for text in X[name]] for name in texts_of(model)})


@fault()
class Trimming(Faulty):
    """Blanks around categories are cut off."""

    def read(self, model: Any, X: Any) -> Any:
        return X.assign(**{name: [text and text.strip(" ") for text in X[name]] for name in texts_of(model)})


@fault()
class SinglePrecision(Faulty):
    """Numbers are rounded to single precision."""

    def read(self, model: Any, X: Any) -> Any:
        return X.assign(**{name: X[name].astype("float32").astype(float) for name in numbers_of(model)})


@fault()
class LosingInfinity(Faulty):
    """Infinite numbers are missing."""

    def read(self, model: Any, X: Any) -> Any:
        return X.replace([np.inf, -np.inf], np.nan)


@fault()
class RoundingScores(Faulty):
    """Scores are rounded to two decimals."""

    def told(self, model: Any, found: dict[str, Any]) -> dict[str, Any]:
        return found | {"score": found["score"].round(2)} if "score" in found else found


@fault()
class LastClassIsGood(Faulty):
    """The probability is that of the last class."""

    def told(self, model: Any, found: dict[str, Any]) -> dict[str, Any]:
        if model.outcome != getattr(model.outcome, "target", "") and getattr(model.outcome, "favourable_index", 1) == 0:
            found |= {"probability": 1 - found["probability"]} if "probability" in found else {}
        return found


@fault()
class OthersAreCoded(Faulty):
    """A special code that no attribute of its own asks for is another special code."""

    def read(self, model: Any, X: Any) -> Any:
        X = X.copy()
        for feature in model.features:
            if len(feature.special_codes) > 1:
                X[feature.name] = X[feature.name].replace(feature.special_codes[1], feature.special_codes[0])
        return X


@fault()
class HighestClassWins(Faulty):
    """Ties of votes go to the last class."""

    def told(self, model: Any, found: dict[str, Any]) -> dict[str, Any]:
        if "predicted" in found:
            votes = np.stack([found[f"score_{i}"] for i in range(len(model.outcome.classes))], axis=1)
            found["predicted"] = votes.shape[1] - 1 - np.argmax(votes[:, ::-1], axis=1)
        return found


@fault()
class UnweightedVotes(Faulty):
    """Every rule has one vote."""

    def changed(self, model: Any) -> Any:
        if not isinstance(model, RuleSet):
            return model
        return replace(model, rules=tuple(replace(rule, weight=1.0) for rule in model.rules))


@fault()
class LostAttributeCodes(Faulty):
    """Reason codes of single attributes are passed over."""

    def changed(self, model: Any) -> Any:
        if not isinstance(model, Scorecard):
            return model
        bare = (
            replace(each, attributes=tuple(replace(one, reason_code=None) for one in each.attributes))
            for each in model.characteristics
        )
        return replace(model, characteristics=tuple(bare))


@fault()
class OneReasonShort(Faulty):
    """The last reason is cut off."""

    def told(self, model: Any, found: dict[str, Any]) -> dict[str, Any]:
        return found | ({"reason_3": np.full_like(found["reason_3"], None)} if "reason_3" in found else {})


@fault()
class EveryNumberIsShort(Faulty):
    """Where there is no reason, nothing is short by 0."""

    def told(self, model: Any, found: dict[str, Any]) -> dict[str, Any]:
        return {name: np.nan_to_num(its) if name.startswith("short_") else its for name, its in found.items()}


@fault()
class LostSpecialClauses(Faulty):
    """Clauses pass over special codes."""

    def changed(self, model: Any) -> Any:
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


@fault("rows-are-run-by-themselves")
class SortingRows(Faulty):
    """Rows come back in the order of their labels."""

    def told(self, model: Any, found: dict[str, Any]) -> dict[str, Any]:
        order = np.argsort(self._labels, kind="stable")
        return {name: values[order] for name, values in found.items()}

    def read(self, model: Any, X: Any) -> Any:
        type(self)._labels = -np.asarray(X.index) if "of_no_use" in X else np.arange(len(X))
        return X

    _labels: ClassVar[Any] = None


@fault("what-runs-are-the-files")
class Comparing(Faulty):
    """It compares its file with the model, and then asks the model."""

    def run(self, export: Export, X: Any) -> OutputFrame:
        if export.text != dumps(export.model):
            raise ValueError("another file")
        return evaluate(export.model, X).frame()


@fault("what-runs-are-the-files")
class CutoffFromTheModel(Faulty):
    """Points come from the file, and what decides from the model."""

    def run(self, export: Export, X: Any) -> OutputFrame:
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


@fault("every-field-counts")
class FirstKnockOutClause(Faulty):
    """Of a knock-out that asks for several things only the first is asked."""

    def changed(self, model: Any) -> Any:
        rules = tuple(replace(each, when=each.when[:1]) for each in model.policy.knock_outs)
        return replace(model, policy=Policy(knock_outs=rules))


@fault("every-field-counts")
class ThreeReasons(Faulty):
    """A fourth reason is never given."""

    def changed(self, model: Any) -> Any:
        if model.reasons is None or model.reasons.k <= 3:
            return model
        return replace(model, reasons=replace(model.reasons, k=3))


@fault("many-rows-run-alike")
class FirstBatch(Faulty):
    """Rows after the first 512 are read as the one before them."""

    def read(self, model: Any, X: Any) -> Any:
        return X.iloc[[min(place, 511) for place in range(len(X))]]


@fault("no-rows-give-no-results")
class SomebodyForNobody(Faulty):
    """Where there are no rows, somebody without any value gets a decision."""

    def read(self, model: Any, X: Any) -> Any:
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


@planted("exporter", check="every-engine-runs-alike", accepts=_KINDS, engines=("planted", "other"))
class WrongInAnother(OfEngines):
    """In the second engine, the last of several knock-outs is told."""

    def changed(self, model: Any) -> Any:
        rules = model.policy.knock_outs
        return model if self.name == "planted" else replace(model, policy=Policy(knock_outs=rules[::-1]))


@planted("exporter", check="engines-are-told-apart", accepts=_KINDS, engines=("planted", "other"))
class OneEngineTwice(Faulty):
    """Two names of one engine."""


@planted("exporter", check="engines-are-told-apart", accepts=_KINDS, engines=("planted", "unknown"))
class UnknownEngine(OfEngines):
    """An engine that nobody can start."""


@fault("rows-are-run-by-themselves")
class OrderOfLabels(Faulty):
    """Rows come back in rising order of their labels."""

    def told(self, model: Any, found: dict[str, Any]) -> dict[str, Any]:
        return {name: values[np.argsort(self._labels, kind="stable")] for name, values in found.items()}

    def read(self, model: Any, X: Any) -> Any:
        type(self)._labels = np.asarray(X.index)
        return X

    _labels: ClassVar[Any] = None


@fault()
class LostNobodys(Faulty):
    """Attributes that nobody had are worth 0 points."""

    def changed(self, model: Any) -> Any:
        if not isinstance(model, Scorecard):
            return model
        lost = (
            replace(each, attributes=tuple(replace(one, points=one.points * _seen(one)) for one in each.attributes))
            for each in model.characteristics
        )
        return replace(model, characteristics=tuple(lost))


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


@fault("texts-that-look-like-numbers-stay-texts")
class GuessingTypes(Faulty):
    """Columns are read as numbers where they look like them."""

    def read(self, model: Any, X: Any) -> Any:
        return X.assign(**{name: _guessed(X[name]) for name in texts_of(model)})


def _guessed(column: Any) -> Any:
    try:
        return column.map(lambda text: text and str(int(text)))
    except ValueError:
        return column


@fault()
class SixteenReasons(Faulty):
    """Of the reason codes only the first sixteen are known."""

    def told(self, model: Any, found: dict[str, Any]) -> dict[str, Any]:
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
        right = evaluate(model, self._rows).frame()
        return {**right, **{name: found[name] for name in found if not name.startswith(("reason_", "short_"))}}

    def read(self, model: Any, X: Any) -> Any:
        type(self)._rows = X
        return X

    _rows: ClassVar[Any] = None


@fault()
class WholeCutoff(Faulty):
    """Where all points are whole the cutoff is cut to a whole number."""

    def changed(self, model: Any) -> Any:
        if not isinstance(model, Scorecard):
            return model
        points = [one.points for each in model.characteristics for one in each.attributes]
        return replace(model, cutoff=float(int(model.cutoff))) if all(map(float.is_integer, points)) else model


@fault()
class OneClauseAColumn(Faulty):
    """Of several clauses of a knock-out on one column the last one counts."""

    def changed(self, model: Any) -> Any:
        if isinstance(model, RegressionScorecard):
            return model
        rules = (replace(each, when=_last_of_each(each.when)) for each in model.policy.knock_outs)
        return replace(model, policy=Policy(knock_outs=tuple(rules)))


def _last_of_each(when: Any) -> Any:
    return tuple({clause.feature: clause for clause in when}.values())


@fault()
class FirstClauseOfSegments(Faulty):
    """Of the clauses that ask for a segment the first one counts."""

    def run(self, export: Export, X: Any) -> OutputFrame:
        model = loads(export.text)
        if isinstance(model, SegmentedModel):
            segments = tuple(replace(each, when=each.when[:1]) for each in model.segments)
            read = {clause.feature for each in segments for clause in each.when}
            routing = tuple(feature for feature in model.routing if feature.name in read)
            model = replace(model, segments=segments, routing=routing)
        return OutputFrame(evaluate(model, X).frame())


@fault()
class SegmentsByName(Faulty):
    """Segments are asked for in the order of their names."""

    def run(self, export: Export, X: Any) -> OutputFrame:
        model = loads(export.text)
        if isinstance(model, SegmentedModel):
            *asked, last = model.segments
            model = replace(model, segments=(*sorted(asked, key=lambda each: each.name), last))
        return OutputFrame(evaluate(model, X).frame())


@fault()
class FirstCodeOfSeveral(Faulty):
    """Of several special codes of an attribute the first one is written; the others are numbers."""

    def read(self, model: Any, X: Any) -> Any:
        for each in getattr(model, "characteristics", ()):
            for condition in (one.condition for one in each.attributes):
                if isinstance(condition, Special) and len(condition.codes) > 1:
                    X = X.assign(**{each.feature: X[each.feature].replace(condition.codes[1], np.nan)})
        return X


@fault()
class CodesOfTheFirstSegment(Faulty):
    """Special codes of a column are those of the first segment that reads it."""

    def run(self, export: Export, X: Any) -> OutputFrame:
        model = loads(export.text)
        for place, each in enumerate(getattr(model, "segments", ())):
            for feature in each.model.features:
                first = next(its for its in model.features if its.name == feature.name)
                codes = set(feature.special_codes) - set(first.special_codes)
                chosen = evaluate(model, X).frame()["segment"] == each.name if place else np.zeros(len(X), bool)
                lost = chosen & X[feature.name].isin(codes).to_numpy()
                X = X.assign(**{feature.name: X[feature.name].mask(lost)})
        return OutputFrame(evaluate(model, X).frame())


@fault()
class SixtyFourRules(Faulty):
    """Rules beyond the sixty-fourth do not vote."""

    def changed(self, model: Any) -> Any:
        return replace(model, rules=model.rules[:64]) if isinstance(model, RuleSet) else model


@fault()
class RoundedAsScaled(Faulty):
    """Points are rounded to the decimals of the scaling."""

    def changed(self, model: Any) -> Any:
        if not isinstance(model, Scorecard) or model.scaling is None:
            return model
        rounded = (
            replace(
                each,
                attributes=tuple(replace(one, points=model.scaling.round(one.points)) for one in each.attributes),
            )
            for each in model.characteristics
        )
        return replace(model, characteristics=tuple(rounded))


@fault("many-rows-run-alike")
class TextsOfTheFirstBatch(Faulty):
    """Texts that are not among the first 4,096 rows are unseen."""

    def read(self, model: Any, X: Any) -> Any:
        known = {name: set(X[name].iloc[:4096]) for name in texts_of(model)}
        return X.assign(**{name: X[name].where(X[name].isin(texts), "unseen") for name, texts in known.items()})


@fault("names-that-look-alike-are-told-apart")
class OneVariableForTwoNames(Faulty):
    """Columns become variables, in which every sign is an underscore and case is lost."""

    def read(self, model: Any, X: Any) -> Any:
        values = {re.sub(r"\W", "_", name).lower(): X[name].tolist() for name in X}
        return {name: values[re.sub(r"\W", "_", name).lower()] for name in X}


@fault("rows-are-run-by-themselves")
class SegmentsPutTogether(Faulty):
    """Segments are scored apart, and their rows put together in the order of their labels."""

    def told(self, model: Any, found: dict[str, Any]) -> dict[str, Any]:
        if "segment" not in found:
            return found
        return {name: values[np.argsort(self._labels, kind="stable")] for name, values in found.items()}

    def read(self, model: Any, X: Any) -> Any:
        type(self)._labels = np.asarray(X.index)
        return X

    _labels: ClassVar[Any] = None


@fault()
class CategoriesInAByte(Faulty):
    """Categories are numbered in a byte, so that the 257th is the first."""

    def read(self, model: Any, X: Any) -> Any:
        for each in getattr(model, "characteristics", ()):
            named = [one.condition.values for one in each.attributes if isinstance(one.condition, Categories)]
            listed = [value for values in named for value in values]
            X = X.assign(**{each.feature: X[each.feature].replace(listed[256:], listed[: len(listed[256:])])})
        return X
