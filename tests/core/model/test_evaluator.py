"""The vectorised evaluator against a second one that takes a row at a time and knows only `domain.holds`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from drawn import drawn, of_every_kind

from scrutable.errors import InputError, KindError
from scrutable.model import (
    Attribute,
    Calibration,
    Characteristic,
    Feature,
    FrozenMapping,
    Interval,
    KnockOut,
    Leaf,
    Missing,
    Model,
    Otherwise,
    Outcome,
    Override,
    ReasonPolicy,
    RuleSet,
    Scorecard,
    SegmentedModel,
    TreeEnsemble,
)
from scrutable.model.conditions import AttributeCondition
from scrutable.model.domain import Observed, clause_holds, holds
from scrutable.model.evaluator import Evaluation, OutputFrame, differences, evaluate, read_inputs, results
from scrutable.model.trees import Node, paths, splits
from scrutable.proof.edges import edge_rows

Row = dict[str, Observed]
Said = dict[str, Any]
#: What policies add to the results.
AROUND = ("override", "adjustment", "grade")


def say(model: Model, row: Row) -> Said:
    """Everything a model says of one row."""
    if isinstance(model, SegmentedModel):
        segment = next(s for s in model.segments if all_hold(model, s.when, row))
        said = say(segment.model, row)
        kept = {key: said[key] for key in ("predicted", "class_probability", "knock_out", "score")}
        kept |= {key: said.get(key) for key in AROUND}
        widths = [len(found) for s in model.segments if (found := say(s.model, row).get("reasons")) is not None]
        for key in ("reasons", "shortfalls") if widths else ():
            own = said.get(key) or []
            kept[key] = [*own, *[None] * (max(widths) - len(own))]
        kept["rules"] = said.get("rules")
        return {"segment": segment.name, **kept}
    around = Around(model, row)
    if isinstance(model, Scorecard):
        return say_scorecard(model, row, around)
    if isinstance(model, RuleSet):
        return say_rules(model, row, around)
    score = model.base_score + around.points
    for tree in model.trees:
        score += leaf_of(model, tree, row).value
    said = say_score(model, score, around)
    if model.reasons is not None:
        short = shortfalls_by_code(model.reasons, trees_short(model, row))
        said |= around.rank(model.reasons, short, score)
    return said


class Around:
    """What stands around the score of one row: the rule that decides, and the score adjustments."""

    def __init__(self, model: Scorecard | TreeEnsemble | RuleSet, row: Row) -> None:
        policy = model.policy
        self.model = model
        self.rule = next((rule for rule in policy.deciding if all_hold(model, rule.when, row)), None)
        self.adjustments = [each for each in policy.adjustments if all_hold(model, each.when, row)]
        self.points = math.fsum(each.points for each in self.adjustments)

    def says(self, score: float) -> Said:
        """The decision, and what the policy has."""
        model, rule, policy = self.model, self.rule, self.model.policy
        assert model.cutoff is not None
        good = model.outcome.favourable_index
        approved = score >= model.cutoff if rule is None else isinstance(rule, Override) and rule.decision == "approve"
        said: Said = {"predicted": good if approved else 1 - good}
        said["knock_out"] = rule.code if isinstance(rule, KnockOut) else None
        said["override"] = rule.code if isinstance(rule, Override) else None
        said["adjustment"] = self.points if policy.adjustments else None
        said["grade"] = next((grade.name for grade in policy.grades if score >= grade.at_least), None)
        return said

    def rank(self, policy: ReasonPolicy, shortfall: dict[str, float], score: float) -> Said:
        """Codes with what they lack: first the rule that declines, alone where the score reaches the cutoff."""
        assert self.model.cutoff is not None
        taken = [each for each in self.adjustments if each.explained and each.points < 0]
        lacking = shortfall | {each.code: -each.points for each in taken}
        order = [*policy.order, *(each.code for each in taken)]
        ranked = [
            (code, lacking[code])
            for code in sorted(lacking, key=lambda code: (-lacking[code], order.index(code)))
            if lacking[code] > 0
        ]
        told: list[tuple[str | None, float | None]] = []
        rule = self.rule
        if isinstance(rule, KnockOut) or (rule is not None and rule.decision == "decline"):
            told = [(rule.code, None)] if isinstance(rule, KnockOut) or rule.explained else []
            ranked = [] if score >= self.model.cutoff else ranked
        whole = [*told, *ranked, *[(None, None)] * policy.k][: policy.k]
        return {"reasons": [code for code, _ in whole], "shortfalls": [short for _, short in whole]}


def leaf_of(model: Model, tree: Node, row: Row) -> Leaf:
    while not isinstance(tree, Leaf):
        tree = tree.then if all_hold(model, (tree.when,), row) else tree.otherwise
    return tree


def trees_short(model: TreeEnsemble, row: Row) -> dict[str, float]:
    """What each feature lacks: its baseline, minus its own trees' leaves, minus the effects of all other leaves."""
    policy = model.reasons
    assert policy is not None
    terms: dict[str, list[float]] = {feature: [baseline] for feature, baseline in policy.baselines.items()}
    effects = iter(policy.effects)
    for tree in model.trees:
        names = {split.when.feature for split in splits(tree)}
        if len(names) == 1:
            terms[names.pop()].append(-leaf_of(model, tree, row).value)
        elif names:
            for its, (_, path) in zip(next(effects), paths(tree), strict=True):
                met = [
                    all(
                        all_hold(model, (clause,), row) == wanted
                        for clause, wanted in path
                        if clause.feature == feature
                    )
                    for feature in its.features
                ]
                values = its.values[sum(2**bit for bit, each in enumerate(met) if each)]
                for feature, value in zip(its.features, values, strict=True):
                    terms[feature].append(-value)
    return {feature: math.fsum(each) for feature, each in terms.items()}


