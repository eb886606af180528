"""Whether a decline was based, in whole or in part, on a consumer report, by what the lender says comes from one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from scrutable.errors import InputError, did_you_mean
from scrutable.model import Model, SegmentedModel, SingleModel, features_read
from scrutable_documents.notices.lender import Lender
from scrutable_documents.notices.notice import UsedScore


def check_report_columns(lender: Lender, model: Model) -> None:
    """Refuse columns of the report that the model does not read: a name that is misspelt would leave disclosures out.

    Raises
    ------
    InputError : names the closest column that is read.
    """
    known = [feature.name for feature in features_read(model)]
    for name in () if lender.bureau is None else lender.bureau.columns:
        if name not in known:
            raise InputError(
                "the model reads no such column",
                where="lender: bureau: columns",
                got=name,
                allowed=did_you_mean(name, known),
                fix="correct the name, or leave it out",
            )


def sender_to(lender: Lender, model: Model, decider: SingleModel, explanation: Any, score: UsedScore | None) -> Lender:
    """The lender as a notice names it: without the consumer reporting agency where its report played no part.

    That is sure only of rules that declined alone: the score passed the cutoff, no score is disclosed, and neither the
    rules that are told as reasons nor the way to the segment read what comes from the report. A score that failed had
    whatever the model reads as a part of it. Where the lender does not say what comes from a report, everything may.

    Parameters
    ----------
    decider : the model that decided on the applicant, that of a segment or the model itself.
    explanation : its reasons, score and cutoff.
    score : the score that the notice discloses.
    """
    reported = () if lender.bureau is None else lender.bureau.columns
    if not reported or score is not None or explanation.score is None or explanation.score < explanation.cutoff:
        return lender
    if isinstance(model, SegmentedModel) and any(feature.name in reported for feature in model.routing):
        return lender
    told = {reason.code for reason in explanation.reasons}
    return lender if not told or told - _rules_without(reported, decider) else replace(lender, bureau=None, score=None)


def _rules_without(columns: Collection[str], model: SingleModel) -> set[str]:
    """The codes of rules that read none of some columns."""
    return {rule.code for rule in model.policy.rules if not any(clause.feature in columns for clause in rule.when)}
