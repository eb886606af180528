"""Checks of learners that produce alternatives, which is to say override `vary`: a search can rely on them."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from scrutable.errors import InputError, ScrutableError
from scrutable.model.evaluator import evaluate
from scrutable.plugins.bases import Learner
from scrutable.plugins.bases.alternative import BASELINE, Alternative
from scrutable.plugins.component import Component
from scrutable.plugins.registry import registry
from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.estimators.biting import CONSTRAINTS, unequal
from scrutable.testing.contract.estimators.options import approves
from scrutable.testing.contract.estimators.set_later import values_of_options
from scrutable.testing.contract.examples.data import TrainingSample, fit, learns_classes, sample_for
from scrutable.testing.contract.examples.known_payers import has_option
from scrutable.testing.contract.results import bare, content
from scrutable.testing.contract.subject import Subject
from scrutable.testing.contract.unchanged import changed_state, state_of

RATE = 0.5
#: How far scores by one recipe may be apart, in shares of their range, where boosters break ties by place.
_OTHER = 0.1


def makes_them(component: Component) -> bool:
    return "alternatives" in component.produces


@deciding("learner", hint="name alternatives in produces of the Component if its class overrides vary")
def the_alternatives_it_makes_are_declared(subject: Subject) -> None:
    """Its descriptor produces `alternatives` exactly if its class makes any."""
    if not learns_classes(subject):
        return
    loaded, declared = subject.load(), makes_them(subject.component)
    made = loaded.vary is not Learner.vary or loaded.alternatives is not Learner.alternatives
    require(made or not declared, "it produces alternatives, and does not override vary")
    require(declared or not made, "it overrides vary, and its descriptor does not produce alternatives")


@deciding("learner", of=makes_them, hint="let vary yield first what learn gives without constraints")
def alternatives_begin_with_the_baseline(subject: Subject) -> None:
    """The first alternative is called baseline, and is the model that fit gives without a constraint."""
    first, *others = _alternatives(subject)
    require(first.method == BASELINE, "the first alternative is no baseline", got=first.method)
    again = [each.name for each in others if each.method == BASELINE]
    require(not again, "the baseline comes more than once", got=again)
    learner, sample = varied_learner(subject), unequal("f")
    if has_option(subject, "constraints"):
        learner.set_params(constraints=())
    fitted = learner.fit(sample.X, sample.y, sensitive_features=sample.sensitive_features)
    free, what = content(fitted), "than fit gives without a constraint"
    require(bare(first.model) == free, f"the baseline is another model {what}")
    for kind in subject.component.accepts:
        name, options = CONSTRAINTS[kind][0]
        bound = varied_learner(subject).set_params(constraints=[registry().create("constraint", name, **options)])
        try:
            baseline = next(iter(bound.alternatives(sample.X, sample.y, sensitive_features=sample.sensitive_features)))
        except InputError:  # it sets its bounds itself
            continue
        require(
            bare(baseline.model) == free, f"where the learner has a constraint the baseline is another model {what}"
        )


@deciding("learner", of=makes_them, hint="make every alternative with all options of the learner, as learn does")
def the_baseline_has_every_option(subject: Subject) -> None:
    """Under each option the baseline is the model that fit gives with it, on its scale and at its cutoff."""
    sample = sample_for(subject)
    for options in values_of_options(subject):
        if "constraints" in options:
            continue
        try:
            wanted = content(fit(subject.make(**options), sample))
        except (ScrutableError, TypeError, ValueError):
            continue
        made = subject.make(**options).alternatives(sample.X, sample.y, sensitive_features=sample.sensitive_features)
        try:
            first = next(iter(made))
        except InputError:  # it makes none with this option
            continue
        require(bare(first.model) == wanted, "the baseline is another model than fit gives", got=options)


@deciding("learner", of=makes_them, hint="keep each recipe beside the model that is made by it")
def recipes_name_what_their_models_are(subject: Subject) -> None:
    """With columns in another order each recipe gives the same scores: it names columns, not places of columns."""
    sample = unequal("f")
    turned = replace(sample, X=sample.X[sample.X.columns[::-1]])
    made = []
    for each in (sample, turned):
        learner = varied_learner(subject)
        alternatives = learner.alternatives(each.X, each.y, sensitive_features=each.sensitive_features)
        made.append({repr((one.method, one.parameters)): evaluate(one.model, sample.X).score for one in alternatives})
    for recipe in sorted(set(made[0]) & set(made[1])):
        ours, theirs = (np.asarray(scores[recipe], dtype=float) for scores in made)
        far = float(np.abs(ours - theirs).max() / max(float(np.ptp(ours)), 1e-9))
        told = f"the recipe {recipe} is another model where columns stand otherwise"
        require(far < _OTHER, told, got=f"scores {far:.3g} of their range apart")


@deciding("learner", of=makes_them, hint="seed every draw of vary from an option")
def alternatives_are_deterministic(subject: Subject) -> None:
    """Asked twice, it makes the same alternatives in the same order, and stays as it was."""
    learner = varied_learner(subject)
    before = state_of(learner)
    first = [(each.name, bare(each.model)) for each in _made(learner)]
    np.random.random_sample()
    require(
        first == [(each.name, bare(each.model)) for each in _made(learner)], "asked twice it makes other alternatives"
    )
    change = changed_state(before, state_of(learner))
    require(not change, "making alternatives changes the learner", got=change)


@deciding("learner", of=makes_them, hint="vary what makes groups differ: bounds, inputs, thresholds")
def alternatives_differ(subject: Subject) -> None:
    """Where groups differ there are alternatives beside the baseline that decide otherwise about somebody."""
    alternatives = [_alternatives(subject)]
    if "rate" in subject.component.accepts:  # bounds may be what it varies
        bound = registry().create("constraint", "demographic-parity", slack=0.05)
        alternatives.append(_made(varied_learner(subject).set_params(constraints=[bound])))
    approved = {evaluate(each.model, unequal("f").X).approved.tobytes() for each in chain(*alternatives)}
    require(len(approved) > 1, "all alternatives approve the same applicants")
    names = [each.name for each in _alternatives(subject)]
    require(len(set(names)) == len(names), "two alternatives have one name", got=names)


@deciding("learner", of=makes_them, hint="cut every alternative by approval_rate")
def alternatives_approve_what_is_asked(subject: Subject) -> None:
    """With an `approval_rate` every alternative approves that share of the rows of fit, and no more than ties."""
    sample = unequal("f")
    for each in _alternatives(subject) if has_option(subject, "approval_rate") else ():
        evaluation = evaluate(each.model, sample.X)
        share = float(np.mean(evaluation.approved))
        fault = f"with approval_rate={RATE:g} the alternative {each.name!r} approves another share"
        require(approves(evaluation, RATE), fault, got=share)


def varied_learner(subject: Subject) -> Any:
    """The learner, unfitted, with an approval rate."""
    return subject.make(**({"approval_rate": RATE} if has_option(subject, "approval_rate") else {}))


def _alternatives(subject: Subject) -> list[Alternative]:
    learner = varied_learner(subject)
    return subject.once("alternatives", lambda: _made(learner))


def _made(learner: Any) -> list[Alternative]:
    sample: TrainingSample = unequal("f")
    alternatives = list(learner.alternatives(sample.X, sample.y, sensitive_features=sample.sensitive_features))
    require(alternatives, "it makes no alternative, not even the baseline")
    return alternatives
