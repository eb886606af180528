"""How `scrutable demo` shows what it found, on a terminal and as a picture."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from scrutable.cli import WIDTH, Terminal, explanation_group, heading, line, lines, scorecard_table
from scrutable.plugins import AllMissing
from scrutable_lifecycle.commands.measured import side_by_side
from scrutable_lifecycle.config import DEFAULT_LEARNER
from scrutable_lifecycle.demonstration import APPROVAL_RATE, BOUND, Demonstration, not_inputs

#: Characteristics that are shown; the rest is in the file.
_SHOWN = 3
# The picture must not fetch fonts when it is looked at.
_FONT_FACE = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def parts(shown: Demonstration) -> Iterator[RenderableType]:
    """The parts of the page, from top to bottom."""
    yield heading("Scrutable demo: a plain and a disparity-bounded scorecard on German credit")
    yield _about(shown)
    yield ""
    yield heading("1  The plain scorecard: all of it fitted as one problem, then put together to few steps")
    yield scorecard_table(shown.plain, _SHOWN, "plain.json")
    yield lines(shown.about_plain)
    yield ""
    yield heading(f"2  Both on the {len(shown.held_out)} applicants held out")
    yield side_by_side(("plain", "bounded"), shown.measured)
    yield _reading()
    yield ""
    yield heading("3  The bounded scorecard, as it decides")
    yield scorecard_table(shown.bounded, _SHOWN)
    yield from _nothing_known(shown)
    yield ""
    yield heading("4  The same scorecard as SQL")
    yield _certified(shown)
    yield ""
    yield heading("5  Declined applicants of those held out, and why")
    for each in shown.declined:
        yield explanation_group(f"Applicant {each.row + 1}", each)


def _nothing_known(shown: Demonstration) -> Iterator[Text]:
    """Whether the card approves applicants of whom nothing is known, and how `fit` declines them."""
    nothing = AllMissing.of(shown.evidence)
    if nothing is not None and nothing.unlearned:
        told = nothing.describe()
        yield line(
            f"{told[0].upper()}{told[1:]}. `scrutable fit --refuse-missing all` makes a card that declines them."
        )


def picture(page: Sequence[RenderableType]) -> str:
    """The page as an SVG text that stands alone."""
    recorder = Terminal(
        record=True,
        width=WIDTH,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        no_color=False,
        legacy_windows=False,
    )
    for part in page:
        recorder.print(part)
    svg = recorder.export_svg(title="scrutable demo", unique_id="scrutable-demo")
    return _FONT_FACE.sub("", svg)


def _about(shown: Demonstration) -> Text:
    data = shown.data
    bad = int((data.y != data.favourable).sum())
    return lines(
        [
            f"{len(data.frame):,} applications, {bad} of them bad: oversampled, not the bank's rate. "
            f"{len(shown.learn)} to learn from, {len(shown.held_out)} held out, stratified by outcome, "
            f"seed {shown.seed}.",
            f"Not inputs: {', '.join(not_inputs(data))}. They are protected attributes or encode one; no decision "
            "needs them. Sex and age group serve to measure, and to bound what the second scorecard learns.",
            f"plain: learner {DEFAULT_LEARNER}, the default of `scrutable fit`. bounded: learner lda-xgb1, where no "
            f"characteristic may have an information value above {BOUND} (weak, by the usual rule of thumb) about sex "
            "or age group on the rows it learned from. Its points never rise with a loan's duration.",
        ]
    )


def _reading() -> Text:
    return line(
        "In brackets: 95% bootstrap intervals, thresholds held fixed. A ratio of 1 means equal approval rates. The "
        f"cutoff alone can buy a ratio by approving more; compare at {APPROVAL_RATE:.0%}. The sample is small and the "
        "intervals are wide: one split proves neither a gap nor its absence. Labels follow the UCI code book, which "
        "is known to be partly wrong (Grömping 2019): do not read them as facts about people.",
        style="dim",
    )


def _certified(shown: Demonstration) -> Text:
    (run,) = shown.certificate.runs
    rows = shown.certificate.rows
    about = (
        f"score.sql: {shown.export.text.count(chr(10)):,} lines, run by {run.engine} on {rows['data']:,} applicants "
        f"and {rows['edge'] + rows['drawn']:,} made-up rows: every cut and the doubles beside it, missing values, "
        "infinities, unseen and hostile texts. Certificate: certificate.html."
    )
    counts = (
        line(f"  {what + ' different from Python:':<36}", (f"{count:>6,}", "bold red" if count else "green"))
        for what, count in run.differing().items()
    )
    return lines([about, *counts])
