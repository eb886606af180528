"""What a validator should look at first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scrutable.model import RegressionScorecard, Scorecard, text_faults
from scrutable_documents.common.figures import count, percent
from scrutable_documents.common.part import ModelPart
from scrutable_documents.common.unfit_texts import in_words
from scrutable_documents.reason_document.codes import Code
from scrutable_documents.reason_document.frequency import SMALL, Declined
from scrutable_documents.reason_document.lines import CodedLine
from scrutable_documents.reason_document.options import APPLICANTS


def remarks(
    part: ModelPart, codes: Sequence[Code], lines: Sequence[CodedLine], declined: Sequence[Declined]
) -> Iterator[str]:
    """A sentence each on what is missing, or could go wrong."""
    if isinstance(part.model, RegressionScorecard):
        yield "The model predicts a quantity and decides nothing, so it has no reasons of a decision."
        return
    policy = part.policy
    if policy is None:
        yield "The model holds no reason policy: it gives no reasons but the codes of its knock-outs and overrides."
        return
    if faults := text_faults(part.model, part.language or ""):
        yield f"Texts that are not fit to be sent: {in_words(faults)}."
    if len(codes) < policy.k:
        yield f"There are {len(codes)} codes, fewer than the {policy.k} reasons that the policy gives at most."
    if isinstance(part.model, Scorecard):
        yield from _unreachable(codes, lines)
        yield from _turning(part, part.model)
    if not declined:
        yield f"No applicants were given, so nobody counted how often each code is given. Give them as {APPLICANTS}."
        return
    if not declined[0].declined:
        yield "None of the applicants is declined, so nothing can be said of how often each code is given."
        return
    yield from _short_of_reasons(declined[0], policy.k)
    yield from _unused(declined[0])
    small = [f"{each.group} of {each.attribute}" for each in declined[1:] if each.small]
    if small:
        yield f"Groups with fewer than {SMALL} declined applicants, whose shares say little: {', '.join(small)}."


def _unreachable(codes: Sequence[Code], lines: Sequence[CodedLine]) -> Iterator[str]:
    short = {each.code for line in lines for each in line.codes if each.short}
    never = [each.code for each in codes if not (each.knock_out or each.override or each.code in short)]
    if never:
        yield f"No attribute with these codes is below its baseline, so nobody can get them: {', '.join(never)}."


def _turning(part: ModelPart, model: Scorecard) -> Iterator[str]:
    turning = [each for each in model.characteristics if each.trend == "neither"]
    if turning:
        told = "; ".join(f"{part.titles[each.feature]}: points {each.trend_in_words}" for each in turning)
        yield f"Neither more nor less is better throughout, so a text that says which would mislead: {told}."


def _short_of_reasons(overall: Declined, k: int) -> Iterator[str]:
    if overall.without:
        yield (
            f"{count(overall.without)} of {count(overall.declined)} declined applicants "
            f"({percent(overall.without / overall.declined)}) get no reason at all, and no notice can be made for them."
        )
    if overall.fewer:
        yield (
            f"{count(overall.fewer)} of {count(overall.declined)} declined applicants "
            f"({percent(overall.fewer / overall.declined)}) get fewer than {k} reasons."
        )


def _unused(overall: Declined) -> Iterator[str]:
    unused = [each.code for each in overall.codes if not each.among.count]
    if unused:
        yield f"Codes that none of the declined applicants gets: {', '.join(unused)}."