def shortfalls_by_code(policy: ReasonPolicy, short: dict[str, float]) -> dict[str, float]:
    found: dict[str, float] = {}
    for feature, value in short.items():
        code = policy.codes[feature]
        found[code] = max(found.get(code, 0.0), value)
    return found


def say_scorecard(model: Scorecard, row: Row, around: Around) -> Said:
    attribute: dict[str, int] = {}
    points: dict[str, float] = {}
    codes: dict[str, str | None] = {}
    for characteristic in model.characteristics:
        name = characteristic.feature
        attribute[name] = place_of(model, name, characteristic.conditions, row)
        own = characteristic.attributes[attribute[name]]
        points[name], codes[name] = own.points, own.reason_code
    for table in model.interactions:
        one, other = (place_of(model, axis.feature, axis.conditions, row) for axis in (table.rows, table.columns))
        attribute[table.name] = one * len(table.columns.conditions) + other
        points[table.name] = table.points[one][other]
    score = math.fsum([model.base_points, *points.values(), around.points])
    said = say_score(model, score, around)
    said |= {"attribute": attribute, "points": points}
    if model.reasons is None:
        return said
    shortfall: dict[str, float] = {}
    for name, value in points.items():
        code = codes.get(name) or model.reasons.codes[name]
        shortfall[code] = max(shortfall.get(code, 0.0), model.reasons.baselines[name] - value)
    return said | around.rank(model.reasons, shortfall, score)


def place_of(model: Scorecard, name: str, conditions: tuple[AttributeCondition, ...], row: Row) -> int:
    feature = {feature.name: feature for feature in model.features}[name]
    named = [
        i
        for i, condition in enumerate(conditions)
        if not isinstance(condition, Otherwise) and holds(condition, feature, row[name])
    ]
    assert len(named) <= 1, "attributes overlap"
    return named[0] if named else next(i for i, c in enumerate(conditions) if isinstance(c, Otherwise))


def say_rules(model: RuleSet, row: Row, around: Around) -> Said:
    named = {f"{i}": rule for i, rule in enumerate(model.rules, 1) if all_hold(model, rule.when, row)}
    if not named:
        named = {f"F{i}": rule for i, rule in enumerate(model.fallback, 1) if all_hold(model, rule.when, row)}
        assert len(named) == 1, "the fallback has a gap or an overlap"
    applying = list(named.values())
    votes = [math.fsum(r.weight for r in applying if r.outcome == label) for label in model.outcome.classes]
    shares = [vote / math.fsum(votes) for vote in votes]
    said = {"class_scores": votes, "class_probability": shares, "knock_out": None, "score": None}
    said["rules"] = " ".join(named)
    if not model.outcome.binary:
        return said | {"predicted": votes.index(max(votes))}
    good = model.outcome.favourable_index
    score = votes[good] - votes[1 - good]
    assert model.cutoff is not None
    if model.reasons is not None:
        against = [rule for rule in applying if rule.outcome != model.outcome.favourable]
        short = {
            feature: math.fsum(rule.weight for rule in against if feature in {clause.feature for clause in rule.when})
            for feature in model.reasons.codes
        }
        said |= around.rank(model.reasons, shortfalls_by_code(model.reasons, short), score)
    return said | {"score": score, **around.says(score)}


