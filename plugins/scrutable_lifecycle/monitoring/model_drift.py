"""Drift of the inputs and the score of one model, which is the whole or that of a segment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from scrutable.data import Bools
from scrutable.errors import InputError
from scrutable.measures import ScoreBands, Stability, stability
from scrutable.model import DecisionModel, Model, Quantity, RegressionScorecard, RuleSet, SegmentedModel
from scrutable.writing import plain
from scrutable_lifecycle.monitoring.characteristics import characteristic_stability
from scrutable_lifecycle.monitoring.histograms import Histogram, histogram
from scrutable_lifecycle.monitoring.profiles import Profiles
from scrutable_lifecycle.monitoring.sample import Part, Sample

#: What a rule does of a row.
APPLIES = ("applies", "does not apply")


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


def decision_model(model: Model) -> DecisionModel:
    """The model, if it decides between two classes.

    Raises
    ------
    InputError : a model of more than two classes or of a quantity.
    """
    if not isinstance(model, RegressionScorecard) and model.outcome.binary:
        return model
    quantity = isinstance(model.outcome, Quantity)
    raise InputError(
        "the model does not decide between two classes",
        where="model",
        got="a model of a quantity" if quantity else "a model of more than two classes",
        allowed="a model with a score and a cutoff",
        fix="`scrutable report --data FILE --reference FILE` shows the stability of its inputs",
    )


def within_segment(segment: str | None) -> str:
    """What follows a subject that is one of a segment; nothing where the model is the whole."""
    return "" if segment is None else f", segment {segment}"


def compared_parts(baseline: Sample, new: Sample, bands: int) -> Iterator[ModelDrift]:
    """The parts of a model: itself, or each of its segments."""
    for before, now in zip(baseline.parts, new.parts, strict=True):
        if is_compared(before) and is_compared(now):
            yield _part(before, now, bands)
        else:
            yield ModelDrift(segment=before.segment, baseline_rows=before.rows, new_rows=now.rows)


def is_compared(part: Part) -> bool:
    """Whether there is anybody of weight in a part."""
    return part.profiles is not None and bool(part.profiles.weight.any())


def segment_stability(model: DecisionModel, baseline: Sample, new: Sample) -> Stability | None:
    """The index of the segments' shares; None for a model without segments."""
    if not isinstance(model, SegmentedModel):
        return None
    names = [segment.name for segment in model.segments]
    before, now = (_segment_counts(sample.profiles, len(names)) for sample in (baseline, new))
    return stability("segments", names, before, now, sizes=sizes_of(baseline.profiles, new.profiles))


def score_bands(model: DecisionModel, baseline: Profiles, bands: int) -> ScoreBands:
    """The bands of a model's score, or of segments those of the probability, fixed on the baseline."""
    declines = any(rule.declines for each in model.parts for rule in each.policy.deciding)
    inside = baseline.subset(~baseline.knocked_out & (baseline.weight > 0))
    return ScoreBands.fixed_on(inside.ranking, inside.weight * inside.count, bands, declined_anyway=declines)


def score_stability(bands: ScoreBands, baseline: Profiles, new: Profiles, rows: Bools | None = None) -> Stability:
    """The index of what is ranked by, of all new applicants or of some."""
    names = bands.names
    before, now = (
        sample.sizes(bands.index(sample.ranking, sample.knocked_out), len(names), chosen)
        for sample, chosen in ((baseline, None), (new, rows))
    )
    return stability(baseline.ranked_by, names, before, now, sizes=sizes_of(baseline, new, rows))


def sizes_of(baseline: Profiles, new: Profiles, rows: Bools | None = None) -> tuple[float, float]:
    """Effective numbers of applicants of two samples; of the second one of all or of some."""
    chosen = new.everybody if rows is None else rows
    return baseline.effective_size(baseline.everybody), new.effective_size(chosen)


def _part(baseline: Part, new: Part, bands: int) -> ModelDrift:
    first, second = baseline.profiles, new.profiles
    assert first is not None
    assert second is not None
    before, now = (each.mean(each.score, each.everybody) for each in (first, second))
    sizes = sizes_of(first, second)
    return ModelDrift(
        segment=new.segment,
        baseline_rows=first.rows,
        new_rows=second.rows,
        cutoff=new.model.cutoff,
        baseline_mean=before,
        new_mean=now,
        score=score_stability(score_bands(new.model, first, bands), first, second),
        histogram=histogram(first, second),
        characteristics=characteristic_stability(baseline, new, bands, sizes),
        rules=tuple(_rules(baseline, new, sizes)) if isinstance(new.model, RuleSet) else (),
    )


def _rules(baseline: Part, new: Part, sizes: tuple[float, float]) -> Iterator[Stability]:
    assert isinstance(new.model, RuleSet)
    for name, *hits in zip(names_of_rules(new.model), baseline.distributed.rules, new.distributed.rules, strict=True):
        before, now = (
            np.array([float(applies), float(_weight(part) - applies)])
            for part, applies in zip((baseline, new), hits, strict=True)
        )
        yield stability(name, list(APPLIES), before, now, sizes=sizes)


def names_of_rules(model: RuleSet) -> list[str]:
    """What each rule asks, and last the fallback."""
    titles = {feature.name: feature for feature in model.features}
    names = [f"{number}: {rule.describe(titles)}" for number, rule in enumerate(model.rules, 1)]
    return [*names, "fallback, where no rule applies"]


def _weight(part: Part) -> Fraction:
    assert part.profiles is not None
    return part.profiles.total(part.profiles.everybody)


def _segment_counts(sample: Profiles, segments: int) -> Any:
    assert sample.segment is not None
    return sample.sizes(sample.segment, segments)
