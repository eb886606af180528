"""The importer `house-card`: a scorecard as the house's own system keeps it.

    {"format": "house-card", "base": 400, "cutoff": 450,
     "characteristics": {"income": {"from": [null, 1500, 4000], "points": [10, 45, 80], "missing": 15}}}

Every characteristic is a number; each entry of `from` is where points begin, the first one `null`.
"""

from __future__ import annotations

import hashlib
import json
from itertools import zip_longest
from pathlib import Path
from typing import Any

from scrutable.errors import InputError
from scrutable.model import (
    Attribute,
    Calibration,
    Characteristic,
    Feature,
    Interval,
    Missing,
    Outcome,
    Provenance,
    Scorecard,
)
from scrutable.plugins.bases import Finding, Imported, Importer, ImportReport

FORMAT = "house-card"


class HouseCardImporter(Importer):
    """A scorecard from the house's own file.

    Parameters
    ----------
    outcome : the target, its classes, and which of them is favourable; bad and good if not given.
    cutoff : the least score that is approved; the file's if not given.
    """

    def __init__(self, *, outcome: Outcome | None = None, cutoff: float | None = None) -> None:
        self.outcome = outcome
        self.cutoff = cutoff

    def recognises(self, source: Path) -> bool:
        """Whether it is JSON that says that it is a house card."""
        if source.suffix != ".json":
            return False
        try:
            content = json.loads(source.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return False
        return isinstance(content, dict) and content.get("format") == FORMAT

    def read(self, source: Path) -> Imported:
        """The scorecard of the file."""
        if not self.recognises(source):
            raise InputError("no house card", where=f"file {str(source)!r}", fix="save it from the house's own system")
        text = source.read_bytes()
        content = json.loads(text)
        characteristics = tuple(_characteristic(*item) for item in content["characteristics"].items())
        cutoff = content["cutoff"] if self.cutoff is None else self.cutoff
        model = Scorecard(
            outcome=self.outcome or Outcome(classes=("bad", "good"), favourable="good"),
            features=tuple(Feature(name=each.feature, kind="numeric") for each in characteristics),
            characteristics=characteristics,
            base_points=content["base"],
            cutoff=cutoff,
            calibration=Calibration(slope=0.0),
            provenance=Provenance(learner="imported"),
        )
        where = "the file" if self.cutoff is None else "the option"
        findings = (
            Finding(kind="assumption", where="probability", what="1/2 for everybody, as the file tells none"),
            Finding(kind="note", where="cutoff", what=f"{cutoff:g}, from {where}"),
        )
        report = ImportReport(layout=FORMAT, fingerprint=hashlib.sha256(text).hexdigest(), findings=findings)
        return Imported(model=model, report=report)


def _characteristic(name: str, told: dict[str, Any]) -> Characteristic:
    starts, points = told["from"], told["points"]
    if "missing" not in told:
        raise InputError("no points for missing values", where=f"characteristic {name!r}", fix="add them as missing")
    if len(starts) != len(points) or starts[:1] != [None]:
        raise InputError("not one start for each points, the first null", where=f"characteristic {name!r}", got=starts)
    intervals = [
        Interval(
            **({} if lower is None else {"lower": float(lower)}), **({} if upper is None else {"upper": float(upper)})
        )
        for lower, upper in zip_longest(starts, starts[1:])
    ]
    attributes = [Attribute(condition=each, points=its) for each, its in zip(intervals, points, strict=True)]
    missing = Attribute(condition=Missing(), points=told["missing"])
    return Characteristic(feature=name, attributes=(*attributes, missing))
