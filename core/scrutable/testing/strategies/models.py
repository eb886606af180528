"""Models of every kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from scrutable.data.features import Feature, Kind
from scrutable.data.outcome import Calibration, ClassLabel, Outcome, Quantity
from scrutable.data.values import FrozenMapping
from scrutable.model.characteristics import Attribute, Characteristic, MeanStatistics, Statistics
from scrutable.model.effects import LeafEffects
from scrutable.model.interactions import Interaction
from scrutable.model.policy import Policy
from scrutable.model.provenance import Provenance
from scrutable.model.reasons import ReasonPolicy
from scrutable.model.regression import RegressionScorecard
from scrutable.model.rules import Rule, RuleSet
from scrutable.model.scorecard import Scorecard
from scrutable.model.segments import Model, Segment, SegmentedModel, SingleModel
from scrutable.model.trees import Leaf, Node, Path, Split, TreeEnsemble, features_of, paths, splits
from scrutable.testing.strategies.conditions import attribute_conditions, clauses, conjunctions, partitions
from scrutable.testing.strategies.policies import Points, Pool, codes_of, interactions_of, policies
from scrutable.testing.strategies.values import (
    Domain,
    domain_lists,
    domains,
    labels,
    names,
    numbers,
    texts,
    used_features,
)


def features(*, plain_names: bool = False, kind: Kind | None = None) -> st.SearchStrategy[Feature]:
    """Features of either kind, with up to two special codes."""
    return domains(plain_names=plain_names, kind=kind).map(lambda domain: domain.feature)


def scorecards(*, plain_names: bool = False, max_features: int = 4) -> st.SearchStrategy[Scorecard]:
    """Scorecards over numeric, numeric-coded and categorical features, half of them with a reason policy."""
    return _over_a_pool(_scorecards, 2, plain_names, max_features)


def regression_scorecards(
    *, plain_names: bool = False, max_features: int = 4
) -> st.SearchStrategy[RegressionScorecard]:
    """Scorecards for a quantity, over features as those of `scorecards`."""
    pools = domain_lists(plain_names=plain_names, max_size=max_features)
    return pools.flatmap(_regression_scorecards)


def rule_sets(
    n_classes: int | None = None, *, plain_names: bool = False, max_features: int = 4
) -> st.SearchStrategy[RuleSet]:
    """Up to five rules, and a fallback of one default class or of disjoint, exhaustive rules; 2 to 4 classes."""
    return _over_a_pool(_rule_sets, n_classes, plain_names, max_features)


def tree_ensembles(*, plain_names: bool = False, max_features: int = 4) -> st.SearchStrategy[TreeEnsemble]:
    """Up to four trees of depth one to three."""
    return _over_a_pool(_tree_ensembles, 2, plain_names, max_features)


def segmented_models(*, plain_names: bool = False, max_features: int = 4) -> st.SearchStrategy[SegmentedModel]:
    """Two or three segments, each with a model of any other kind; they share columns, but not all special codes."""
    return _over_a_pool(_segmented_models, None, plain_names, max_features)


def models(*, plain_names: bool = False) -> st.SearchStrategy[Model]:
    """Models of every kind."""
    kinds: list[Callable[..., st.SearchStrategy[Any]]] = [
        *(scorecards, regression_scorecards, rule_sets, tree_ensembles, segmented_models)
    ]
    return st.one_of([kind(plain_names=plain_names) for kind in kinds])


@st.composite
def outcomes(draw: st.DrawFn, n_classes: int | None = None) -> Outcome:
    """Outcomes with labels of every type, the favourable class at any position."""
    n = n_classes or draw(st.sampled_from([2, 2, 3, 4]))
    kinds: list[st.SearchStrategy[list[Any]]] = [
        st.just(list(range(n))),
        st.permutations(range(1, n + 1)),
        st.lists(texts(), min_size=n, max_size=n, unique=True),
        st.lists(numbers(), min_size=n, max_size=n, unique=True),
    ]
    if n == 2:
        kinds += [st.just(["bad", "good"]), st.just([False, True])]
    classes: tuple[ClassLabel, ...] = tuple(draw(st.one_of(kinds)))
    return Outcome(classes=classes, favourable=draw(st.sampled_from(classes)), target=draw(labels()))


def _over_a_pool(
    kind: Callable[[Pool, Outcome], st.SearchStrategy[Any]],
    n_classes: int | None,
    plain_names: bool,
    max_features: int,
) -> st.SearchStrategy[Any]:
    pools = domain_lists(plain_names=plain_names, max_size=max_features)
    return st.tuples(pools, outcomes(n_classes)).flatmap(lambda drawn: kind(*drawn))


@st.composite
def _scorecards(draw: st.DrawFn, pool: Pool, outcome: Outcome) -> Scorecard:
    points, codes = draw(st.sampled_from(_POINTS)), draw(st.just([]) | codes_of("R"))
    scored = pool[: draw(st.integers(1, len(pool)))]
    characteristics = tuple(draw(_characteristics(domain, points, codes, _STATISTICS)) for domain in scored)
    interactions = draw(interactions_of(pool, points))
    policy = draw(policies(pool, points))
    base_points = draw(points) + draw(st.sampled_from([0, 600]))
    used = _features_of(characteristics, interactions) | policy.features
    return Scorecard(
        outcome=outcome,
        features=used_features(pool, used),
        characteristics=characteristics,
        interactions=interactions,
        base_points=base_points,
        cutoff=draw(_cutoffs(base_points, [[a.points for a in c.attributes] for c in characteristics])),
        calibration=draw(_CALIBRATIONS),
        policy=policy,
        reasons=draw(_scorecard_reasons(characteristics, interactions, points, codes)) if codes else None,
        provenance=draw(_PROVENANCES),
    )


@st.composite
def _regression_scorecards(draw: st.DrawFn, pool: Pool) -> RegressionScorecard:
    points = draw(st.sampled_from((*_POINTS, st.floats(-1, 1))))
    scored = pool[: draw(st.integers(1, len(pool)))]
    characteristics = tuple(draw(_characteristics(domain, points, [], _MEAN_STATISTICS)) for domain in scored)
    interactions = draw(interactions_of(pool, points))
    return RegressionScorecard(
        outcome=Quantity(target=draw(labels()), unit=draw(labels())),
        features=used_features(pool, _features_of(characteristics, interactions)),
        characteristics=characteristics,
        interactions=interactions,
        base_points=draw(points),
        provenance=draw(_PROVENANCES),
    )


@st.composite
def _rule_sets(draw: st.DrawFn, pool: Pool, outcome: Outcome) -> RuleSet:
    classes, weights = st.sampled_from(outcome.classes), draw(st.sampled_from(_WEIGHTS))
    whens = [draw(conjunctions(pool, min_size=1)), *draw(st.lists(conjunctions(pool), max_size=4))]
    rules = tuple(Rule(when=when, outcome=draw(classes), weight=draw(weights), label=draw(labels())) for when in whens)
    fallback = tuple(Rule(when=when, outcome=draw(classes), weight=draw(weights)) for when in draw(partitions(pool)))
    policy = draw(policies(pool, None)) if outcome.binary else Policy()
    used = {clause.feature for rule in rules + fallback for clause in rule.when} | policy.features
    against = [rule.when for rule in rules + fallback if rule.outcome != outcome.favourable]
    read = sorted({clause.feature for when in against for clause in when})
    cutoff = draw(st.none() | st.integers(-2, 2) | st.floats(-2, 2)) if outcome.binary else None
    votes = [rule.weight for rule in rules + fallback if rule.outcome == outcome.favourable]
    told = outcome.binary and all(against) and (cutoff or 0.0) <= min(votes, default=0.0)
    codes = draw(st.just([]) | codes_of("R")) if told else []
    return RuleSet(
        outcome=outcome,
        features=used_features(pool, used),
        rules=rules,
        fallback=fallback,
        cutoff=cutoff,
        policy=policy,
        reasons=draw(_reason_policies(read, codes, {})) if codes else None,
        provenance=draw(_PROVENANCES),
    )


@st.composite
def _tree_ensembles(draw: st.DrawFn, pool: Pool, outcome: Outcome) -> TreeEnsemble:
    points = draw(st.sampled_from(_POINTS))
    trees = tuple(draw(st.lists(_trees(pool, points), min_size=1, max_size=4)))
    policy = draw(policies(pool, points))
    base_score = draw(points)
    used = {split.when.feature for tree in trees for split in splits(tree)} | policy.features
    return TreeEnsemble(
        outcome=outcome,
        features=used_features(pool, used),
        trees=trees,
        base_score=base_score,
        cutoff=draw(_cutoffs(base_score, [])),
        calibration=draw(_CALIBRATIONS),
        policy=policy,
        reasons=draw(_tree_reasons(trees, points)) if draw(st.booleans()) else None,
        provenance=draw(_PROVENANCES),
    )


@st.composite
def _segmented_models(draw: st.DrawFn, pool: Pool, outcome: Outcome) -> SegmentedModel:
    routing = [*draw(st.lists(conjunctions(pool, min_size=1), min_size=1, max_size=2)), ()]
    segment_names = draw(st.lists(names(), min_size=len(routing), max_size=len(routing), unique=True))
    kinds: list[Callable[[Pool, Outcome], st.SearchStrategy[Any]]] = [_rule_sets]
    if outcome.binary:
        kinds += [_scorecards, _tree_ensembles]
    segments = []
    for name, when in zip(segment_names, routing, strict=True):
        own = [domain.without_codes() if draw(st.integers(0, 3)) == 0 else domain for domain in pool]
        model: SingleModel = draw(draw(st.sampled_from(kinds))(own, outcome))
        segments.append(Segment(name=name, when=when, model=model))
    return SegmentedModel(
        segments=tuple(segments),
        routing=used_features(pool, {clause.feature for when in routing for clause in when}),
        provenance=draw(_PROVENANCES),
    )


@st.composite
def _characteristics(
    draw: st.DrawFn, domain: Domain, points: Points, codes: list[str], statistics: st.SearchStrategy[Any]
) -> Characteristic:
    own_codes = st.none() | st.sampled_from(codes) if codes else st.none()
    attributes = tuple(
        Attribute(
            condition=condition,
            points=draw(points),
            label=draw(labels()),
            reason_code=draw(own_codes),
            statistics=draw(statistics),
        )
        for condition in draw(attribute_conditions(domain))
    )
    return Characteristic(feature=domain.feature.name, attributes=attributes)


@st.composite
def _trees(draw: st.DrawFn, pool: Pool, points: Points, depth: int = 3) -> Node:
    def grow(left: int) -> Node:
        if left < depth and (not left or draw(st.booleans())):
            return Leaf(draw(points), draw(labels()))
        return Split(draw(st.sampled_from(pool).flatmap(clauses)), grow(left - 1), grow(left - 1))

    return grow(depth)


def _features_of(characteristics: Sequence[Characteristic], interactions: Sequence[Interaction]) -> set[str]:
    return {each.feature for each in characteristics} | {name for each in interactions for name in each.features}


@st.composite
def _scorecard_reasons(
    draw: st.DrawFn,
    characteristics: Sequence[Characteristic],
    interactions: Sequence[Interaction],
    points: Points,
    codes: list[str],
) -> ReasonPolicy:
    """Baselines near the points, so that shortfalls tie, and one in five so low that nothing falls short."""
    baselines = {}
    for each in characteristics:
        lowest = min(attribute.points for attribute in each.attributes)
        near = st.sampled_from([attribute.points + 1 for attribute in each.attributes])
        baselines[each.feature] = lowest if draw(st.integers(0, 4)) == 0 else draw(near | points)
    for table in interactions:
        baselines[table.name] = draw(st.sampled_from([cell + 1 for cell in table.cells]) | points)
    return draw(_reason_policies(list(baselines), codes, baselines))


@st.composite
def _tree_reasons(draw: st.DrawFn, trees: Sequence[Node], points: Points) -> ReasonPolicy:
    asked = sorted({feature for tree in trees for feature in features_of(tree)})
    several = [tree for tree in trees if len(features_of(tree)) > 1]
    effects = tuple(tuple(draw(_leaf_effects(path, points)) for _, path in paths(tree)) for tree in several)
    baselines = {feature: draw(points) for feature in asked}
    return draw(_reason_policies(asked, draw(codes_of("R")), baselines, effects))


@st.composite
def _reason_policies(
    draw: st.DrawFn,
    features: Sequence[str],
    codes: list[str],
    baselines: dict[str, float],
    effects: tuple[tuple[LeafEffects, ...], ...] = (),
) -> ReasonPolicy:
    """Codes shared between features, the order and the number of reasons at random."""
    return ReasonPolicy(
        method="drawn at random",
        population=draw(labels()),
        cutoff=draw(numbers()),
        baselines=FrozenMapping(baselines),
        codes=FrozenMapping({feature: draw(st.sampled_from(codes)) for feature in features}),
        texts=FrozenMapping({code: f"Length of {code}" for code in codes}),  # one text a code, in every segment
        order=tuple(draw(st.permutations(codes))),
        k=draw(st.integers(1, 5)),
        effects=effects,
    )


@st.composite
def _leaf_effects(draw: st.DrawFn, path: Path, points: Points) -> LeafEffects:
    asked = tuple(dict.fromkeys(clause.feature for clause, _ in path))
    values = st.tuples(*[points] * len(asked))
    return LeafEffects(asked, tuple(draw(values) for _ in range(2 ** len(asked))))


@st.composite
def _cutoffs(draw: st.DrawFn, base: float, points: Sequence[Sequence[float]]) -> float:
    """A score that can be reached exactly, or one near it."""
    reached = base + sum(draw(st.sampled_from(choices)) for choices in points)
    return reached + draw(st.sampled_from([0.0, 0.0, 2.0**-30, -1.0]) | st.floats(-50, 50))


_POINTS: tuple[Points, ...] = (
    st.integers(-3, 3).map(float),  # so that scores and shortfalls tie
    st.integers(-200, 200).map(float),
    st.floats(-500, 500),
    st.floats(-1e5, 1e5),
)
_WEIGHTS: tuple[Points, ...] = (st.just(1.0), st.integers(1, 3).map(float), st.floats(2.0**-30, 1000))
_COUNTS = st.integers(0, 1000).map(float) | st.floats(0, 1e6)
_STATISTICS = st.none() | st.builds(Statistics, good=_COUNTS, bad=_COUNTS, share=st.floats(0, 1), woe=st.floats(-9, 9))
_MEAN_STATISTICS = st.none() | st.builds(
    MeanStatistics, count=_COUNTS, share=st.floats(0, 1), mean=st.floats(-1e6, 1e6)
)
_CALIBRATIONS = st.builds(
    Calibration,
    slope=st.sampled_from([0.0, 1.0, 0.034657359, 50.0]) | st.floats(0, 2),
    intercept=st.just(0.0) | st.floats(-50, 50),
    link=st.sampled_from(["logit", "logit", "identity"]),
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | numbers() | texts(),
    lambda leaf: st.lists(leaf, max_size=2).map(tuple) | st.dictionaries(texts(), leaf, max_size=2).map(FrozenMapping),
    max_leaves=3,
)
_PROVENANCES = st.just(Provenance()) | st.builds(
    Provenance,
    learner=texts(),
    parameters=st.dictionaries(texts(), _JSON, max_size=2).map(FrozenMapping),
    versions=st.dictionaries(texts(), texts(), max_size=1).map(FrozenMapping),
    seed=st.none() | st.integers(0, 2**32),
    data_fingerprint=texts(),
)
