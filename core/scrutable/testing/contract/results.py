"""What a component makes, as text: two results are the same if these are, in this process and in another."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from scrutable.model import Model, Provenance, SegmentedModel, dumps
from scrutable.model.store import dumps_evidence
from scrutable.plugins.component import Kind
from scrutable.testing.contract.examples.data import fit, sample_for, with_special_codes
from scrutable.testing.contract.examples.models import applicants_of, models_accepted
from scrutable.testing.contract.explainers.explaining import reference_for
from scrutable.testing.contract.subject import Subject


def results(subject: Subject) -> dict[str, str]:
    """What it makes of the data or models of the checks, made anew; each result by what it is."""
    return _RESULTS[subject.component.kind](subject)


def results_of(subject: Subject) -> dict[str, str]:
    """What it makes of the data or models of the checks, made once for all of them."""
    return subject.once("results", lambda: results(subject))


def learned(estimator: Any) -> dict[str, str]:
    """What a fitted estimator has learned."""
    if hasattr(estimator, "binning_"):
        return {"the binning": json.dumps(plain(estimator.binning_.to_json()))}
    return {"the model": dumps(estimator.model_), "the evidence": dumps_evidence(estimator.evidence_)}


def content(estimator: Any) -> str:
    """What a fitted estimator has learned, without where it comes from."""
    if hasattr(estimator, "binning_"):
        return repr(estimator.binning_)
    return bare(estimator.model_)


def bare(model: Model) -> str:
    """A model as text, without where it and its segments come from."""
    if isinstance(model, SegmentedModel):
        parts = tuple(replace(each, model=replace(each.model, provenance=Provenance())) for each in model.segments)
        model = replace(model, segments=parts)
    return dumps(replace(model, provenance=Provenance()))


def plain(value: Any) -> Any:
    """Frozen values as `json` writes them."""
    if hasattr(value, "items"):
        return {str(key): plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def _of_estimators(subject: Subject) -> dict[str, str]:
    return learned(fit(subject.make(**with_special_codes(subject)), sample_for(subject)))


def _of_constraints(subject: Subject) -> dict[str, str]:
    from scrutable.fairness import Groups

    sample = sample_for(subject)
    bounds = subject.make().bind((sample.y == "good").to_numpy(), Groups.from_frame(sample.sensitive_features))
    return {"the bounds": repr(bounds)}


def _of_explainers(subject: Subject) -> dict[str, str]:
    texts = {}
    for name, model in models_accepted(subject).items():
        rows = applicants_of(model)
        found_here = subject.make().explain(model, rows, reference=reference_for(subject, model))
        told = [each.to_dict() for each in found_here]
        texts[f"the explanations of a {name}"] = json.dumps(told)
    return texts


def _of_exporters(subject: Subject) -> dict[str, str]:
    digests = {}
    for model_name, model in models_accepted(subject).items():
        for file, content in subject.make().export(model).files.items():
            text = content.encode() if isinstance(content, str) else content
            digests[f"the file {file!r} of a {model_name}"] = hashlib.sha256(text).hexdigest()
    return digests


_RESULTS: dict[Kind, Callable[[Subject], dict[str, str]]] = {
    "binner": _of_estimators,
    "learner": _of_estimators,
    "constraint": _of_constraints,
    "explainer": _of_explainers,
    "exporter": _of_exporters,
}
