"""A batch of applicants: each one's decision and, for those who get one, the notice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scrutable import registry
from scrutable.data.frames import Table
from scrutable.errors import InputError, ModelError, UnsupportedModel, warn_caller
from scrutable.model import Model, ReasonPolicy, RegressionScorecard, SingleModel, text_faults
from scrutable.model.evaluator import results
from scrutable.plugins import DataDictionary, in_words_of
from scrutable_documents.common.clean import cleaned, lines
from scrutable_documents.common.unfit_texts import UnfitTextWarning, in_words
from scrutable_documents.notices.notice import Notice, StatedReason, UsedScore, distinct
from scrutable_documents.notices.options import NoticeOptions
from scrutable_documents.notices.policies import Decider, check_ranges, deciders
from scrutable_documents.notices.refusal import Refusals, more_reasons
from scrutable_documents.notices.report_used import check_report_columns, sender_to
from scrutable_documents.notices.scores import Scores
from scrutable_documents.notices.values import Applicants

#: What the official commentary calls enough: more are not likely to be helpful (12 CFR part 1002, comment 9(b)(2)-1).
MOST_REASONS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """An applicant's decision.

    Parameters
    ----------
    id : what the applicant is called by, exactly as given.
    codes : of the principal reasons, where there is a notice.
    """

    id: str
    row: int
    approved: bool
    codes: tuple[str, ...] = ()
    notice: Notice | None = None


def decide(model: Model, options: NoticeOptions) -> list[Decided]:
    """Everybody's decision, and the notices of those who get one.

    In a model of segments the reasons, the score and its range are those of the applicant's segment.

    Raises
    ------
    InputError : columns that are not there, ids that repeat, and applicants whose notice would not be whole; all rows
        with the same fault are named at once.
    UnsupportedModel : the model has no reasons, has them in other languages only, or in texts not fit to be sent.
    """
    model = in_words_of(model, DataDictionary.given(options.dictionary))
    by_segment = deciders(model, options.language)
    refuse_unfit_texts(model, options)
    warn_of_unfit_texts(model, options)
    check_ranges(options.sender.score, by_segment)
    check_report_columns(options.sender, model)
    applicants = Applicants(options.applicants)
    return decided_of(model, options, by_segment, applicants, _ids(applicants, options.id))


def decided_of(
    model: Model,
    options: NoticeOptions,
    by_segment: Mapping[str | None, Decider],
    applicants: Applicants,
    ids: Sequence[str],
    before: int = 0,
) -> list[Decided]:
    """What `decide` gives of some of the applicants, with as many rows before them; errors of these as there."""
    people = _People(applicants, options)
    explained = _explained(model, applicants.table)
    scores = Scores.read(options.sender.score, applicants)
    refusals = Refusals(ids, options.id)
    decided = [Decided(id=each, row=row, approved=True) for row, each in enumerate(ids, before + 1)]
    for place, explanation in explained:
        decider = by_segment[explanation.segment]
        reasons = _stated(explanation.reasons, decider.policy, options.language)
        score = scores.used(
            place, explanation, _stated(explanation.key_factors, decider.policy, options.language), refusals
        )
        _check_lists(place, reasons, score, decider.model, refusals)
        notice = Notice(
            id=cleaned(ids[place]),
            row=decided[place].row,
            date=options.date,
            language=options.language or "",
            lender=sender_to(options.sender, model, decider.model, explanation, score),
            name=people.name(place, refusals),
            address=people.address(place),
            reasons=reasons,
            score=score,
            draft=options.draft,
        )
        codes = tuple(reason.code for reason in explanation.reasons)
        decided[place] = replace(decided[place], approved=False, codes=codes, notice=notice)
    refusals.raise_any()
    return decided


def _explained(model: Model, table: Table) -> Iterator[tuple[int, Any]]:
    """The places of the declined, each with what explains the decision; nobody else is explained."""
    places = np.flatnonzero(results(model, table, ["approved"])["approved"] == 0)
    explainer = registry().create("explainer", "reason-codes")
    explanations = explainer.explain_each(model, table.subset(places)) if len(places) else ()
    return zip(places.tolist(), explanations, strict=True)


def refuse_unfit_texts(model: Model, options: NoticeOptions) -> None:
    """Refuse texts of reasons that are not fit to be sent, but in drafts.

    Raises
    ------
    UnsupportedModel : naming the texts, and what is wrong with each.
    """
    if not options.draft and (said := _unfit_texts(model, options)):
        raise UnsupportedModel(
            "texts of reasons that are not fit to be sent",
            where="reason policy",
            got=said,
            fix="give texts in a reason dictionary (`scrutable reasons MODEL --toml` prints one to begin with, and "
            "--dictionary takes it), or label the features; or make drafts: --draft, in Python draft=True",
        )


def warn_of_unfit_texts(model: Model, options: NoticeOptions) -> None:
    """Warn of texts of reasons that keep drafts from being sent."""
    if options.draft and (said := _unfit_texts(model, options)):
        warn_caller(f"drafts, not to be sent: {said}", UnfitTextWarning)


def _unfit_texts(model: Model, options: NoticeOptions) -> str:
    """What is wrong with the texts of reasons in the language of the notices."""
    assert not isinstance(model, RegressionScorecard)  # which gives no reasons, and is refused before
    return in_words(text_faults(model, options.language or ""))


class _People:
    """Names and addresses by row."""

    def __init__(self, applicants: Applicants, options: NoticeOptions) -> None:
        self._names = None if options.name is None else applicants.texts(options.name, "option name")
        self._addresses = [applicants.texts(column, "option address") for column in options.address or ()]

    def name(self, place: int, refusals: Refusals) -> str:
        if self._names is None:
            return ""
        name = cleaned(self._names[place] or "")
        if not name:
            refusals.add(place, "without a name")
        return name

    def address(self, place: int) -> tuple[str, ...]:
        return tuple(line for column in self._addresses for line in lines(column[place] or ""))


def _check_lists(
    place: int, reasons: Sequence[StatedReason], score: UsedScore | None, model: SingleModel, refusals: Refusals
) -> None:
    """Note an applicant without reasons, with too many, or with a score that nothing explains."""
    if not reasons:
        refusals.add(place, "without a reason", more_reasons(model))
    elif len(reasons) > MOST_REASONS:
        refusals.add(place, "with too many reasons", f"fit the reason policy with k={MOST_REASONS}")
    if score is not None and not score.factors:
        fix = more_reasons(model) if score.own else "fill in one of factor_columns, or leave the score empty"
        refusals.add(place, "with a score but without a key factor", fix)


def counted_ids(rows: Iterable[int], count: int) -> list[str]:
    """What applicants of some rows are called where no column says it.

    >>> counted_ids([1, 2], 2)
    ['000001', '000002']
    """
    width = max(6, len(str(count)))
    return [f"{row:0{width}d}" for row in rows]


def _ids(applicants: Applicants, column: str | None) -> list[str]:
    if column is None:
        return counted_ids(range(1, applicants.table.n_rows + 1), applicants.table.n_rows)
    ids = applicants.texts(column, "option id")
    missing = [row for row, value in enumerate(ids, 1) if not value]
    repeated = [value for value, count in Counter(ids).items() if value and count > 1]
    for rows, what in ((missing, "rows without an id"), (repeated, "ids that repeat")):
        if rows:
            raise InputError(
                what, where=f"column {column!r}", got=rows[:20], fix="give every applicant an id of their own"
            )
    return [value for value in ids if value is not None]


def _stated(reasons: Sequence[Any], policy: ReasonPolicy, language: str | None) -> tuple[StatedReason, ...]:
    try:
        return distinct(
            StatedReason(
                code=reason.code,
                text=cleaned(reason.text if language is None else policy.words(reason.code, language)),
            )
            for reason in reasons
        )
    except (KeyError, ModelError) as error:
        raise InputError(
            "a reason code has no text in this language",
            where="option language",
            got=f"{language}: {error}",
            fix="translate every code, those of knock-outs too",
        ) from error
