"""A model with other labels of its features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from scrutable.data.features import Feature
from scrutable.data.values import FrozenMapping
from scrutable.model.contents import titles_of
from scrutable.model.evidence import Evidence
from scrutable.model.regression import RegressionScorecard
from scrutable.model.segments import DecisionModel, SegmentedModel
from scrutable.model.store import fingerprint

M = TypeVar("M", bound=DecisionModel | RegressionScorecard)


def with_labels(model: M, labels: Mapping[str, str]) -> M:
    """The model whose features are called so.

    Reasons that were called as a feature was are called as it is now; other texts stay.

    Parameters
    ----------
    labels : by feature; those of columns that the model does not read are passed over.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import load_german_credit
    >>> german = load_german_credit()
    >>> fitted = create("learner", "scorecard").fit(german.X[["duration_months"]], german.y)
    >>> model = with_labels(fitted.model_, {"duration_months": "Term (months)", "other": "Other"})
    >>> model.features[0].title, dict(model.reasons.texts)
    ('Term (months)', {'R01': 'Term (months)'})
    """
    changed: M = _labelled(model, labels)
    return changed


def labelled(model: M, evidence: Evidence, labels: Mapping[str, str]) -> tuple[M, Evidence]:
    """The model as of `with_labels`, and the evidence of that model."""
    changed = with_labels(model, labels)
    return changed, replace(evidence, model_sha256=fingerprint(changed))


def _labelled(model: Any, labels: Mapping[str, str]) -> Any:
    def of(features: tuple[Feature, ...]) -> tuple[Feature, ...]:
        return tuple(replace(each, label=labels.get(each.name, each.label)) for each in features)

    if isinstance(model, SegmentedModel):
        segments = tuple(replace(each, model=_labelled(each.model, labels)) for each in model.segments)
        return replace(model, segments=segments, routing=of(model.routing))
    changed = replace(model, features=of(model.features))
    policy = getattr(model, "reasons", None)
    if policy is None:
        return changed
    before, after = titles_of(model), titles_of(changed)
    words = {code: {before[name] for name in names} for code, names in policy.features().items()}
    now = {code: after[name] for code, names in policy.features().items() for name in names}
    texts = {code: now[code] if words.get(code) == {text} else text for code, text in policy.texts.items()}
    return replace(changed, reasons=replace(policy, texts=FrozenMapping(texts)))
