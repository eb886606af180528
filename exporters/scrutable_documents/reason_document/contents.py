"""All that the document says, as values: of each part its codes, its lines, how often codes are given, and remarks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from scrutable.model import Model, ReasonPolicy, fingerprint
from scrutable.writing import csv_text, plain
from scrutable_documents.common.part import ModelPart
from scrutable_documents.reason_document import choosing
from scrutable_documents.reason_document.codes import Code, codes_of
from scrutable_documents.reason_document.frequency import Declined, frequencies
from scrutable_documents.reason_document.lines import Carried, CodedLine, lines_of
from scrutable_documents.reason_document.options import ReasonDocumentOptions
from scrutable_documents.reason_document.reading import read_parts
from scrutable_documents.reason_document.remarks import remarks

_NOTHING = Carried(code="", text="")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chapter:
    """A part of the model, and what is said of it."""

    part: ModelPart
    codes: tuple[Code, ...]
    lines: tuple[CodedLine, ...]
    declined: tuple[Declined, ...]
    remarks: tuple[str, ...]

    @classmethod
    def of(cls, part: ModelPart) -> Chapter:
        """Gather it.

        Raises
        ------
        ModelError : the policy has no texts in the language.
        """
        codes, lines, declined = codes_of(part), lines_of(part), frequencies(part)
        notes = tuple(remarks(part, codes, lines, declined))
        return cls(part=part, codes=codes, lines=lines, declined=declined, remarks=notes)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        policy, sample = self.part.policy, self.part.sample
        return {
            "segment": self.part.segment or None,
            "when": self.part.when or None,
            "applicants": None if sample is None else sample.n_rows,
            "policy": None if policy is None else _policy(policy),
            "steps": [] if policy is None else list(choosing.steps(self.part, policy)),
            "remarks": list(self.remarks),
            "codes": [code.to_dict() for code in self.codes],
            "lines": [line.to_dict() for line in self.lines],
            "declined": [each.to_dict() for each in self.declined],
        }


def _policy(policy: ReasonPolicy) -> dict[str, Any]:
    return {
        "method": policy.method,
        "population": policy.population,
        "cutoff": policy.cutoff,
        "near": policy.near,
        "k": policy.k,
        "order": list(policy.order),
        "inquiries": list(policy.inquiries),
        "baselines": dict(policy.baselines),
    }


def chapters(model: Model, options: ReasonDocumentOptions) -> list[Chapter]:
    """A chapter for the model, or for that of each segment; errors as in `read_parts` and `Chapter.of`."""
    return [Chapter.of(part) for part in read_parts(model, options)]


def to_json(model: Model, options: ReasonDocumentOptions, contents: Sequence[Chapter]) -> str:
    """The document as JSON."""
    whole = {
        "title": options.title,
        "date": options.date,
        "language": options.language,
        "model_sha256": fingerprint(model),
        "parts": [chapter.to_dict() for chapter in contents],
    }
    return json.dumps(plain(whole), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def to_csv(contents: Sequence[Chapter]) -> str:
    """Every line with each of its codes as CSV, without a text that a spreadsheet takes for a formula."""
    return csv_text(pd.DataFrame([row for chapter in contents for row in _rows(chapter)], columns=list(_COLUMNS)))


#: Columns of the table, and whether they hold numbers.
_COLUMNS = {
    **dict.fromkeys(("segment", "kind", "of", "words", "votes_for"), False),
    **dict.fromkeys(("points", "baseline", "share"), True),
    **dict.fromkeys(("feature", "code", "text"), False),
    **dict.fromkeys(("short", "most"), True),
}


def _rows(chapter: Chapter) -> Iterator[tuple[Any, ...]]:
    for line in chapter.lines:
        for each in line.codes or (_NOTHING,):
            values = {
                **line.to_dict(),
                "segment": chapter.part.segment,
                **{name: getattr(each, name) for name in ("feature", "code", "text", "short", "most")},
            }
            yield tuple(_cell(values[name], number) for name, number in _COLUMNS.items())


def _cell(value: Any, number: bool) -> Any:
    if number:
        return float("nan") if value is None else value
    return value or ""
