"""Reasons by points below the average applicant's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scrutable.bases.explainer import Explainer
from scrutable.errors import InputError, ModelError, UnsupportedModel, did_you_mean
from scrutable.model import FrozenMapping, Model, ReasonPolicy, RuleSet, Scorecard
from scrutable.model.evaluator import Evaluation, evaluate, read_inputs
from scrutable_reason_codes.explanation import Reason, ReasonExplanation


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonCodes(Explainer):
    """Reasons are the characteristics whose points fall furthest below a baseline.

    The official commentary to Regulation B names two methods of selecting reasons that it accepts; this is the one
    that compares with the average of all applicants.

    Parameters
    ----------
    method : "below-average".
    k : how many reasons at most.
    codes : reason code by characteristic; "R01", "R02", … in the scorecard's order where none is given.
    texts : text by code; the characteristic's label where none is given.
    exclusions : characteristics that are never a reason.
    population : the reference population, in words.

    References
    ----------
    12 CFR part 1002 (Regulation B), Supplement I, comment 9(b)(2)-5.

    Examples
    --------
    >>> from scrutable.datasets import load_german_credit
    >>> from scrutable.registry import registry
    >>> german = load_german_credit()
    >>> learner = registry().create("learner", "scorecard", binner="quantile", explainer=None).fit(german.X, german.y)
    >>> [found] = ReasonCodes(k=2).explain(learner.model_, german.X.iloc[[1]], reference=german.X)
    >>> found.approved, len(found.reasons)
    (False, 2)
    """

    method: str = "below-average"
    k: int = 4
    codes: Mapping[str, str] | None = None
    texts: Mapping[str, str] | None = None
    exclusions: Sequence[str] = ()
    population: str = "all applicants that the model was fitted on"

    def __post_init__(self) -> None:
        if self.method != "below-average":
            raise InputError("unknown method", where="method", got=self.method, allowed="'below-average'")

    def policy(self, model: Model, reference: Any, *, weight: Any = None) -> ReasonPolicy:
        """The reason policy whose baselines are the average points of a reference population."""
        scorecard = _scorecard(model)
        known = [characteristic.feature for characteristic in scorecard.characteristics]
        _refuse_unknown("codes", self.codes or {}, known)
        _refuse_unknown("exclusions", self.exclusions, known)
        points = evaluate(scorecard, reference).points
        reasoned = [name for name in known if name not in self.exclusions]
        codes = {name: (self.codes or {}).get(name, f"R{i + 1:02d}") for i, name in enumerate(reasoned)}
        texts = self._texts(scorecard, codes)
        _refuse_unknown("texts", self.texts or {}, texts)
        return ReasonPolicy(
            method=self.method,
            population=self.population,
            cutoff=scorecard.cutoff,
            baselines=FrozenMapping({name: float(np.average(points[name], weights=weight)) for name in reasoned}),
            codes=FrozenMapping(codes),
            texts=FrozenMapping(texts),
            order=tuple(texts),
            k=self.k,
            exclusions=tuple(self.exclusions),
        )

    def explain(self, model: Model, X: Any, *, reference: Any = None) -> list[ReasonExplanation]:
        """The decision on each row and its reasons, by the model's own reason policy.

        Parameters
        ----------
        reference : rows to take baselines from instead.

        Raises
        ------
        ModelError : the model holds no reason policy and there is no reference.
        InputError : options are given, and no reference to apply them to.
        UnsupportedModel : the model is no scorecard.
        """
        scorecard = _scorecard(model)
        if reference is not None:
            scorecard = replace(scorecard, reasons=self.policy(scorecard, reference))
        elif self != ReasonCodes():
            raise InputError(
                "options shape a policy, and the model's own policy is used here",
                where="reason codes",
                got=self,
                fix="give a reference population, or fit the model with these options: explainer=ReasonCodes(...)",
            )
        if scorecard.reasons is None:
            raise ModelError(
                "the model holds no reason policy", where="reason codes", fix="give a reference population"
            )
        columns, n_rows = read_inputs(scorecard, X)
        found = evaluate(scorecard, X)
        values = {name: column.values for name, column in columns.items()}
        teller = _Teller(scorecard, scorecard.reasons, found, values)
        return [teller.explanation(row) for row in range(n_rows)]

    def _texts(self, scorecard: Scorecard, codes: Mapping[str, str]) -> dict[str, str]:
        """Text of every code, characteristics first; the order settles ties."""
        titles = {feature.name: feature.title for feature in scorecard.features}
        given = self.texts or {}
        texts: dict[str, str] = {}
        for name, code in codes.items():
            texts.setdefault(code, given.get(code, titles[name]))
        for characteristic in scorecard.characteristics:
            for attribute in characteristic.attributes if characteristic.feature in codes else ():
                if attribute.reason_code is not None:
                    default = f"{titles[characteristic.feature]}: {attribute.title}"
                    texts.setdefault(attribute.reason_code, given.get(attribute.reason_code, default))
        return texts


class _Teller:
    """Puts ranked codes into words, with the value that each goes back to."""

    def __init__(
        self, scorecard: Scorecard, policy: ReasonPolicy, found: Evaluation, values: Mapping[str, Any]
    ) -> None:
        self.scorecard, self.policy, self.found, self.values = scorecard, policy, found, values
        self.carriers = policy.carriers(scorecard)
        self.knock_outs = {rule.code: rule.reason for rule in scorecard.policy.knock_outs}

    def explanation(self, row: int) -> ReasonExplanation:
        codes = [] if self.found.reasons is None else [code for code in self.found.reasons[row] if code is not None]
        return ReasonExplanation(
            row=row,
            score=0.0 if self.found.score is None else float(self.found.score[row]),
            cutoff=self.scorecard.cutoff,
            probability=float(self.found.probability[row]),
            approved=bool(self.found.approved[row]),
            reasons=tuple(self._reason(code, row) for code in codes),
        )

    def _reason(self, code: str, row: int) -> Reason:
        if code in self.knock_outs:
            return Reason(code=code, text=self.knock_outs[code])
        short, name, attribute = max(self._candidates(code, row), key=lambda candidate: candidate[0])
        value = self.values[name][row]
        return Reason(
            code=code,
            text=self.policy.texts[code],
            points_short=short,
            characteristic=name,
            value=None if value != value else value,
            attribute=attribute,
        )

    def _candidates(self, code: str, row: int) -> Iterable[tuple[float, str, str]]:
        """Shortfall, name and attribute of each characteristic that gives this row the code."""
        for position, indices in self.carriers[code]:
            characteristic = self.scorecard.characteristics[position]
            name = characteristic.feature
            held = int(self.found.attribute[name][row])
            if held in indices:
                attribute = characteristic.attributes[held]
                yield self.policy.baselines[name] - attribute.points, name, attribute.title


def _scorecard(model: Model) -> Scorecard:
    if not isinstance(model, Scorecard):
        votes = "leave --explainer out, or use scrutable.rulesets.row_votes: it gives the rules that voted"
        trees = "fit a scorecard: with fairgbm, max_depth=1 makes one of the same kind of trees"
        raise UnsupportedModel(
            "reason codes by points need a scorecard",
            where="reason codes",
            got=type(model).__name__,
            fix=votes if isinstance(model, RuleSet) else trees,
        )
    return model


def _refuse_unknown(option: str, names: Iterable[str], known: Iterable[str]) -> None:
    for name in names:
        if name not in known:
            raise InputError("unknown name", where=option, got=name, fix=did_you_mean(name, known))
