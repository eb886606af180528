"""Small models of every kind, whose rows are known, for what explains and exports them."""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import pandas as pd

from scrutable.errors import InputError, UnsupportedModel
from scrutable.model import (
    Categories,
    Clause,
    Feature,
    Interval,
    Leaf,
    Missing,
    Model,
    Quantity,
    RegressionScorecard,
    Rule,
    RuleSet,
    Scorecard,
    Segment,
    SegmentedModel,
    Split,
    TreeEnsemble,
    snap,
)
from scrutable.model.codec import tag
from scrutable.model.domain import Observed
from scrutable.model.segments import SingleModel
from scrutable.model.trees import features_of
from scrutable.proof.edges import edge_rows, edge_values
from scrutable.testing.cards import card
from scrutable.testing.contract.check import require
from scrutable.testing.contract.examples.altered import with_attributes
from scrutable.testing.contract.examples.random_models import WHOLE, drawn_models, extended_models, large_models
from scrutable.testing.contract.examples.scorecards import tied_scorecard, with_codes_of_their_own
from scrutable.testing.contract.subject import Subject
from scrutable.testing.plain import reading_no_more, without_extras
from scrutable.testing.reasoned import AGE, INCOME, at_most, ensemble, policy, rules, trees

#: Magnitudes of numbers that every engine can hold, besides 0.
_SMALLEST, _LARGEST = 1e-250, 1e250
#: A column's name that breaks careless quoting.
HOSTILE_NAME = 'it\'s "a" `b` [c] $d\\e;%--é'
#: Texts that do, in words and categories.
HOSTILE_WORDS = "<script>alert('x')</script> =1+1 \"q\" */ -- \\ {{ x }} ${y} é 😀\nnext line"
HOSTILE_TEXTS = ("<script>", "=1+1", "'; DROP TABLE x; --", '"', "line\nbreak", "\\", " ", "é", "😀", "#{x}")


@functools.cache
def models_named() -> Mapping[str, Model]:
    """A model of each kind, by the name that descriptors accept it by; "stumps" is a tree ensemble too.

    Sums of points are no short decimals, so an engine that computes in other numbers than doubles gives others.

    They read the features amount, job, age, income, region and debts.

    >>> list(models_named())
    ['scorecard', 'regression-scorecard', 'stumps', 'tree-ensemble', 'rule-set', 'segmented-model']
    """
    plain = tied_scorecard()
    return {
        "scorecard": plain,
        "regression-scorecard": _regression(plain),
        "stumps": _finer(_stumps()),
        "tree-ensemble": _finer(trees(), 3),
        "rule-set": rules(),
        "segmented-model": _segmented(plain),
    }


def models_accepted(subject: Subject) -> dict[str, Model]:
    """The models of the kinds that a component accepts, of an exporter's such as its files can hold."""
    accepted = {name: model for name, model in models_named().items() if accepts(subject, model)}
    if subject.component.kind != "exporter":
        return accepted
    return subject.once(
        "models accepted", lambda: {name: held(subject, model) or model for name, model in accepted.items()}
    )


def models_refused(subject: Subject) -> dict[str, Model]:
    """The models of all other kinds."""
    return {name: model for name, model in models_named().items() if not accepts(subject, model)}


def random_models_accepted(subject: Subject) -> dict[str, Model]:
    """The random models of the kinds that a component accepts; for an explainer without codes of single attributes.

    Those say something of several features at once, which needs a text that nobody can make up. An explainer gets those
    with interactions, score adjustments, overrides and grades too, as far as it does not refuse them by name.
    """
    if subject.component.kind != "explainer":
        return {name: model for name, model in drawn_models().items() if accepts(subject, model)}
    accepted = {name: model for name, model in _drawn_without_attribute_codes().items() if accepts(subject, model)}
    return accepted | subject.once("models with all parts", lambda: _with_all_parts(subject))


def _with_all_parts(subject: Subject) -> dict[str, Model]:
    """Models with interactions, score adjustments, overrides and grades, that an explainer does not refuse by name.

    Where it refuses a scorecard that has all of them, there are those with one part each that it does not refuse.
    """
    models = {name: _each_part(model, _without_attribute_codes) for name, model in extended_models().items()}
    explained = {name: model for name, model in models.items() if accepts(subject, model) and _explains(subject, model)}
    whole = {type(model) for name, model in explained.items() if name.endswith(WHOLE)}
    return {name: model for name, model in explained.items() if name.endswith(WHOLE) or type(model) not in whole}


