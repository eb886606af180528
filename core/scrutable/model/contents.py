"""A model as one whole, its segments too: what it asks and reads, what it gives, and who belongs where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from scrutable.data.features import Feature, Kind, Value
from scrutable.model.additive import Additive
from scrutable.model.conditions import Clause
from scrutable.model.policy_words import exception_in_words
from scrutable.model.reasons import number_of_reasons
from scrutable.model.regression import RegressionScorecard
from scrutable.model.rules import RuleSet
from scrutable.model.segments import Model, SegmentedModel, SingleModel
from scrutable.model.trees import TreeEnsemble, splits

#: What the results of every segment's model mean alike, in the order of `Evaluation.frame()`.
_ORDER = (
    *("score", "probability", "approved", "knock_out", "override", "adjustment", "grade"),
    *("predicted", "reason", "short", "rules"),
)


def clauses_of(model: SingleModel | RegressionScorecard) -> Iterator[Clause]:
    """Every clause that a model asks: those of its policy first, then those of its rules or trees in their order.

    Conditions of a scorecard's attributes are no clauses, and those that route to segments are not the models' own.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> [clause.feature for clause in clauses_of(models_named()["stumps"])]
    ['income', 'age', 'income']
    """
    if isinstance(model, RegressionScorecard):
        return
    for of_policy in model.policy.rules:
        yield from of_policy.when
    if isinstance(model, RuleSet):
        for rule in (*model.rules, *model.fallback):
            yield from rule.when
    elif isinstance(model, TreeEnsemble):
        for tree in model.trees:
            yield from (split.when for split in splits(tree))


def features_read(model: Model) -> tuple[Feature, ...]:
    """A feature for each column that a model reads.

    Segments share columns but not always special codes or observed values: such a feature has those of all segments
    here, for people and for what tells unusual inputs.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> [feature.name for feature in features_read(models_named()["segmented-model"])]
    ['amount', 'job', 'region', 'age']
    """
    features: dict[str, Feature] = {}
    for feature in model.features:
        known = features.setdefault(feature.name, feature)
        codes = tuple(dict.fromkeys((*known.special_codes, *feature.special_codes)))
        label, observed = known.label or feature.label, _observed(known, feature)
        features[feature.name] = replace(known, special_codes=codes, label=label, observed=observed)
    return tuple(features.values())


def titles_of(model: SingleModel | RegressionScorecard) -> dict[str, str]:
    """What people call each feature of a model, and each of its interactions.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> titles_of(models_named()["stumps"])
    {'age': 'Age', 'income': 'Income'}
    """
    by_name = {feature.name: feature for feature in model.features}
    tables = model.interactions if isinstance(model, Additive) else ()
    return {name: feature.title for name, feature in by_name.items()} | {
        each.name: each.title(by_name) for each in tables
    }


def texts_of(*models: Model) -> list[str]:
    """The columns that any of the models reads as text, each once: what `read_file` takes as `text`.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> texts_of(*models_named().values())
    ['job']
    """
    return _columns_of(models, "categorical")


def numbers_of(*models: Model) -> list[str]:
    """The columns that any of the models reads as numbers, and none as text: what `read_file` takes as `numbers`.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> numbers_of(models_named()["stumps"])
    ['age', 'income']
    """
    texts = texts_of(*models)
    return [name for name in _columns_of(models, "numeric") if name not in texts]


def results_of_segments(results: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """The results of a segmented model, from those of its segments' models.

    Points are not among them, since two segments may give the same characteristic points on scales of their own, and
    neither are votes by class. An applicant whose segment has no such result has none.

    Examples
    --------
    >>> two = ["score", "probability", "approved", "knock_out"]
    >>> results_of_segments([[*two, "points_age", "reason_1", "short_1"], [*two, "rules"]])
    ('segment', 'score', 'probability', 'approved', 'knock_out', 'reason_1', 'short_1', 'rules')
    >>> results_of_segments([["score_0", "score_1", "score_2", "probability_0", "probability_1", "predicted", "rules"]])
    ('segment', 'probability_0', 'probability_1', 'predicted', 'rules')
    """
    distinct = dict.fromkeys(name for names in results for name in names if not name.startswith(("points_", "score_")))
    return ("segment", *sorted(distinct, key=_place))


def reasons_by_segment(model: SegmentedModel, asked: int | None) -> tuple[int, ...]:
    """How many reasons each segment's model gives, at most as many as are asked of the whole; None is all of them.

    Raises
    ------
    UnsupportedModel : no segment gives so many.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> reasons_by_segment(models_named()["segmented-model"], None)
    (3, 3)
    """
    policies = [segment.model.reasons for segment in model.segments]
    widest = max((policy for policy in policies if policy), key=lambda policy: policy.k, default=None)
    most = number_of_reasons(widest, asked)
    return tuple(min(most, policy.k) if policy else 0 for policy in policies)


def routing_in_words(model: SegmentedModel) -> list[str]:
    """A line for each segment: who belongs to it, and its cutoff.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> routing_in_words(models_named()["segmented-model"])[1]
    "Segment 2, 'thick file': everybody else; approved at a score of at least 520.0 without a knock-out."
    """
    lines = []
    for position, segment in enumerate(model.segments, 1):
        cutoff = segment.model.cutoff
        exception = exception_in_words(segment.model)
        approved = f"; approved at a score of at least {cutoff!r} without a knock-out{exception}"
        decision = "" if cutoff is None else approved
        lines.append(f"Segment {position}, {segment.name!r}: {segment.describe()}{decision}.")
    return lines


def _observed(one: Feature, other: Feature) -> tuple[Value, ...]:
    """What two features of one column observed between them."""
    if one.limits is None or other.limits is None:
        every = one.observed + other.observed
        return tuple(dict.fromkeys(every)) if one.kind == "categorical" else every
    return min(one.limits[0], other.limits[0]), max(one.limits[1], other.limits[1])


def _place(name: str) -> tuple[int, int]:
    kind, _, number = name.rpartition("_")
    return (_ORDER.index(kind), int(number)) if number.isdecimal() else (_ORDER.index(name), 0)


def _columns_of(models: Iterable[Model], kind: Kind) -> list[str]:
    """The columns that any of the models reads as of a kind, each once."""
    every = (feature for model in models for feature in model.features)
    return list(dict.fromkeys(feature.name for feature in every if feature.kind == kind))
