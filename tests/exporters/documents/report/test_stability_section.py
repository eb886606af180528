"""The document's section on stability shows the figures of `scrutable monitor`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scrutable import create
from scrutable.data.datasets import load_german_credit
from scrutable.model import Characteristic, Clause, Interval, Override, Policy, Scorecard
from scrutable_documents.common.sections import Paragraph, Table
from scrutable_documents.report import stability as section
from scrutable_documents.report.options import ReportOptions
from scrutable_documents.report.subject import read_subject
from scrutable_lifecycle.monitoring import Thresholds, monitor

DATA = load_german_credit()


@pytest.fixture(scope="module")
def card() -> Scorecard:
    learner = create("learner", "scorecard", binner="quantile", favourable="good")
    fitted: Scorecard = learner.fit(DATA.X[:600], DATA.y[:600]).model_
    return fitted


def _tables(model: Scorecard, **options: Any) -> list[Table]:
    subject = read_subject(model, None, ReportOptions(**options))
    return [block for block in section.stability(subject).blocks if isinstance(block, Table)]


def test_whoever_an_untold_override_declines_is_in_a_band_apart(card: Scorecard) -> None:
    long = (Clause("duration_months", (Interval(lower=36),)),)
    override = Override(code="O1", reason="Long loan", decision="decline", when=long, explained=False)
    model = replace(card, policy=Policy(overrides=(override,)))
    [part] = monitor(model, DATA.X[:600], DATA.X[600:], n_boot=5).parts
    *_, score = _tables(model, data=DATA.X[600:], reference=DATA.X[:600])
    assert part.score is not None
    assert [row[0] for row in score.rows] == [band.name for band in part.score.bands]
    assert f"Score: PSI {part.score.index:.3f} over" in score.caption


def test_the_indices_are_those_of_monitoring(card: Scorecard) -> None:
    """Also where one side lacks an attribute: no index is infinite."""
    new = DATA.X[600:].assign(savings="never seen before")
    [part] = monitor(card, DATA.X[:600], new, n_boot=5).parts
    characteristics, score = _tables(card, data=new, reference=DATA.X[:600])
    told = {row[0]: row[1] for row in characteristics.rows}
    assert told == {each.name: f"{each.index:.3f}" for each in part.characteristics}
    assert part.score is not None
    assert f"Score: PSI {part.score.index:.3f} over" in score.caption
    assert [row[0] for row in score.rows] == [band.name for band in part.score.bands]
    assert float(told["Savings"]) > 1


def test_the_reading_is_that_of_monitoring(card: Scorecard, monkeypatch: pytest.MonkeyPatch) -> None:
    subject = read_subject(card, None, ReportOptions(data=DATA.X[600:]))

    def told() -> str:
        return " ".join(block.text for block in section.stability(subject).blocks if isinstance(block, Paragraph))

    usual = "By the usual reading an index below 0.10 is little change, from 0.10 to 0.25 some, and above that much."
    assert told() == usual
    monkeypatch.setattr(section, "Thresholds", lambda: Thresholds(psi_warn=0.05, psi_alert=0.3))
    assert told() == usual.replace("0.10", "0.05").replace("0.25", "0.30")


def test_counts_of_training_stand_for_the_development_sample(card: Scorecard) -> None:
    new = DATA.X[600:].assign(savings="never seen before")
    [characteristics] = _tables(card, data=new)
    [part] = monitor(card, DATA.X[:600], new, n_boot=5).parts
    told = {row[0]: float(row[1]) for row in characteristics.rows}  # from counts, of which the least are not told
    assert told == pytest.approx({each.name: each.index for each in part.characteristics}, rel=0.05, abs=1e-3)


def test_shares_without_counts_are_those_of_as_many_rows(card: Scorecard) -> None:
    """Imported tables may hold shares only; an attribute that nobody had then counts as half an applicant."""
    import math
    from dataclasses import replace

    def shares_only(characteristic: Characteristic) -> Characteristic:
        kept = []
        for attribute in characteristic.attributes:
            assert attribute.statistics is not None
            kept.append(replace(attribute, statistics=replace(attribute.statistics, good=0.0, bad=0.0)))
        return replace(characteristic, attributes=tuple(kept))

    model = replace(card, characteristics=tuple(map(shares_only, card.characteristics)))
    new = DATA.X[600:].assign(savings="never seen before")
    [characteristics] = _tables(model, data=new)
    [told] = [row[1] for row in characteristics.rows if row[0] == "Savings"]
    [savings] = [each for each in card.characteristics if each.feature == "savings"]
    index, half = 0.0, 0.5 / 400
    for attribute in savings.attributes:
        assert attribute.statistics is not None
        share = attribute.statistics.share
        if attribute.condition.describe() == "otherwise" or not share:
            continue
        index += (half - share) * math.log(half / share)
    assert float(told) == pytest.approx(index + (1 - half) * math.log(1 / half), abs=0.001)