def _explains(subject: Subject, model: Model) -> bool:
    """Whether an explainer does not refuse a model by name; what else it raises is for the checks to tell."""
    rows = applicants_of(model).iloc[:1]
    for reference in (rows, None):
        try:
            subject.make().explain(model, rows, reference=reference)
        except UnsupportedModel:
            return False
        except InputError:  # it takes no reference, or asks for one
            continue
        except Exception:
            return True
    return True


@functools.cache
def _drawn_without_attribute_codes() -> Mapping[str, Model]:
    return {name: _each_part(model, _without_attribute_codes) for name, model in drawn_models().items()}


def random_models_held(subject: Subject) -> dict[str, Model]:
    """The random models that an exporter accepts, plainer ones where it says that its files cannot hold them.

    Raises
    ------
    Fault : it refuses them all, whatever is taken from them.
    """
    return subject.once("random models held", lambda: _random_models_held(subject))


def _random_models_held(subject: Subject) -> dict[str, Model]:
    drawn = {**random_models_accepted(subject), **large_models(), **extended_models()}
    tried = {name: held(subject, model) for name, model in drawn.items() if accepts(subject, model)}
    models = {name: model for name, model in tried.items() if model is not None}
    hint = "accept only what the files can hold, or hold one of the random models of the checks"
    require(models, "it refuses every random model of the kinds that it accepts", got=list(tried), hint=hint)
    return models


def one_of_each_kind(models: Mapping[str, Model]) -> dict[str, Model]:
    """The first model of each class, by name."""
    first = {type(model): name for name, model in reversed(list(models.items()))}
    return {name: model for name, model in models.items() if name in first.values()}


def hostile_models(subject: Subject, *, names: bool = True, words: bool = True) -> dict[str, Model]:
    """Models that a component accepts, where names of columns, or words and categories, break careless quoting."""
    amount, job = (HOSTILE_NAME, "select") if names else ("amount", "job")
    categories, label = (HOSTILE_TEXTS, HOSTILE_WORDS) if words else (("cook",), "words")
    scorecard = card(amount=amount, job=job, categories=categories, words=label)
    low, named = Clause(amount, (Interval(upper=10), Missing())), Clause(job, (Categories(categories),))
    voting = RuleSet(
        outcome=scorecard.outcome,
        features=scorecard.features,
        rules=(Rule(when=(low, named), outcome="bad", label=label),),
        fallback=(Rule(when=(), outcome="good"),),
        policy=scorecard.policy,
        reasons=policy({}, {amount: "R1", job: "R2"}),
    )
    grown = TreeEnsemble(
        outcome=scorecard.outcome,
        features=scorecard.features,
        trees=(Split(low, Leaf(-1, label), Leaf(1)), Split(named, Leaf(-1), Leaf(2))),
        base_score=0,
        cutoff=0,
        calibration=scorecard.calibration,
        policy=scorecard.policy,
        reasons=policy({amount: 1, job: 2}, {amount: "R1", job: "R2"}),
    )
    models: dict[str, Model] = {
        "scorecard": scorecard,
        "regression-scorecard": _regression(scorecard),
        "stumps": grown,
        "rule-set": voting,
    }
    return {name: model for name, model in models.items() if accepts(subject, model)}


def held(subject: Subject, model: Model) -> Model | None:
    """The model, or the first plainer one that an exporter holds where it says that its files cannot hold this.

    None where it refuses them all; what an export raises beside that is for the checks to tell.
    """
    for tried in (model, *_plainer(model)):
        try:
            subject.make().export(tried)
        except UnsupportedModel:
            continue
        except Exception:
            return tried
        return tried
    return None


def _plainer(model: Model) -> Iterator[Model]:
    """Segments of one kind alone; the model without shared reason codes, then reasons, then knock-outs too.

    After that the same without interactions, score adjustments, overrides and grades: an exporter is asked first
    whether it holds these alone.
    """
    whole = [model, *_of_one_kind(model)]
    yield from whole[1:]
    yield from _each_plainer(whole)
    plain = [_each_part(each, without_extras) for each in whole]
    if plain != whole:
        yield from plain
        yield from _each_plainer(plain)


def _each_plainer(models: list[Model]) -> Iterator[Model]:
    for simpler in (_with_own_codes, _without_reasons, _without_knock_outs):
        models = [_each_part(each, simpler) for each in models]
        yield from models


def _of_one_kind(model: Model) -> Iterator[Model]:
    """For each kind of model in segments, those segments alone."""
    for kind in dict.fromkeys(type(each.model) for each in getattr(model, "segments", ())):
        assert isinstance(model, SegmentedModel)
        kept = [each for each in model.segments if type(each.model) is kind]
        if 1 < len(kept) < len(model.segments):
            last = replace(kept[-1], when=())
            read = {clause.feature for each in kept[:-1] for clause in each.when}
            routing = tuple(each for each in model.routing if each.name in read)
            yield replace(model, segments=(*kept[:-1], last), routing=routing)


