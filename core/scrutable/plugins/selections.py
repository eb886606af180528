"""Which characteristics a model was given, and why the others were not: a selection with its log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from scrutable.data.frames import PANDAS, rows_like
from scrutable.data.values import Json, freeze
from scrutable.model import FrozenMapping
from scrutable.model.metric_entries import MetricEntry

#: The entry of the metrics that has the selection.
SELECTION = "selection"
#: What the audit trail of bins calls it that a characteristic left.
LEFT_OUT = "left out"
#: The step of those that a person took out.
BY_HAND = "by hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectionEntry:
    """One characteristic that left, or that stays although a step would have dropped it.

    Parameters
    ----------
    feature : its name.
    step : what looked at it, in a word or two, such as "correlation".
    reason : a clause without a full stop.
    kept : whether it stays.
    figure : what was measured.
    threshold : what the figure was held against.
    other : the characteristic that it was compared with.
    who : the person who decided it; nobody where the selector did.

    Examples
    --------
    >>> SelectionEntry(feature="shoe size", step="floor", reason="its information value is 0.001").describe()
    'shoe size: its information value is 0.001 (floor)'
    """

    feature: str
    step: str
    reason: str
    kept: bool = False
    figure: float | None = None
    threshold: float | None = None
    other: str = ""
    who: str = ""

    def describe(self) -> str:
        """The entry as a line."""
        return f"{self.feature}: {self.reason} ({self.step}{self.who and f', {self.who}'})"


@dataclass(frozen=True, kw_only=True, repr=False)
class Selection(MetricEntry):
    """What a selector kept and dropped.

    A learner that selects puts `Selection(...).to_json()` into the metrics of its evidence, as `SELECTION`; `scrutable
    fit`, `show` and the model's document then tell it.

    Parameters
    ----------
    selector : what selected.
    considered : number of characteristics that there were.
    kept : names of those that stay, in the order of the inputs.
    log : an entry for each one that left, in the order in which they did, and for each one that stays because it must.
    about : what is to be said of the selection as a whole, in sentences.

    Examples
    --------
    >>> dropped = SelectionEntry(feature="shoe size", step="floor", reason="its information value is 0.001")
    >>> selection = Selection(selector="iv", considered=2, kept=("age",), log=(dropped,))
    >>> print(*selection.lines(), sep="\\n")
    Selection by iv: 1 of 2 characteristics kept
      shoe size: its information value is 0.001 (floor)
    """

    entry = SELECTION
    missing = "there is no selection"

    selector: str
    considered: int
    kept: tuple[str, ...]
    log: tuple[SelectionEntry, ...] = ()
    about: str = ""

    @property
    def dropped(self) -> tuple[SelectionEntry, ...]:
        """The entries of those that left."""
        return tuple(entry for entry in self.log if not entry.kept)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {**asdict(self), "kept": list(self.kept), "log": [asdict(entry) for entry in self.log]}

    def frame(self) -> Any:
        """A row for each entry of the log."""
        return rows_like(map(asdict, self.log), PANDAS)

    def lines(self, most: int | None = None) -> Iterator[str]:
        """The selection for people.

        Parameters
        ----------
        most : entries that are told one by one; the others are counted. All when None.
        """
        header = f"Selection by {self.selector}: {len(self.kept):,} of {self.considered:,} characteristics kept"
        yield header if self.kept else f"{header}, so all have one score; select=None (--option select=null) keeps all"
        yield from [self.about] if self.about else []
        yield from (f"  {entry.describe()}" for entry in self.log[:most])
        if most is not None and (further := len(self.log) - most) > 0:
            steps = Counter(entry.step for entry in self.log[most:])
            counted = ", ".join(f"{number:,} by {step}" for step, number in steps.items())
            yield f"  and {further:,} more, which the evidence names: {counted}"

    def audit(self) -> tuple[Mapping[str, str], ...]:
        """Those that left as entries of the audit trail of bins."""
        return tuple(
            {
                "feature": entry.feature,
                "action": LEFT_OUT,
                "detail": entry.step,
                "who": entry.who or f"selector {self.selector}",
                "why": entry.reason,
            }
            for entry in self.dropped
        )

    def recorded(self, binning: FrozenMapping[Json]) -> FrozenMapping[Json]:
        """Binning tables and audit trail as an evidence file holds them, with the entries of those that left.

        What a person decided in the review of the bins stands in their trail, and is not told twice.
        """
        trail: Any = binning.get("audit", ())
        told = {(each["feature"], BY_HAND) for each in trail if each["action"] == "select"}
        left = (each for each in self.audit() if (each["feature"], each["detail"]) not in told)
        return FrozenMapping({**binning, "audit": freeze([*trail, *left])})

    def __repr__(self) -> str:
        return f"Selection({self.selector}, {len(self.kept)} of {self.considered} kept)"
