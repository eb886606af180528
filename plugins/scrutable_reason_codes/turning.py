"""Features of which neither more nor less is better throughout."""

from __future__ import annotations

from scrutable.model import Scorecard, SingleModel, TreeEnsemble, features_of, step_functions


def turns_of(model: SingleModel) -> dict[str, str]:
    """What points do as a number rises, by feature, where they neither rise nor fall throughout.

    Of trees only features that no tree asks for beside others; rules have no points by feature.

    >>> from scrutable.testing.cards import card
    >>> turns_of(card())
    {}
    """
    if isinstance(model, Scorecard):
        characteristics = model.characteristics
    elif isinstance(model, TreeEnsemble):
        steps = step_functions(model)
        beside = {name for tree in steps.trees for name in features_of(tree)}
        characteristics = tuple(each for each in steps.characteristics if each.feature not in beside)
    else:
        characteristics = ()
    return {each.feature: each.trend_in_words for each in characteristics if each.trend == "neither"}