def say_score(model: Scorecard | TreeEnsemble, score: float, around: Around) -> Said:
    good = probability(model.calibration, score)
    pair = [1 - good, good] if model.outcome.favourable_index == 1 else [good, 1 - good]
    return {"score": score, "class_probability": pair, **around.says(score)}


def probability(calibration: Calibration, score: float) -> float:
    z = calibration.intercept + calibration.slope * score
    if calibration.link == "identity":
        return min(1.0, max(0.0, z))
    return 1 / (1 + math.exp(-min(36.0, max(-36.0, z))))


def all_hold(model: Model, clauses: Any, row: Row) -> bool:
    own = model.routing if isinstance(model, SegmentedModel) else model.features
    features = {feature.name: feature for feature in own}
    return all(clause_holds(clause, features[clause.feature], row[clause.feature]) for clause in clauses)


def rows_of(frame: Any) -> list[Row]:
    records = frame.to_dict("records")
    return [{key: None if value is None or value != value else value for key, value in r.items()} for r in records]


def close(ours: float, theirs: float) -> bool:
    return abs(ours - theirs) <= 2 * math.ulp(max(ours, theirs))


def assert_same(model: Model, found: Evaluation, position: int, said: Said) -> None:
    ours = found.class_probability[position]
    good = model.outcome.favourable_index
    if found.class_scores is None and model.outcome.binary and not isinstance(model, SegmentedModel):
        assert ours[1 - good] == 1 - ours[good]
        assert close(ours[good], said["class_probability"][good])
    else:
        assert all(abs(a - b) <= 2e-16 or close(a, b) for a, b in zip(ours, said["class_probability"], strict=True))
    for key in ("predicted", "knock_out", "score", "segment", *AROUND):
        values = getattr(found, key)
        value = None if values is None or values[position] != values[position] else values[position]
        assert value == said.get(key), key
    assert (None if found.class_scores is None else found.class_scores[position].tolist()) == said.get("class_scores")
    assert {key: values[position] for key, values in found.attribute.items()} == said.get("attribute", {})
    assert {key: values[position] for key, values in found.points.items()} == said.get("points", {})
    assert (None if found.reasons is None else found.reasons[position].tolist()) == said.get("reasons")
    short = None if found.shortfalls is None else [None if x != x else x for x in found.shortfalls[position].tolist()]
    assert short == said.get("shortfalls")
    assert (None if found.rules is None else found.rules[position]) == said.get("rules")


@pytest.mark.parametrize("kind", ["scorecards", "rule sets", "tree ensembles", "segmented models"])
def test_it_says_what_a_loop_over_rows_says(kind: str) -> None:
    for model in drawn(kind, 20):
        frame = edge_rows(model, n_random=20)
        evaluation, rows = evaluate(model, frame), rows_of(frame)
        for position in range(0, len(rows), 1 + len(rows) // 50):
            assert_same(model, evaluation, position, say(model, rows[position]))


def test_every_kind_by_hand(scorecard: Scorecard, rule_set: RuleSet, trees: TreeEnsemble, segmented: Any) -> None:
    rows = {"age": [17.0, 25.0, None, -9.0, math.inf], "housing": ["own", "own", "own ", None, ""]}
    card = evaluate(scorecard, rows)
    assert card.score is not None
    assert card.score.tolist() == [540.5, 570, 520, 500, 540]
    assert card.knock_out.tolist() == ["K1", None, None, None, None]
    assert card.approved.tolist() == [False, True, False, False, True]
    assert card.reasons is not None
    assert card.reasons.tolist() == [["K1", None], [None, None], ["R2", "R3"], ["R1", "R2"], ["R2", None]]
    assert card.shortfalls is not None
    rules = evaluate(rule_set, rows)
    assert rules.class_scores is not None
    assert rules.class_scores.tolist() == [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1]]
    assert rules.predicted.tolist() == [0, 0, 1, 2, 2]
    assert rules.rules is not None
    assert evaluate(rule_set, rows, reasons=False).rules is None
    ensemble = evaluate(trees, rows)
    assert ensemble.score is not None
    assert (ensemble.score - trees.base_score).tolist() == [0.375, 0.375, -0.375, 1.125, 1.125]
    parts = evaluate(segmented, rows)
    assert parts.segment is not None
    assert parts.segment.tolist() == ["thin file", "thick file", "thin file", "thick file", "thick file"]
    assert parts.knock_out.tolist() == [None] * 5