def _each_part(model: Model, change: Callable[[SingleModel], SingleModel]) -> Model:
    """The model with a change in it, or in each of its segments."""
    if isinstance(model, SegmentedModel):
        return replace(model, segments=tuple(replace(each, model=change(each.model)) for each in model.segments))
    return model if isinstance(model, RegressionScorecard) else change(model)


def _without_attribute_codes(model: SingleModel) -> SingleModel:
    if not isinstance(model, Scorecard):
        return model
    return with_attributes(model, lambda _, one: replace(one, reason_code=None))


def _with_own_codes(model: SingleModel) -> SingleModel:
    return with_codes_of_their_own(model) if isinstance(model, Scorecard) and model.reasons else model


def _without_reasons(model: SingleModel) -> SingleModel:
    return replace(model, reasons=None)


def _without_knock_outs(model: SingleModel) -> SingleModel:
    return reading_no_more(model, replace(model.policy, knock_outs=()))


def kinds_of(model: Model) -> set[str]:
    """The names by which descriptors accept a model.

    >>> sorted(kinds_of(models_named()["stumps"]))
    ['stumps', 'tree-ensemble']
    """
    kinds = {tag(type(model))}
    if isinstance(model, TreeEnsemble) and all(len(features_of(tree)) < 2 for tree in model.trees):
        kinds.add("stumps")
    return kinds


def accepts(subject: Subject, model: Model) -> bool:
    """Whether its descriptor says that it takes the model."""
    return bool(kinds_of(model) & set(subject.component.accepts))


def applicants_of(model: Model, n_random: int = 20) -> pd.DataFrame:
    """Rows with every edge value, missing, special, unseen and infinite ones among them, and some drawn at random."""
    return edge_rows(model, n_random=n_random)


def ordinary_applicants_of(model: Model, n_random: int = 20) -> pd.DataFrame:
    """Rows of ordinary values, which every engine can hold: missing, special and unseen values are among them.

    Infinities, numbers next to 0 or to the largest double, and texts that are blank, begin or end with blanks or cannot
    be printed are not.
    """
    values = {name: [each for each in pool if _is_ordinary(each)] for name, pool in edge_values(model).items()}
    first = {name: next(value for value in pool if value is not None) for name, pool in values.items()}
    rows = [{**first, name: value} for name, pool in values.items() for value in pool]
    chance = random.Random(0)
    held = next(iter(first))  # a row without any value may be no row to an engine
    drawn = ({name: chance.choice(pool) for name, pool in values.items()} for _ in range(n_random))
    rows += [{**row, held: first[held]} for row in drawn]
    dtypes = {feature.name: float if feature.kind == "numeric" else object for feature in model.features}
    columns = {name: pd.Series([row[name] for row in rows], dtype=dtypes[name]) for name in values}
    return pd.DataFrame(columns)


def _is_ordinary(value: Observed) -> bool:
    if isinstance(value, str):
        return value.isprintable() and value == value.strip() != ""
    return value is None or math.isnan(value) or value == 0 or _SMALLEST <= abs(value) <= _LARGEST


def _regression(plain: Scorecard) -> RegressionScorecard:
    return RegressionScorecard(
        outcome=Quantity(target=plain.outcome.target),
        features=plain.features,
        characteristics=plain.characteristics,
        base_points=1 / 7,
    )


def _finer(model: TreeEnsemble, cutoff: float = 0) -> TreeEnsemble:
    """Move the trees' scores and cutoff off the integers; some scores equal the cutoff."""
    return replace(model, base_score=0.1, cutoff=snap(0.1) + cutoff)


def _stumps() -> TreeEnsemble:
    roots = (Split(at_most("age", 20), Leaf(-1), Leaf(1)), Split(at_most("income", 5), Leaf(-2), Leaf(1)))
    return ensemble(roots, (AGE, INCOME), policy({"age": 1, "income": 0.5}, {"age": "R1", "income": "R2"}))


def _segmented(plain: Scorecard) -> SegmentedModel:
    thin = Segment(name="thin file", when=(Clause("amount", (Interval(upper=5), Missing())),), model=plain)
    thick = Segment(name="thick file", model=replace(plain, cutoff=520))
    return SegmentedModel(segments=(thin, thick), routing=(Feature(name="amount", kind="numeric"),))
