"""A baseline's counts as they may be written down: none that stands for fewer rows than may be told of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from scrutable.data import Floats
from scrutable.fairness import Thresholds
from scrutable.measures import ScoreBands
from scrutable.model import Characteristic, DecisionModel, Missing, RuleSet, SegmentedModel
from scrutable.model.program import MISSING_IN, UNSEEN_IN, Program, WatchedPart, watched
from scrutable.plugins.bases import Distribution, Level
from scrutable_lifecycle.monitoring.characteristics import Divided, divided
from scrutable_lifecycle.monitoring.model_drift import (
    APPLIES,
    is_compared,
    names_of_rules,
    score_bands,
    within_segment,
)
from scrutable_lifecycle.monitoring.reasons import NO_REASON
from scrutable_lifecycle.monitoring.sample import Part, Sample


class BaselineCounts:
    """What is counted of a model, with the counts of a baseline, in the order of `Monitoring.checks`.

    Parameters
    ----------
    least : counts of fewer rows are put together with others.
    """

    def __init__(self, model: DecisionModel, sample: Sample, limits: Thresholds, bands: int, least: int) -> None:
        self._model, self._sample, self._limits, self._least = model, sample, limits, least
        rows = [part.rows for part in sample.parts]
        told = pooled_levels([""] * len(rows), rows, range(len(rows)), least)
        alone = {level.places[0] for level in told if len(level.places) == 1}
        self._parts = [
            _CountedPart.of(number, part, bands) if number in alone and is_compared(part) else None
            for number, part in enumerate(sample.parts)
        ]
        self._together: list[str] = []
        self.distributions = tuple(self._all())

    @cached_property
    def program(self) -> Program:
        """What gives the places of each row."""
        nothing = WatchedPart(cuts=(), declined_anyway=False, cells={})
        parts = [nothing if each is None else each.told_apart for each in self._parts]
        codes: list[str | None] = [*self._sample.reasons.texts, None]
        return watched(self._model, parts, {code: number for number, code in enumerate(codes)})

    def notes(self) -> Iterator[str]:
        """What is not written, or written otherwise than `monitor` has it."""
        if self._together:
            few = f"fewer than {self._least} rows of the baseline"
            yield f"Put together or left out, for {few}: {'; '.join(self._together)}."
        both = zip(self._sample.parts, self._parts, strict=True)
        if left_out := [part.segment or "all" for part, own in both if own is None]:
            yield f"Not watched, for too few rows of the baseline: {', '.join(left_out)}."
        if isinstance(self._model, SegmentedModel):
            yield "Without the index of the probability over all segments, in whose last place engines differ."

    def _all(self) -> Iterator[Distribution]:
        yield from self._approvals()
        yield from self._segments()
        for part in filter(None, self._parts):
            yield from self._of_part(part)
        yield from self._reasons()
        yield from self._inputs()

    def _approvals(self) -> Iterator[Distribution]:
        profiles = self._sample.profiles
        approved = round(profiles.size(profiles.approved))
        level = Level(name="approved", places=(1,), count=self._told(approved, profiles.rows - approved))
        yield Distribution(
            measure="approval rate", subject="all", outputs=("approved",), levels=(level,), rows=profiles.rows
        )

    def _segments(self) -> Iterator[Distribution]:
        if isinstance(self._model, SegmentedModel):
            profiles, names = self._sample.profiles, [segment.name for segment in self._model.segments]
            assert profiles.segment is not None
            counts = profiles.sizes(profiles.segment, len(names))
            yield from self._indexed("psi", "segments", "segment", names, counts)

    def _of_part(self, part: _CountedPart) -> Iterator[Distribution]:
        number, within = part.number, within_segment(part.part.segment)
        yield from self._indexed("psi", f"score{within}", f"band_{number}", part.bands.names, part.in_bands)
        for each in part.divided:
            what, name = each.key
            output = f"{'attribute' if what == 'term' else 'cell'}_{number}_{name}"
            counts = each.sizes(part.part.distributed)
            yield from self._indexed("csi", f"{each.title}{within}", output, each.names, counts)
        if isinstance(part.part.model, RuleSet):
            named = zip(names_of_rules(part.part.model), part.part.distributed.rules, strict=True)
            for rule, (name, hits) in enumerate(named):
                both = [float(hits), float(part.part.rows - hits)]
                yield from self._indexed("csi", f"rule {name}{within}", f"rule_{number}_{rule}", APPLIES, both, (1, 0))

    def _reasons(self) -> Iterator[Distribution]:
        reasons, profiles = self._sample.reasons, self._sample.profiles
        declined = int(profiles.count[reasons.counts(profiles.approved, profiles.weight, profiles.segment)].sum())
        if not reasons.texts or not declined:
            return
        if self._told(declined, profiles.rows - declined) is None:
            self._together.append("reasons")
            return
        yield from self._indexed("psi", "first reason", "reason_1", [*reasons.texts, NO_REASON], reasons.first)
        names = [name for name in self.program.names if name.startswith("reason_")]
        if len(names) == 1:
            return
        both = (list(map(int, counts)) for counts in (reasons.any, reasons.first))
        levels = [
            Level(name=code, places=(place,), count=self._told(count, declined - count, count - first))
            for place, (code, count, first) in enumerate(zip(reasons.texts, *both, strict=False))
        ]
        yield Distribution(
            measure="reason", subject="any reason", outputs=tuple(names), levels=tuple(levels), rows=declined
        )

    def _inputs(self) -> Iterator[Distribution]:
        """Rates of missing values, beside those of the baseline where it has them by themselves, and of unseen ones."""
        titles = {feature.name: feature.title for feature in self.program.features}
        for prefix, measure in ((MISSING_IN, "missing"), (UNSEEN_IN, "unseen")):
            for output in self.program.names:
                if not output.startswith(prefix):
                    continue
                name = output.removeprefix(prefix)
                count = self._missing(name) if prefix == MISSING_IN else None
                yield Distribution(
                    measure=measure,
                    subject=titles[name],
                    outputs=(output,),
                    levels=(Level(name="", places=(1,), count=count),),
                    rows=None if count is None else self._sample.profiles.rows,
                )

    def _missing(self, feature: str) -> int | None:
        counts = [None if each is None else each.missing(feature, self._least) for each in self._parts]
        return None if None in counts else sum(filter(None, counts))

    def _indexed(
        self,
        measure: Literal["psi", "csi"],
        subject: str,
        output: str,
        names: Sequence[str],
        counts: Iterable[float],
        places: Sequence[int] | None = None,
    ) -> Iterator[Distribution]:
        """A distribution with an index; none where all of it would be put together."""
        whole = list(map(int, counts))
        levels = pooled_levels(names, whole, range(len(whole)) if places is None else places, self._least)
        if len(levels) < len(whole):
            self._together.append(subject)
        if len(levels) == 1 < len(whole):
            return
        limits = self._limits
        warn, alert = (limits.psi_warn, limits.psi_alert) if measure == "psi" else (limits.csi_warn, limits.csi_alert)
        yield Distribution(
            measure=measure,
            subject=subject,
            outputs=(output,),
            levels=levels,
            rows=sum(whole),
            warn=warn,
            alert=alert,
        )

    def _told(self, count: int, *others: int) -> int | None:
        """A count of some rows, unless it is of few, or one of those that it gives away beside what else is written."""
        return None if any(0 < rows < self._least for rows in (count, *others)) else count


@dataclass(frozen=True, slots=True, kw_only=True)
class _CountedPart:
    """The model, or that of a segment, with what it is divided into."""

    number: int
    part: Part
    bands: ScoreBands
    in_bands: Floats
    divided: tuple[Divided, ...]

    @classmethod
    def of(cls, number: int, part: Part, bands: int) -> _CountedPart:
        profiles = part.profiles
        assert profiles is not None
        fixed = score_bands(part.model, profiles, bands)
        index = fixed.index(profiles.ranking, profiles.knocked_out)
        return cls(
            number=number,
            part=part,
            bands=fixed,
            in_bands=profiles.sizes(index, len(fixed.names)),
            divided=tuple(divided(part, bands)),
        )

    @property
    def told_apart(self) -> WatchedPart:
        """What the program tells apart."""
        cells = self.part.distributed.watched.cells
        return WatchedPart(
            cuts=self.bands.cuts,
            declined_anyway=self.bands.declined_anyway,
            cells={
                each.key[1]: cells[each.key[1]].ladder(each.bands.tolist())
                for each in self.divided
                if each.key[0] == "cells"
            },
        )

    def missing(self, feature: str, least: int) -> int | None:
        """How many rows lack a feature; None where that is not counted by itself."""
        for each in self.divided:
            what, name = each.key
            place = 0 if what == "cells" else self._missing_attribute(name)
            if name == feature and place is not None:
                counts = list(map(int, each.sizes(self.part.distributed)))
                levels = pooled_levels(each.names, counts, range(len(counts)), least)
                return next((level.count for level in levels if level.places == (place,)), None)
        return None

    def _missing_attribute(self, name: str) -> int | None:
        """The place of the attribute of missing values; None of an interaction."""
        term = self.part.distributed.watched.terms[name]
        attributes = term.attributes if isinstance(term, Characteristic) else ()
        return next((place for place, each in enumerate(attributes) if isinstance(each.condition, Missing)), None)


def pooled_levels(names: Sequence[str], counts: Sequence[int], places: Sequence[int], least: int) -> tuple[Level, ...]:
    """The levels of a distribution, with those of few rows put together: among them, or else with the next smallest.

    Levels of nobody tell of nobody, and stay.

    >>> [(level.name, level.places, level.count) for level in pooled_levels("abc", [9, 2, 0], range(3), 5)]
    [('a or b', (0, 1), 11), ('c', (2,), 0)]
    >>> [level.name for level in pooled_levels("abc", [9, 2, 3], range(3), 5)]
    ['a', 'b or c']
    """
    few = [place for place, count in enumerate(counts) if 0 < count < least]
    if few and sum(counts[place] for place in few) < least:
        enough = [place for place, count in enumerate(counts) if count >= least]
        few = sorted([*few, min(enough, key=counts.__getitem__)]) if enough else list(range(len(counts)))
    groups = [few if place in few else [place] for place in range(len(counts)) if place not in few[1:]]
    return tuple(
        Level(
            name=" or ".join(names[each] for each in group),
            places=tuple(places[each] for each in group),
            count=sum(counts[each] for each in group),
        )
        for group in groups
    )
