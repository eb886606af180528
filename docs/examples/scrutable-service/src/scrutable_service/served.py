"""A model as it is served: made ready, tried, and asked about one applicant or many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scrutable import load
from scrutable.errors import ModelError
from scrutable.model import Grade, Model, Outcome, RegressionScorecard, Scorer, features_read, fingerprint
from scrutable.model.evaluator import evaluate, results

from scrutable_service.reading import Field

_WANTED = ("score", "approved", "predicted", "knock_out", "grade")


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A model with all that answers are made of; none of it changes, so that an answer comes from one model.

    Parameters
    ----------
    version : the name of its file without the ending, links followed.
    since : when it was made ready.
    fields : what it reads.
    texts : what each code of a reason means.
    names : the evaluator's columns that answers are made of.
    grades : grades by the score, or None where each segment has its own.

    Examples
    --------
    >>> from scrutable import dump
    >>> from scrutable.testing import card
    >>> from scrutable.writing import temporary_folder
    >>> with temporary_folder() as folder:
    ...     dump(card(), folder / "score-v1.json")
    ...     served = Served.read(folder / "score-v1.json")
    >>> served.version, served.answer((25.0, "cook"))["decision"]
    ('score-v1', 'approve')
    """

    model: Model
    fingerprint: str
    version: str
    since: datetime
    fields: tuple[Field, ...]
    texts: Mapping[str, str]
    names: tuple[str, ...]
    grades: tuple[Grade, ...] | None
    scorer: Scorer

    @classmethod
    def read(cls, path: Path) -> Served:
        """Read a model file and try the model on an applicant of whom nothing is known.

        Raises
        ------
        ScrutableError : the file is no model, was changed after its fingerprint was taken, or calls two things by one
            code.
        """
        path = path.resolve()
        model = load(path)
        fields = tuple((each.name, each.kind == "numeric") for each in features_read(model))
        evaluated = evaluate(model, {name: [None] for name, _ in fields}).frame()
        bands = {() if isinstance(each, RegressionScorecard) else each.policy.grades for each in model.parts}
        served = cls(
            model=model,
            fingerprint=fingerprint(model),
            version=path.stem,
            since=datetime.now(UTC),
            fields=fields,
            texts=_texts(model),
            names=tuple(name for name in evaluated if name in _WANTED or name.startswith("reason_")),
            grades=bands.pop() if len(bands) == 1 else None,
            scorer=model.scorer(columns=[name for name, _ in fields]),
        )
        nobody = (None,) * len(fields)
        if served.answer(nobody) != served.answers([nobody])[0]:
            raise ModelError("the ways of scoring differ", where=path.name, fix="report it, with the file")
        return served

    @property
    def identity(self) -> dict[str, str]:
        """What names the model in answers."""
        return {"fingerprint": self.fingerprint, "version": self.version}

    def answer(self, row: tuple[float | str | None, ...]) -> dict[str, Any]:
        """Score, decision, grade and reasons of one applicant, without frames."""
        if self.grades is None:
            return self.answers([row])[0]
        score, decided, codes = self.scorer(row)
        grade = next((each.name for each in self.grades if score is not None and score >= each.at_least), None)
        return self._told(score, decided, grade, codes)

    def answers(self, rows: Sequence[tuple[float | str | None, ...]]) -> list[dict[str, Any]]:
        """What `answer` says of each of many applicants, by the evaluator."""
        if not rows:
            return []
        columns = {name: list(values) for (name, _), values in zip(self.fields, zip(*rows, strict=True), strict=True)}
        told = results(self.model, columns, self.names)
        lists = {name: values.tolist() for name, values in told.items()}
        nothing = [None] * len(rows)
        coded = [lists[name] for name in self.names if name.startswith("reason_")] or [lists.get("knock_out", nothing)]
        if "predicted" in lists:
            decisions = [self.model.outcome.classes[each] for each in lists["predicted"]]  # type: ignore[union-attr]
        else:
            decisions = lists.get("approved", nothing)
        whole = zip(lists.get("score", nothing), decisions, lists.get("grade", nothing), *coded, strict=True)
        return [
            self._told(score, decided, grade, [code for code in codes if code is not None])
            for score, decided, grade, *codes in whole
        ]

    def _told(self, score: float | None, decided: Any, grade: str | None, codes: Sequence[str]) -> dict[str, Any]:
        """Reasons are those of a decline: with what an approval falls short is no reason of anything."""
        outcome, reasons = self.model.outcome, []
        if isinstance(outcome, Outcome) and outcome.binary:
            if not decided:
                reasons = [{"code": code, "text": self.texts[code]} for code in codes]
            decided = "approve" if decided else "decline"
        return {"score": score, "decision": decided, "grade": grade, "reasons": reasons}


def _texts(model: Model) -> dict[str, str]:
    """Each code that a decline can have and what it means, those of knock-outs, adjustments and overrides too."""
    texts: dict[str, str] = {}
    for part in model.parts:
        if isinstance(part, RegressionScorecard):
            continue
        for code, text in {**(part.reasons.texts if part.reasons else {}), **part.policy.reasons}.items():
            if texts.setdefault(code, text) != text:
                fix = "give one of the reasons a code of its own"
                raise ModelError("segments have two reasons by one code", where=f"code {code!r}", got=text, fix=fix)
    return texts
