"""Drift of the inputs and the score of one model, which is the whole or that of a segment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scrutable.data import Bools
from scrutable.measures import ScoreBands, Scored, Stability, score_sparingly, sizes_of, stability
from scrutable.model import DecisionModel, RuleSet, SegmentedModel, SingleModel
from scrutable.model.rulesets import hits_of
from scrutable.writing import plain
from scrutable_lifecycle.monitoring.characteristics import characteristic_stability
from scrutable_lifecycle.monitoring.histograms import Histogram, histogram


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDrift:
    """What drifted in a model, or in the model of a segment.

    Parameters
    ----------
    segment : its name; None where the model is the whole.
    baseline_rows, new_rows : applicants of it; where there are none on a side, nothing is compared.
    cutoff : the score from which on applicants are approved.
    baseline_mean, new_mean : mean score, that of declined applicants included.
    score : the index of the score.
    histogram : the distribution of the score.
    characteristics : the index of each characteristic. For a scorecard, whose interactions are among them, their shifts
        add up to that of the mean score, score adjustments aside.
    rules : rule sets: of each rule, and last of the fallback, the share of applicants that it applies to.
    """

    segment: str | None
    baseline_rows: int
    new_rows: int
    cutoff: float | None = None
    baseline_mean: float = float("nan")
    new_mean: float = float("nan")
    score: Stability | None = None
    histogram: Histogram | None = None
    characteristics: tuple[Stability, ...] = ()
    rules: tuple[Stability, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        return {
            "segment": self.segment,
            "rows": {"baseline": self.baseline_rows, "new": self.new_rows},
            "cutoff": self.cutoff,
            "mean_score": {"baseline": plain(self.baseline_mean), "new": plain(self.new_mean)},
            "score": None if self.score is None else self.score.to_dict(),
            "histogram": None if self.histogram is None else self.histogram.to_dict(),
            "characteristics": [each.to_dict() for each in self.characteristics],
            "rules": [each.to_dict() for each in self.rules],
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Inside:
    """The applicants whom a model, or the model of a segment, decides about.

    Parameters
    ----------
    segment : its name; None where the model is the whole.
    rows : (n,) which applicants of the sample.
    sample : these, evaluated by their own model; None if there are none.
    """

    segment: str | None
    model: SingleModel
    rows: Bools
    sample: Scored | None


def parts_of(model: DecisionModel, baseline: Scored, new: Scored, bands: int) -> Iterator[ModelDrift]:
    """The parts of a model: itself, or each of its segments."""
    return compared_parts(insides_of_both(model, baseline, new), bands)


def insides_of_both(model: DecisionModel, baseline: Scored, new: Scored) -> tuple[tuple[Inside, Inside], ...]:
    """The applicants of either sample, of the whole model or of each of its segments."""
    return tuple(zip(_insides_of(model, baseline), _insides_of(model, new), strict=True))


def compared_parts(insides: Sequence[tuple[Inside, Inside]], bands: int) -> Iterator[ModelDrift]:
    """The parts, of applicants who are evaluated already."""
    for before, now in insides:
        if before.sample is not None and now.sample is not None:
            yield _part(before.segment, before.model, before.sample, now.sample, bands)
        else:
            rows = int(before.rows.sum()), int(now.rows.sum())
            yield ModelDrift(segment=before.segment, baseline_rows=rows[0], new_rows=rows[1])


def _insides_of(model: DecisionModel, sample: Scored) -> list[Inside]:
    """The applicants of a model, or those of each of its segments."""
    if not isinstance(model, SegmentedModel):
        return [Inside(segment=None, model=model, rows=np.ones(sample.cohort.rows, dtype=bool), sample=sample)]
    insides = []
    for segment in model.segments:
        rows = sample.evaluation.of_segment(segment.name)
        inside = score_sparingly(segment.model, sample.cohort.subset(rows)) if rows.any() else None
        insides.append(Inside(segment=segment.name, model=segment.model, rows=rows, sample=inside))
    return insides


def segment_stability(model: DecisionModel, baseline: Scored, new: Scored) -> Stability | None:
    """The index of the segments' shares; None for a model without segments."""
    if not isinstance(model, SegmentedModel):
        return None
    names = [segment.name for segment in model.segments]
    position = {name: place for place, name in enumerate(names)}
    before, now = (_segment_counts(sample, position) for sample in (baseline, new))
    return stability("segments", names, before, now, sizes=sizes_of(baseline.cohort, new.cohort))


def score_bands(model: DecisionModel, baseline: Scored, bands: int) -> ScoreBands:
    """The bands of a model's score, or of segments those of the probability, fixed on the baseline."""
    declines = any(rule.declines for each in model.parts for rule in each.policy.deciding)
    return ScoreBands.of(baseline, bands, declined_anyway=declines)


def _part(segment: str | None, model: SingleModel, baseline: Scored, new: Scored, bands: int) -> ModelDrift:
    if not baseline.cohort.weight.any() or not new.cohort.weight.any():
        return ModelDrift(segment=segment, baseline_rows=baseline.cohort.rows, new_rows=new.cohort.rows)
    before, now = (each.cohort.mean(each.score, np.ones(each.cohort.rows, dtype=bool)) for each in (baseline, new))
    return ModelDrift(
        segment=segment,
        baseline_rows=baseline.cohort.rows,
        new_rows=new.cohort.rows,
        cutoff=model.cutoff,
        baseline_mean=before,
        new_mean=now,
        score=score_bands(model, baseline, bands).compare(baseline, new),
        histogram=histogram(baseline, new),
        characteristics=characteristic_stability(model, baseline, new, bands),
        rules=tuple(_rules(model, baseline, new)) if isinstance(model, RuleSet) else (),
    )


def _rules(model: RuleSet, baseline: Scored, new: Scored) -> Iterator[Stability]:
    titles = {feature.name: feature for feature in model.features}
    names = [f"{number}: {rule.describe(titles)}" for number, rule in enumerate(model.rules, 1)]
    hits = [hits_of(model.rules, model, sample.cohort.table) for sample in (baseline, new)]
    hits = [np.column_stack([each, ~each.any(axis=1)]) for each in hits]
    for position, name in enumerate([*names, "fallback, where no rule applies"]):
        before, now = (
            sample.cohort.sizes(np.where(each[:, position], 0, 1), 2)
            for sample, each in zip((baseline, new), hits, strict=True)
        )
        yield stability(name, ["applies", "does not apply"], before, now, sizes=sizes_of(baseline.cohort, new.cohort))


def _segment_counts(sample: Scored, position: dict[str, int]) -> Any:
    assert sample.evaluation.segment is not None
    index = np.array([position[name] for name in sample.evaluation.segment.tolist()], dtype=np.intp)
    return sample.cohort.sizes(index, len(position))
