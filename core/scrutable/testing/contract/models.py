"""Small models of every kind, whose rows are known, for what explains and exports them."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from scrutable.certificate.edge_rows import edge_rows
from scrutable.errors import UnsupportedModel
from scrutable.model import (
    Attribute,
    Categories,
    Clause,
    Feature,
    Interval,
    Leaf,
    Missing,
    Model,
    Policy,
    Quantity,
    RegressionScorecard,
    Rule,
    RuleSet,
    Scorecard,
    Segment,
    SegmentedModel,
    Special,
    Split,
    TreeEnsemble,
)
from scrutable.model.codec import tag
from scrutable.model.trees import features_of
from scrutable.testing.cards import card
from scrutable.testing.contract.subject import Subject
from scrutable.testing.reasoned import AGE, INCOME, at_most, ensemble, policy, rules, trees

if TYPE_CHECKING:
    import pandas as pd

#: A column's name that breaks careless quoting.
HOSTILE_NAME = 'it\'s "a" `b` [c] $d\\e;%--é'
#: Texts that do, in words and categories.
HOSTILE_WORDS = "<script>alert('x')</script> =1+1 \"q\" */ -- \\ {{ x }} ${y} é 😀\nnext line"
HOSTILE_TEXTS = ("<script>", "=1+1", "'; DROP TABLE x; --", '"', "line\nbreak", "\\", " ", "é", "😀", "#{x}")


@functools.cache
def models_named() -> Mapping[str, Model]:
    """A model of each kind, by the name that descriptors accept it by; "stumps" is a tree ensemble too.

    They read the features amount, job, age, income, region and debts.

    >>> list(models_named())
    ['scorecard', 'regression-scorecard', 'stumps', 'tree-ensemble', 'rule-set', 'segmented-model']
    """
    plain = _with_special_code(card())
    return {
        "scorecard": plain,
        "regression-scorecard": _regression(plain),
        "stumps": _stumps(),
        "tree-ensemble": trees(),
        "rule-set": rules(),
        "segmented-model": _segmented(plain),
    }


def models_accepted(subject: Subject) -> dict[str, Model]:
    """The models of the kinds that a component accepts."""
    return {name: _held(subject, model) for name, model in models_named().items() if accepts(subject, model)}


def models_refused(subject: Subject) -> dict[str, Model]:
    """The models of all other kinds."""
    return {name: model for name, model in models_named().items() if not accepts(subject, model)}


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
    found: dict[str, Model] = {
        "scorecard": scorecard,
        "regression-scorecard": _regression(scorecard),
        "stumps": grown,
        "rule-set": voting,
    }
    return {name: model for name, model in found.items() if accepts(subject, model)}


def _held(subject: Subject, model: Model) -> Model:
    """The model; without reasons, then without knock-outs, where an exporter says that its files hold none."""
    if subject.component.kind != "exporter" or not isinstance(model, Scorecard | RuleSet | TreeEnsemble):
        return model
    plainer = replace(model, reasons=None)
    for tried in (model, plainer, replace(plainer, policy=Policy())):
        try:
            subject.make().export(tried)
        except UnsupportedModel:
            continue
        except Exception:  # what it raises is for the checks to tell
            return tried
        return tried
    return model


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


def _with_special_code(plain: Scorecard) -> Scorecard:
    first, *others = plain.features
    amount, *rest = plain.characteristics
    own = Attribute(condition=Special((-9,)), points=3)
    return replace(
        plain,
        features=(replace(first, special_codes=(-9,)), *others),
        characteristics=(replace(amount, attributes=(*amount.attributes, own)), *rest),
    )


def _regression(plain: Scorecard) -> RegressionScorecard:
    return RegressionScorecard(
        outcome=Quantity(target=plain.outcome.target),
        features=plain.features,
        characteristics=plain.characteristics,
        base_points=1,
    )


def _stumps() -> TreeEnsemble:
    roots = (Split(at_most("age", 20), Leaf(-1), Leaf(1)), Split(at_most("income", 5), Leaf(-2), Leaf(1)))
    return ensemble(roots, (AGE, INCOME), policy({"age": 1, "income": 0.5}, {"age": "R1", "income": "R2"}))


def _segmented(plain: Scorecard) -> SegmentedModel:
    thin = Segment(name="thin file", when=(Clause("amount", (Interval(upper=5), Missing())),), model=plain)
    thick = Segment(name="thick file", model=replace(plain, cutoff=520))
    return SegmentedModel(segments=(thin, thick), routing=(Feature(name="amount", kind="numeric"),))
