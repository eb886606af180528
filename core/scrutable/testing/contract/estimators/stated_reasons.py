"""Checks of reasons that learners state, and whether a reason is told by the name of another feature."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from scrutable.model import Model, ReasonPolicy
from scrutable.testing.contract.check import Fault, check, require
from scrutable.testing.contract.examples.data import fit, sample_for
from scrutable.testing.contract.subject import Subject


@check(
    "learner",
    hint="look each text up by its code, or leave reasons to an explainer: scrutable.plugins.bases.add_reasons",
)
def reasons_that_it_states_are_of_their_features(subject: Subject) -> None:
    """Where its models state reasons, each feature has its own text, whatever the order of the columns is."""
    sample, told = sample_for(subject), []
    for X in (sample.X, sample.X[sample.X.columns[::-1]]):
        model = fit(subject.make(), replace(sample, X=X)).model_
        for policy in [getattr(each, "reasons", None) for each in model.parts]:
            if policy is None:
                return
            for feature, text in misnamed(policy, model):
                raise Fault(f"the reason of {feature!r} names another feature", got=text)
            told.append({feature: policy.texts[code] for feature, code in policy.codes.items()})
    first, *others = told
    require(
        all(each == first for each in others), "in another order of the columns features have other reasons", got=told
    )


def misnamed(policy: ReasonPolicy, model: Model) -> Iterator[tuple[str, str]]:
    """Features and interactions whose text holds the title of another feature, as words, and of none of their own.

    Those of their own are the features with the same code, and of an interaction its two features.
    """
    titles = {feature.name: feature.title.casefold() for feature in model.features}
    both = {each.name: each.features for each in getattr(model, "interactions", ())}
    for name, code in policy.codes.items():
        text = policy.texts[code].casefold()
        named = {key for key, title in titles.items() if re.search(rf"\b{re.escape(title)}\b", text)}
        if named and not any(policy.codes.get(key) == code or key in both.get(name, ()) for key in named):
            yield name, policy.texts[code]
