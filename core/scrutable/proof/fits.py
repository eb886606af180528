"""Fit certificates: the same model, to the last byte, learned from rows that live in several places."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any, Self

from sklearn.base import clone

from scrutable.errors import InputError
from scrutable.model import dumps, dumps_evidence
from scrutable.model.codec import encode
from scrutable.plugins.bases import Learner, RegressionLearner


@dataclass(frozen=True, slots=True, kw_only=True)
class FitRun:
    """One fit.

    Parameters
    ----------
    place : where the rows are, in the words of whoever asked.
    data : fingerprint of the rows: of what inputs, outcomes, weights and groups hold, in whatever order.
    plan : SHA-256 of the learner, its parameters, its seed and the versions of libraries.
    model, evidence : SHA-256 of the files.
    """

    place: str
    data: str
    plan: str
    model: str
    evidence: str

    @classmethod
    def of(cls, place: str, learner: Learner | RegressionLearner) -> Self:
        """That of a learner which was fitted."""
        origin = learner.model_.provenance
        told = json.dumps(encode(replace(origin, data_fingerprint="")), sort_keys=True, ensure_ascii=False)
        texts = told, dumps(learner.model_), dumps_evidence(learner.evidence_)
        plan_hash, model, evidence = (sha256(each.encode()).hexdigest() for each in texts)
        return cls(place=place, data=origin.data_fingerprint, plan=plan_hash, model=model, evidence=evidence)


@dataclass(frozen=True, slots=True, kw_only=True)
class FitCertificate:
    """What the fits of one learner to the same rows in several places gave.

    Parameters
    ----------
    runs : the fits.
    """

    runs: tuple[FitRun, ...]

    @property
    def differ(self) -> tuple[str, ...]:
        """What is not the same in all places: "data", "plan", "model", "evidence"."""
        names = ("data", "plan", "model", "evidence")
        return tuple(name for name in names if len({getattr(run, name) for run in self.runs}) > 1)

    @property
    def holds(self) -> bool:
        """Whether rows, plan, model and evidence are the same everywhere, to the last byte."""
        return not self.differ

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"holds": self.holds, "differ": list(self.differ), "runs": [asdict(run) for run in self.runs]}

    def describe(self) -> str:
        """A line.

        >>> run = FitRun(place="a frame", data="d", plan="p", model="m", evidence="e")
        >>> print(FitCertificate(runs=(run, run)).describe())
        The same model from 2 places, to the last byte: a frame, a frame
        """
        places = ", ".join(run.place for run in self.runs)
        if self.holds:
            return f"The same model from {len(self.runs)} places, to the last byte: {places}"
        return f"Not the same from {len(self.runs)} places ({places}): {', '.join(self.differ)}"


def certify_fits(learner: Learner | RegressionLearner, places: Mapping[str, Mapping[str, Any]]) -> FitCertificate:
    """Fit a learner to the same rows in several places, such as a frame and a table of a database, and compare.

    Parameters
    ----------
    learner : not fitted, and left as it is: each place gets a copy of its own.
    places : by a name for each, the arguments of `fit`: X, y and, where they are given, sensitive_features and
        sample_weight.

    Raises
    ------
    InputError : fewer than two places; and as `fit` of each of them.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data import FrameSource
    >>> from scrutable.data.datasets import load_german_credit
    >>> german = load_german_credit()
    >>> source = FrameSource(german.X.assign(credit_risk=german.y), rows=300)
    >>> places = {"a frame": {"X": german.X, "y": german.y}, "batches": {"X": source, "y": "credit_risk"}}
    >>> certify_fits(create("learner", "scorecard"), places).holds
    True
    """
    if len(places) < 2:
        raise InputError(
            "a certificate compares the fits of several places",
            where="places",
            got=list(places),
            allowed="two or more",
            fix="name a further place, such as a frame of the same rows",
        )
    return FitCertificate(runs=tuple(FitRun.of(place, clone(learner).fit(**given)) for place, given in places.items()))
