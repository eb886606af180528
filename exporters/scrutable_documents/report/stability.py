"""The section on stability: how the applicants differ from those that the model was developed on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from scrutable.fairness import Thresholds
from scrutable.measures import ScoreBands, Stability
from scrutable.measures import stability as compared
from scrutable.model import Characteristic, RegressionScorecard, Scorecard
from scrutable.model.evaluator import RegressionEvaluation
from scrutable_documents.common.evaluated import Evaluated
from scrutable_documents.common.figures import decimals, percent
from scrutable_documents.common.part import ModelPart, told_by_part
from scrutable_documents.common.sections import Block, Gap, Paragraph, Section, Table
from scrutable_documents.report.options import named
from scrutable_documents.report.subject import Subject

_BINS = 10

Counts = NDArray[np.float64]


def stability(subject: Subject) -> Section:
    """The population stability index of each characteristic and of the score."""
    if subject.sample is None:
        none = Gap(f"No applicants to compare were given. Give them as {named('data')}.")
        return Section("stability", "Stability", [none])
    return Section("stability", "Stability", [Paragraph(_reading()), *told_by_part(subject.parts, _blocks)])


def _reading() -> str:
    """How the index is usually read: the thresholds that monitoring has by default."""
    usual = Thresholds()
    some, much = f"{usual.psi_warn:.2f}", f"{usual.psi_alert:.2f}"
    return (
        f"By the usual reading an index below {some} is little change, from {some} to {much} some, and above that much."
    )


def _blocks(part: ModelPart) -> Iterator[Block]:
    sample = part.sample
    if sample is None or not sample.n_rows:
        yield Gap("No applicant of the data belongs here.")
        return
    if isinstance(part.model, Scorecard | RegressionScorecard):
        yield from _characteristics(part, sample, part.model.characteristics)
    yield from _score(part, sample)


def _characteristics(
    part: ModelPart, sample: Evaluated, characteristics: tuple[Characteristic, ...]
) -> Iterator[Block]:
    titles = part.titles
    rows, size = [], float(sample.n_rows)
    for each in characteristics:
        expected = _expected(part, each, size)
        if expected is not None:
            names = list(each.titles)
            sizes = (expected[1], size)
            shift = compared(titles[each.feature], names, expected[0], _attributes_of(sample, each), sizes=sizes)
            rows.append([shift.name, decimals(shift.index), _largest_move(shift)])
    source = "the development sample" if part.reference is not None else "the shares of the attributes in training"
    headers = ("Characteristic", "PSI", "Largest change of a share")
    if rows:
        yield Table(caption=f"Characteristics, beside {source}", headers=headers, rows=rows, numbers=frozenset({1}))
    else:
        sample_of = f"Give the development sample as {named('reference')}."
        yield Gap(f"The model does not hold the shares of its attributes. {sample_of}")


def _expected(part: ModelPart, characteristic: Characteristic, rows: float) -> tuple[Counts, float] | None:
    """Counts by attribute to compare with, and of how many rows; None if the model does not hold them.

    Shares alone do not tell of how many rows they are: they are taken for those of as many as the applicants.
    """
    if part.reference is not None:
        of = float(part.reference.n_rows)
        return (_attributes_of(part.reference, characteristic), of) if of else None
    statistics = [each.statistics for each in characteristic.attributes]
    counts = np.array([0.0 if each is None else each.count for each in statistics])
    if counts.min() >= 0 and counts.any():
        return counts, float(counts.sum())
    shares = np.array([0.0 if each is None else each.share for each in statistics])
    return (shares, rows) if shares.min() >= 0 and shares.any() else None


def _attributes_of(sample: Evaluated, characteristic: Characteristic) -> Counts:
    positions = sample.evaluation.attribute[characteristic.feature]
    return np.bincount(positions, minlength=len(characteristic.attributes)).astype(float)


def _largest_move(shift: Stability) -> str:
    band = max(shift.bands, key=lambda band: abs(band.new - band.baseline))
    return f"{band.name}: {percent(band.baseline)} to {percent(band.new)}"


def _score(part: ModelPart, sample: Evaluated) -> Iterator[Block]:
    if sample.evaluation.score is None:
        return
    if part.reference is None or not part.reference.n_rows:
        given = f"Give them as {named('reference')}."
        yield Gap(f"Stability of the score needs the applicants it was developed on. {given}")
        return
    shift = _score_bands(part, part.reference, sample)
    rows = [[band.name, percent(band.baseline), percent(band.new)] for band in shift.bands]
    headers = ("Score", "Development sample", "These applicants")
    caption = f"Score: PSI {decimals(shift.index)} over tenths of the development sample"
    yield Table(caption=caption, headers=headers, rows=rows, numbers=frozenset({1, 2}))


def _score_bands(part: ModelPart, reference: Evaluated, sample: Evaluated) -> Stability:
    """The index over bands that are fixed on the reference, whoever a rule declines in a band of their own."""
    deciding = () if isinstance(part.model, RegressionScorecard) else part.model.policy.deciding
    declines = any(rule.declines for rule in deciding)
    first, second = _scored(reference), _scored(sample)
    inside = first[0][~first[1]]
    bands = ScoreBands.fixed_on(inside, np.ones(len(inside)), _BINS, declined_anyway=declines)
    names = bands.names
    before, now = (np.bincount(bands.index(*each), minlength=len(names)).astype(float) for each in (first, second))
    return compared("score", names, before, now)


def _scored(sample: Evaluated) -> tuple[Counts, NDArray[np.bool_]]:
    """(n,) scores, and whether a knock-out or an override declines the row."""
    evaluation = sample.evaluation
    assert evaluation.score is not None
    if isinstance(evaluation, RegressionEvaluation):
        return evaluation.score, np.zeros(sample.n_rows, dtype=bool)
    return evaluation.score, evaluation.knocked_out
