"""A model's reason policies as they are, taken anew from applicants, or told in other words."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from scrutable.data.frames import PANDAS, FrameKind, kind_of, like, rows_like
from scrutable.errors import InputError
from scrutable.model import (
    DecisionModel,
    Model,
    RegressionScorecard,
    SegmentedModel,
    SingleModel,
    encode,
    titles_of,
    with_labels,
)
from scrutable.model.segmented import refuse_reused_codes, succeeding
from scrutable.plugins.bases import Agreement, reasons_explainer
from scrutable_reason_codes.policy_request import Wanted, explainer_named
from scrutable_reason_codes.turning import turns_of
from scrutable_reason_codes.words_file import dictionary_text, policies_of


class CodeMeaning(NamedTuple):
    """What a code means: its text, a feature that has it, and the baseline that the feature is compared with.

    `turns` says what points do as the feature rises, where neither more nor less is better throughout.
    """

    code: str
    text: str
    feature: str
    baseline: float | None
    turns: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Agreements:
    """Methods of choosing reasons, each beside a model's policy; by segment where the model has some."""

    methods: tuple[Agreement, ...]
    kind: FrameKind = PANDAS

    def frame(self) -> Any:
        """A row for each method, with the shares of the declined to whom it gives the same reasons."""
        return rows_like(self.to_dict(), self.kind)

    def to_dict(self) -> list[dict[str, Any]]:
        """Plain values for JSON, a dict for each method."""
        return [each.to_dict() for each in self.methods]

    def __repr__(self) -> str:
        return f"Agreements({', '.join(dict.fromkeys(each.method for each in self.methods))})"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Policies:
    """A model, and what its reason policies say; made by `reason_policies`.

    Parameters
    ----------
    model : with the policies, new ones where they were taken anew or told in other words.
    kind : of the frame that `frame` gives.
    """

    model: DecisionModel
    kind: FrameKind = PANDAS

    def frame(self) -> Any:
        """A row for each code and feature that has it, with the baseline, in the order that settles ties."""
        rows = [(name, *line) for name, model in self.parts() for line in lines_of(model)]
        return like(pd.DataFrame(rows, columns=["segment", *CodeMeaning._fields]), self.kind)

    def parts(self) -> list[tuple[str | None, SingleModel]]:
        """The models whose policies these are, by the name of their segment; None for a model without segments."""
        if isinstance(self.model, SegmentedModel):
            return [(each.name, each.model) for each in self.model.segments]
        return [(None, self.model)]

    def to_dict(self) -> dict[str, Any]:
        """The policy as plain values for JSON; by segment where the model has some, None for one that has none."""
        if isinstance(self.model, SegmentedModel):
            return {each.name: _encoded(each.model) for each in self.model.segments}
        encoded: dict[str, Any] = _encoded(self.model)
        return encoded

    def toml(self) -> str:
        """The dictionary: what the codes mean, to be edited and given back."""
        return dictionary_text(self.model)

    def compared(self, applicants: Any, *, reference: Any = None, weight: Any = None) -> Agreements:
        """How often each method gives the declined among applicants the reasons that these policies give.

        Parameters
        ----------
        applicants : a frame of them.
        reference, weight : whom methods take baselines from, and (m,) their weights; the applicants if not given.
        """
        explainer = explainer_named(reasons_explainer())
        rows = applicants if reference is None else reference
        methods = explainer.compare(self.model, applicants, reference=rows, weight=weight)
        return Agreements(methods=tuple(methods), kind=kind_of(applicants))

    def __repr__(self) -> str:
        return f"Policies({'; '.join(_said(name, model) for name, model in self.parts())})"


def reason_policies(
    model: Model,
    reference: Any = None,
    *,
    weight: Any = None,
    method: str | None = None,
    explainer: str | None = None,
    dictionary: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    population: str | None = None,
    predecessor: DecisionModel | None = None,
    where: str = "model",
) -> Policies:
    """How a model's reasons are chosen and what they are called.

    Baselines are taken anew if anything but a predecessor or a dictionary is given. Codes and texts of the predecessor
    come first, then what the dictionary says of them.

    Parameters
    ----------
    reference : a frame of the applicants to take baselines from: all of them, the declined too.
    weight : (m,) their weights.
    method : as in `ReasonCodes`; the policy's own if not given.
    explainer : whose policy it becomes; that of reason codes if not given.
    dictionary : a data dictionary, of which labels, codes, texts, translations and other options of the explainer
        count here: a mapping, or a TOML file.
    population : the reference in words.
    predecessor : the version before this model, whose codes keep their meaning; see `succeeding`.
    where : how errors name the model.

    Raises
    ------
    InputError, UnsupportedModel : options that do not fit; a model without reasons, or of a quantity.
    ModelError : a code would mean something else than in the predecessor.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import load_german_credit
    >>> german = load_german_credit()
    >>> X = german.X[["checking_status", "duration_months"]]
    >>> model = create("learner", "scorecard", binner="quantile").fit(X, german.y).model_
    >>> anew = reason_policies(model, X, method="near-cutoff", dictionary={"reasons": {"texts": {"R01": "Balance"}}})
    >>> anew
    Policies(near-cutoff, 2 codes)
    >>> anew.frame()["text"].tolist()
    ['Balance', 'Duration months']
    """
    decider = _deciding(model)
    if predecessor is not None:
        decider = succeeding(decider, predecessor)
    if reference is None and weight is not None:
        raise InputError("a weight without a reference", where="--weight", got=weight, fix="give --reference")
    anew = any(each is not None for each in (reference, method, explainer))
    wanted = Wanted(anew=anew, method=method, explainer=explainer, dictionary=dictionary, population=population)
    if labels := wanted.said.labels:
        decider = with_labels(decider, labels)
    if anew:
        chosen, own = wanted.explainers(decider)
        taken = chosen.with_policy(decider, reference, weight=weight, by_segment=own)
        decider = wanted.in_words_of(decider, taken)
    elif not policies_of(decider):
        raise InputError(
            "the model holds no reason policy", where=where, fix="take one from the applicants: --reference FILE"
        )
    elif dictionary is not None:
        chosen, own = wanted.explainers(decider)
        decider = chosen.with_words(decider, by_segment=own)
    if predecessor is not None:
        refuse_reused_codes(decider, predecessor)
    return Policies(model=decider, kind=kind_of(reference))


def lines_of(model: SingleModel) -> Iterator[CodeMeaning]:
    """What each code of a model means, a line for each feature that has it; codes of rules last."""
    policy = model.reasons
    if policy is None:
        return
    titles, turns = titles_of(model), turns_of(model)
    for code, names in policy.features().items():
        for name in names or ("",):
            feature = titles.get(name, "some attributes")
            yield CodeMeaning(code, policy.texts[code], feature, policy.baselines.get(name), turns.get(name))
    for rule in model.policy.rules:
        if rule.is_reason:
            yield CodeMeaning(rule.code, rule.reason, rule.kind, None)


def _encoded(model: SingleModel) -> Any:
    return None if model.reasons is None else encode(model.reasons)


def _said(segment: str | None, model: SingleModel) -> str:
    policy = model.reasons
    said = "no policy" if policy is None else f"{policy.method}, {len(policy.texts)} codes"
    return said if segment is None else f"{segment}: {said}"


def _deciding(model: Model) -> DecisionModel:
    if not isinstance(model, RegressionScorecard):
        return model
    raise InputError(
        "reasons are those of a model that decides",
        where="scrutable reasons",
        got=repr(model),
        fix="name a scorecard, a rule set, trees, or segments of these",
    )
