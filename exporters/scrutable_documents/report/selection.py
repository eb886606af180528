"""The section on which characteristics were selected, and why the others were not."""

from __future__ import annotations

from scrutable.plugins import Selection, SelectionEntry
from scrutable_documents.common.figures import plain
from scrutable_documents.common.sections import Paragraph, Section, Table
from scrutable_documents.report.subject import Subject


def selection(subject: Subject) -> Section | None:
    """What was dropped, by which step and for which reason; None where the evidence tells of no selection."""
    chosen = None if subject.evidence is None else Selection.of(subject.evidence)
    if chosen is None:
        return None
    said = Paragraph(
        f"The selector {chosen.selector} kept {len(chosen.kept):,} of {chosen.considered:,} characteristics, by the "
        "rows that the model was learned from."
    )
    about = [Paragraph(chosen.about)] if chosen.about else []
    log = [_table(chosen)] if chosen.log else []
    return Section("selection", "Selection of characteristics", [said, *about, *log])


def _table(chosen: Selection) -> Table:
    return Table(
        caption="Characteristics that left, and those that stay although something spoke against them",
        headers=("Characteristic", "", "Step", "Why", "Figure", "Threshold", "Compared with"),
        rows=[_row(entry) for entry in chosen.log],
        numbers=frozenset({4, 5}),
    )


def _row(entry: SelectionEntry) -> list[str]:
    numbers = ["" if each is None else plain(each, 3) for each in (entry.figure, entry.threshold)]
    return [entry.feature, "kept" if entry.kept else "left", entry.step, f"{entry.reason}.", *numbers, entry.other]
