"""The section on stability: how the applicants differ from those that the model was developed on."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scrutable.model import Characteristic, RegressionScorecard, Scorecard
from scrutable.numerics.counts import population_stability_index
from scrutable_documents.common.figures import decimals, percent, points
from scrutable_documents.common.sections import Block, Gap, Heading, Paragraph, Section, Table
from scrutable_documents.report.options import named
from scrutable_documents.report.subject import Part, Sample, Subject

_BINS = 10
#: The usual reading of the index: Siddiqi, "Credit Risk Scorecards", 2006.
_READING = "By the usual reading an index below 0.10 is little change, from 0.10 to 0.25 some, and above that much."

Counts = NDArray[np.float64]


def stability(subject: Subject) -> Section:
    """The population stability index of each characteristic and of the score."""
    if subject.sample is None:
        none = Gap(f"No applicants to compare were given. Give them as {named('data')}.")
        return Section("stability", "Stability", [none])
    blocks: list[Block] = [Paragraph(_READING)]
    for part in subject.parts:
        if part.segment:
            blocks.append(Heading(f"Segment {part.segment}"))
        blocks += _blocks(part)
    return Section("stability", "Stability", blocks)


def _blocks(part: Part) -> Iterator[Block]:
    sample = part.sample
    if sample is None or not sample.n_rows:
        yield Gap("No applicant of the data belongs here.")
        return
    if isinstance(part.model, Scorecard | RegressionScorecard):
        yield from _characteristics(part, sample, part.model.characteristics)
    yield from _score(part, sample)


def _characteristics(part: Part, sample: Sample, characteristics: tuple[Characteristic, ...]) -> Iterator[Block]:
    titles = {feature.name: feature.title for feature in part.model.features}
    rows = []
    for each in characteristics:
        expected = _expected(part, each)
        if expected is not None:
            actual = _attributes_of(sample, each)
            index = population_stability_index(expected, actual)
            rows.append([titles[each.feature], decimals(index), _largest_move(each, expected, actual)])
    source = "the development sample" if part.reference is not None else "the shares of the attributes in training"
    headers = ("Characteristic", "PSI", "Largest change of a share")
    if rows:
        yield Table(caption=f"Characteristics, beside {source}", headers=headers, rows=rows, numbers=frozenset({1}))
    else:
        sample_of = f"Give the development sample as {named('reference')}."
        yield Gap(f"The model does not hold the shares of its attributes. {sample_of}")


def _expected(part: Part, characteristic: Characteristic) -> Counts | None:
    if part.reference is not None:
        return _attributes_of(part.reference, characteristic) if part.reference.n_rows else None
    shares = [0.0 if each.statistics is None else each.statistics.share for each in characteristic.attributes]
    return np.array(shares) if min(shares) >= 0 and math.fsum(shares) > 0 else None


def _attributes_of(sample: Sample, characteristic: Characteristic) -> Counts:
    found = sample.found.attribute[characteristic.feature]
    return np.bincount(found, minlength=len(characteristic.attributes)).astype(float)


def _largest_move(characteristic: Characteristic, expected: Counts, actual: Counts) -> str:
    before, after = expected / expected.sum(), actual / actual.sum()
    at = int(np.argmax(np.abs(after - before)))
    return f"{characteristic.attributes[at].title}: {percent(before[at])} to {percent(after[at])}"


def _score(part: Part, sample: Sample) -> Iterator[Block]:
    ours, theirs = sample.found.score, None if part.reference is None else part.reference.found.score
    if ours is None:
        return
    if theirs is None or not len(theirs):
        given = f"Give them as {named('reference')}."
        yield Gap(f"Stability of the score needs the applicants it was developed on. {given}")
        return
    cuts = np.unique(np.quantile(theirs, np.linspace(0, 1, _BINS + 1)[1:-1]))
    expected, actual = (
        np.bincount(np.searchsorted(cuts, scores, side="right"), minlength=len(cuts) + 1) for scores in (theirs, ours)
    )
    kept = (expected > 0) | (actual > 0)
    index = population_stability_index(expected[kept], actual[kept])
    ends = [-math.inf, *cuts.tolist(), math.inf]
    rows = [
        [_between(low, high), percent(before / len(theirs)), percent(after / len(ours))]
        for (low, high), before, after in zip(pairwise(ends), expected, actual, strict=True)
    ]
    headers = ("Score", "Development sample", "These applicants")
    caption = f"Score: PSI {decimals(index)} over tenths of the development sample"
    yield Table(caption=caption, headers=headers, rows=rows, numbers=frozenset({1, 2}))


def _between(low: float, high: float) -> str:
    if math.isinf(low):
        return "all" if math.isinf(high) else f"below {points(high)}"
    return f"{points(low)} or more" if math.isinf(high) else f"{points(low)} to {points(high)}"
