"""The view that others read: columns that stay, whatever version is behind it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scrutable.errors import InputError
from scrutable_deployment.names import Named, spoken

#: What the names of results of declined rows alone begin with.
OF_DECLINED = "declined_"
_AFTER = ("model_version", "model_fingerprint")
#: Results of the policy around the score, which a record of a decision has, too; NULL where a version gives none.
_OF_POLICY = ("knock_out", "override", "grade")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Columns of the view: the key, score, decision, what the policy says, reasons, version, fingerprint, status.

    Parameters
    ----------
    key : columns that name a row.
    reasons : how many.
    status : whether there is a column that says how usual the inputs of a row are.
    """

    key: tuple[str, ...]
    reasons: int
    status: bool

    @classmethod
    def of_results(cls, key: Sequence[str], results: Collection[str]) -> Shape:
        """What a version's results give.

        >>> Shape.of_results(["id"], ["score", "approved", "reason_1"])
        Shape(key=('id',), reasons=1, status=False)
        """
        return cls(key=tuple(key), reasons=_reasons(results), status="status" in results)

    @classmethod
    def of_view(cls, columns: Sequence[str], name: Named) -> Shape:
        """What a view that is there has.

        Raises
        ------
        InputError : it is no view that Scrutable deployed.
        """
        if not {"score", "decision", *_AFTER} <= set(columns):
            raise InputError(
                "something else has this name",
                where=spoken(name),
                got=", ".join(columns),
                allowed="a view that scrutable deploy made",
                fix="deploy under another name",
            )
        key = tuple(columns[: columns.index("score")])
        results = columns[len(key) :]
        return cls(key=key, reasons=_reasons(results), status="status" in results)

    def held_to(self, present: Shape | None, name: Named) -> Shape:
        """The columns that are there, which a version of fewer reasons fills with NULL; a status may be added.

        Raises
        ------
        InputError : another key, or more reasons than others read.
        """
        if present is None:
            return self
        if present.key != self.key:
            raise InputError(
                "the view has another key, by which others read it",
                where=spoken(name),
                got=", ".join(self.key),
                allowed=", ".join(present.key),
                fix="give --key as it was, or deploy under another name",
            )
        if self.reasons > present.reasons:
            raise InputError(
                "the view has fewer reasons, and its columns stay as others read them",
                where=spoken(name),
                got=self.reasons,
                allowed=f"at most {present.reasons}",
                fix=f"give --option reasons={present.reasons}, or deploy under another name",
            )
        return replace(present, status=present.status or self.status)

    def query(self, exporter: Any, version: Named, number: int, fingerprint: str, results: Collection[str]) -> str:
        """What the view selects of a version.

        Parameters
        ----------
        version : its view. results : the columns of that; what is not among them is NULL.
        """
        d, quoted = exporter.target, exporter.quoted
        decision = (
            f"CASE WHEN {quoted('approved')} = 1 THEN 'approved' WHEN {quoted('approved')} = 0 THEN 'declined' END"
        )
        texts = {"decision": decision}
        reasons = [f"reason_{i}" for i in range(1, self.reasons + 1)]
        for name in (*_OF_POLICY, *reasons, *(["status"] if self.status else [])):
            given = next((each for each in (name, f"{OF_DECLINED}{name}") if each in results), None)
            texts[name] = "NULL" if given is None else quoted(given)
        texts["model_fingerprint"] = exporter.literal(fingerprint)
        columns = [quoted(name) for name in self.key]
        columns.append(f"CAST({quoted('score')} AS {d.double}) AS {quoted('score')}")
        own = [name for name in texts if name not in ("model_fingerprint", "status")]
        columns += [f"CAST({texts[name]} AS {d.text}) AS {quoted(name)}" for name in own]
        columns.append(f"CAST({number} AS {d.integer}) AS {quoted('model_version')}")
        last = ["model_fingerprint", *(["status"] if self.status else [])]
        columns += [f"CAST({texts[name]} AS {d.text}) AS {quoted(name)}" for name in last]
        return f"SELECT {', '.join(columns)} FROM {quoted(version)}"


def _reasons(columns: Collection[str]) -> int:
    return sum(name.removeprefix(OF_DECLINED).startswith("reason_") for name in columns)
