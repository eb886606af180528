"""How far each feature falls short by trees: its own points, and what each leaf of several features adds for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scrutable.model import (
    Clause,
    Feature,
    LeafEffects,
    Path,
    ReasonedTrees,
    StepFunctions,
    TreeEnsemble,
    number_of_reasons,
    paths,
    reasoned_trees,
)
from scrutable_sql import common
from scrutable_sql.conditions import clause
from scrutable_sql.dialects import Dialect
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Case, Column, Rung, joined
from scrutable_sql.quoting import comment, number
from scrutable_sql.ranking import Ranking
from scrutable_sql.shortfalls import FallingShort

#: With more splits, or more than half of the columns that the engine has, none has a column of its own.
MOST_SPLITS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeReasons:
    """The columns that the reasons of a tree ensemble add; none where no reasons are asked for.

    Parameters
    ----------
    splits : columns of 1 where a clause of a tree that is left holds, else 0.
    effects : columns that add up what leaves add for a feature.
    shortfalls : of each feature.
    """

    splits: tuple[Column, ...]
    effects: tuple[Column, ...]
    shortfalls: tuple[Column, ...]
    falling_short: FallingShort

    @classmethod
    def of(
        cls, model: TreeEnsemble, functions: StepFunctions, alone: dict[str, str], options: SQLOptions
    ) -> TreeReasons:
        """Rank features by their effects in the trees, with as many reasons as the options ask for.

        Parameters
        ----------
        alone : the column of each characteristic's points.

        Raises
        ------
        UnsupportedModel : more reasons are asked for than the model gives, or more codes are than keys can tell.
        """
        k, policy = number_of_reasons(model.reasons, options.reasons), model.reasons
        features = {feature.name: feature for feature in model.features}
        if not k or policy is None:
            nothing = FallingShort.of(None, Ranking.none(options), features)
            return cls(splits=(), effects=(), shortfalls=(), falling_short=nothing)
        reasoned = reasoned_trees(policy, functions)
        ranking = Ranking.of(
            policy,
            [code for code, features_of_code in policy.features().items() if features_of_code],
            _numbers(functions, reasoned),
            _largest(functions, reasoned),
            k=k,
            cutoff=model.cutoff if model.policy.knock_outs else None,
            about="points short",
            options=options,
        )
        falling_short = FallingShort.of(policy, ranking, features)
        asked = _Asked.of(functions, features, options.target)
        effects, shortfalls = [], []
        for i, (feature, start) in enumerate(reasoned.starts.items(), 1):
            terms = list(_terms(feature, functions, reasoned, asked))
            title = features[feature].title
            columns = common.sums(terms, f"effects_{i}", options.target, comment(f"what leaves add for {title}"))
            effects += columns
            added = [*([alone[feature]] if feature in alone else []), *(column.name for column in columns)]
            less = f" - ({joined(added, ' + ')})" if added else ""
            shortfalls.append(falling_short.shortfall(feature, number(start, options.target) + less))
        return cls(
            splits=asked.columns if effects else (),
            effects=tuple(effects),
            shortfalls=tuple(shortfalls),
            falling_short=falling_short,
        )


@dataclass(frozen=True, slots=True)
class _Asked:
    """Whether clauses hold: columns, or where those would be too many the clauses themselves.

    Parameters
    ----------
    columns : one a clause, or none.
    holds : for each clause, what is 1 where it holds, else 0.
    """

    columns: tuple[Column, ...]
    holds: dict[Clause, str]
    features: dict[str, Feature]
    d: Dialect

    @classmethod
    def of(cls, functions: StepFunctions, features: dict[str, Feature], d: Dialect) -> _Asked:
        clauses = dict.fromkeys(step for tree in functions.trees for _, path in paths(tree) for step, _ in path)
        tests = {each: Case((Rung(clause(each, features, d), "1"),), "0") for each in clauses}
        if len(clauses) > min(MOST_SPLITS, d.max_columns // 2):
            inline = {each: f"(CASE WHEN {case.rungs[0].when} THEN 1 ELSE 0 END)" for each, case in tests.items()}
            return cls((), inline, features, d)
        columns = [
            Column(case, f"holds_{i}", note=comment(each.describe(features[each.feature].title)))
            for i, (each, case) in enumerate(tests.items(), 1)
        ]
        names = {each: column.name for each, column in zip(clauses, columns, strict=True)}
        return cls(tuple(columns), names, features, d)

    def met(self, path: Path, feature: str) -> str:
        """Whether a row has all that a path asks of a feature."""
        steps = dict.fromkeys((self.holds[each], wanted) for each, wanted in path if each.feature == feature)
        return joined([f"{holds} = {int(wanted)}" for holds, wanted in steps], " AND ")


def _terms(feature: str, functions: StepFunctions, reasoned: ReasonedTrees, asked: _Asked) -> Iterator[str | Case]:
    """What each leaf that has the feature on its path adds for it, unless that is always 0."""
    for tree, effects in enumerate(reasoned.effects, 1):
        for leaf, (effect, (_, path)) in enumerate(zip(effects, paths(functions.trees[tree - 1]), strict=True), 1):
            if feature in effect.features:
                term = _effect(effect, effect.features.index(feature), path, asked, f"leaf {leaf} of tree {tree}")
                if term != "0":
                    yield term


def _effect(
    effect: LeafEffects, position: int, path: Path, asked: _Asked, leaf: str, asking: int = 0, met: int = 0
) -> str | Case:
    """The effect by which features have what the leaf asks of them, from the feature that is asking on."""
    if asking == len(effect.features):
        return number(effect.values[met][position], asked.d)
    held = _effect(effect, position, path, asked, leaf, asking + 1, met | 1 << asking)
    otherwise = _effect(effect, position, path, asked, leaf, asking + 1, met)
    if held == otherwise:
        return held
    feature = effect.features[asking]
    note = comment(f"{asked.features[feature].title} as {leaf} asks")
    return Case((Rung(asked.met(path, feature), held, note),), otherwise)


def _numbers(functions: StepFunctions, reasoned: ReasonedTrees) -> Iterator[float]:
    yield from reasoned.starts.values()
    yield from (attribute.points for item in functions.characteristics for attribute in item.attributes)
    yield from (value for tree in reasoned.effects for leaf in tree for row in leaf.values for value in row)


def _largest(functions: StepFunctions, reasoned: ReasonedTrees) -> float:
    """No feature falls further short."""
    largest = {feature: abs(start) for feature, start in reasoned.starts.items()}
    for item in functions.characteristics:
        largest[item.feature] += max(abs(attribute.points) for attribute in item.attributes)
    for leaf in (leaf for tree in reasoned.effects for leaf in tree):
        for feature in leaf.features:
            largest[feature] += leaf.largest(feature)
    return max(largest.values(), default=0.0)