def test_many_tied_reasons_keep_the_order_of_the_policy() -> None:
    names = [f"x{i}" for i in range(60)]
    one = (Attribute(condition=Interval(), points=0), Attribute(condition=Missing(), points=0))
    codes = FrozenMapping({name: name.upper() for name in names})
    order = tuple(f"X{i * 7 % 60}" for i in range(60))
    card = Scorecard(
        outcome=Outcome(classes=(0, 1), favourable=1),
        features=tuple(Feature(name=name, kind="numeric") for name in names),
        characteristics=tuple(Characteristic(feature=name, attributes=one) for name in names),
        base_points=0,
        cutoff=1,
        calibration=Calibration(slope=1),
        reasons=ReasonPolicy(
            method="by hand",
            population="",
            cutoff=1,
            baselines=FrozenMapping({name: 1 + i % 3 for i, name in enumerate(names)}),
            codes=codes,
            texts=FrozenMapping(dict.fromkeys(order, "text")),
            order=order,
            k=50,
        ),
    )
    found = evaluate(card, {name: [1.0] for name in names})
    assert found.reasons is not None
    expected = sorted(order, key=lambda code: (-(int(code[1:]) % 3), order.index(code)))
    assert found.reasons.tolist() == [expected[:50]]


def test_knock_outs_and_segments_are_told_by_row(scorecard: Scorecard, segmented: SegmentedModel) -> None:
    rows = {"age": [17.0, 20.0, None, 30.0], "housing": ["own", "rent", "own", None]}
    found = evaluate(scorecard, rows)
    assert found.knocked_out.tolist() == [True, False, False, False]
    assert found.knocked_out.dtype == bool
    its = evaluate(segmented, rows)
    assert its.segment is not None
    for name in ("thin file", "thick file", "no such segment"):
        assert its.of_segment(name).tolist() == [each == name for each in its.segment.tolist()]
    assert its.of_segment("thin file").any()


def test_frame_has_the_fixed_columns(scorecard: Scorecard, rule_set: RuleSet, segmented: SegmentedModel) -> None:
    rows = {"age": [30.0], "housing": ["own"]}
    common = ["score", "probability", "approved", "knock_out"]
    reasons = ["reason_1", "reason_2", "short_1", "short_2"]
    assert [*evaluate(scorecard, rows).frame()] == [*common, "points_age", "points_housing", *reasons]
    assert [*evaluate(segmented, rows).frame()] == ["segment", *common, *reasons]
    classes = [*(f"score_{i}" for i in range(3)), *(f"probability_{i}" for i in range(3)), "predicted", "rules"]
    assert [*evaluate(rule_set, rows).frame()] == classes


def test_differences_are_found(scorecard: Scorecard) -> None:
    ours = evaluate(scorecard, {"age": [30.0, 17.0], "housing": ["own", None]}).frame()
    assert differences(ours, ours) == {}
    theirs = dict(ours) | {
        "score": np.asarray(ours["score"], dtype=float) + np.array([0, 2.0**-30]),
        "probability": np.nextafter(np.asarray(ours["probability"], dtype=float), 1),
        "knock_out": np.array(["K1", "K1"], dtype=object),
    }
    found = differences(ours, type(ours)(theirs))
    assert {key: rows.tolist() for key, rows in found.items()} == {"score": [1], "knock_out": [0]}
    exact = differences(ours, type(ours)(theirs), ulp=0)
    assert exact["probability"].tolist() == [0, 1]


def test_columns_the_model_does_not_read_are_ignored(trees: TreeEnsemble) -> None:
    columns, n_rows = read_inputs(trees, {"housing": ["own"], "sex": [object()], "age": [1]})
    assert ([*columns], n_rows) == (["age", "housing"], 1)


def test_missing_column_and_other_kind(scorecard: Scorecard) -> None:
    with pytest.raises(InputError, match=r"column 'housing'.*did you mean 'Housing'"):
        evaluate(scorecard, {"age": [1.0], "Housing": ["own"]})
    with pytest.raises(KindError, match=r"column 'age': numbers when the model was fitted, text now; got 'old'"):
        evaluate(scorecard, {"age": ["old"], "housing": ["own"]})


def test_results_are_columns_of_the_whole() -> None:
    for model in of_every_kind(3):
        rows = edge_rows(model, n_random=5)
        whole = evaluate(model, rows).frame()
        names = list(whole)[::-2]
        some = results(model, rows, names, threads=2)
        assert list(some) == names
        assert not differences(some, OutputFrame({name: whole[name] for name in names}), ulp=0)
        with pytest.raises(InputError, match="no such result; got 'scores'"):
            results(model, rows, ["scores"])
