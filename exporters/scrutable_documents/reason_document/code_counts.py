"""The tables of how often each code is given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from markupsafe import Markup

from scrutable_documents.common.figures import count, percent
from scrutable_documents.common.part import ModelPart
from scrutable_documents.common.sections import Block, Cell, Gap, Paragraph, Table, words
from scrutable_documents.reason_document.contents import Chapter
from scrutable_documents.reason_document.frequency import CONFIDENCE, SMALL, Declined, Given
from scrutable_documents.reason_document.options import APPLICANTS, GROUPS

#: Groups side by side in a table; more go into further tables, so that a page holds them.
_ACROSS = 4


def counted(chapter: Chapter) -> Iterator[Block]:
    """Codes of all declined applicants, then by group."""
    part = chapter.part
    if part.policy is None:
        yield Gap("The model holds no reason policy.")
        return
    if not chapter.declined:
        yield Gap(f"No applicants to count on were given. Give them as {APPLICANTS}.")
        return
    overall, *groups = chapter.declined
    if not overall.declined:
        yield Gap("None of the applicants is declined.")
        return
    yield Paragraph(
        f"Shares are of the declined applicants. In brackets: bootstrap intervals at {CONFIDENCE:.0%}, the model held "
        "fixed; none where nobody or everybody gets the code. A few declined applicants give wide "
        "intervals. Tables of groups leave out codes that nobody in them gets."
    )
    yield _overall(chapter, overall, part.policy.k)
    if not groups:
        yield Gap(f"Groups were not compared. Give {GROUPS}.")
        return
    yield _sizes(part, chapter.declined, part.policy.k)
    for attribute, group in groupby(groups, key=lambda each: each.attribute):
        members = list(group)
        for start in range(0, len(members), _ACROSS):
            yield from _by_group(chapter, str(attribute), members[start : start + _ACROSS], part.policy.k)


def _overall(chapter: Chapter, overall: Declined, k: int) -> Table:
    rows: list[list[Cell]] = [
        [
            each.code,
            words(code.text, chapter.part.language),
            *(cell for given in (each.first, each.among) for cell in (count(given.count), _share(given))),
        ]
        for code, each in zip(chapter.codes, overall.codes, strict=True)
    ]
    headers = ("Code", "Text", "As first reason", "Share", f"Among the first {k}", "Share")
    caption = chapter.part.titled(f"All {count(overall.declined)} declined applicants")
    return Table(caption=caption, headers=headers, rows=rows, numbers=frozenset({2, 3, 4, 5}))


def _sizes(part: ModelPart, declined: Sequence[Declined], k: int) -> Table:
    rows = []
    for each in declined:
        name = "All" if each.group is None else f"{each.attribute}: {each.group}"
        numbers = (each.applicants, each.declined, each.fewer, each.without)
        rows.append([name, *map(count, numbers), f"few: below {SMALL} declined" if each.small else ""])
    headers = ("Group", "Applicants", "Declined", f"With fewer than {k} reasons", "Without any", "Mark")
    return Table(caption=part.titled("Groups"), headers=headers, rows=rows, numbers=frozenset({1, 2, 3, 4}))


def _by_group(chapter: Chapter, attribute: str, members: Sequence[Declined], k: int) -> Iterator[Table]:
    headers = ("Code", *(_header(each) for each in members))
    numbers = frozenset(range(1, len(headers)))
    for title, name in (("first reason", "first"), (f"among the first {k}", "among")):
        rows: list[list[Cell]] = []
        for place, code in enumerate(chapter.codes):
            given: list[Given] = [getattr(each.codes[place], name) for each in members]
            if any(share.count for share in given):
                rows.append(
                    [code.code, *(Markup("{}: {}").format(count(share.count), _share(share)) for share in given)]
                )
        caption = chapter.part.titled(f"{attribute}: {title}")
        if rows:
            yield Table(caption=caption, headers=headers, rows=rows, numbers=numbers)


def _header(each: Declined) -> str:
    return f"{each.group} ({count(each.declined)} declined{', few' if each.small else ''})"


def _share(given: Given) -> Markup:
    """A share with its interval, which no line breaks."""
    if given.share is None:
        return Markup("undefined")
    if given.interval is None:
        return Markup(percent(given.share))
    return Markup("{} [{},&nbsp;{}]").format(percent(given.share), *map(percent, given.interval))
