"""Ratios of groups as pictures in the model's document."""

from __future__ import annotations

import re

import numpy as np
import pytest

from scrutable import create
from scrutable.data.datasets import make_credit
from scrutable.fairness import SmallGroupWarning
from scrutable_documents.common.sections import Paragraph, Table
from scrutable_documents.report import pictures
from scrutable_documents.report.disparity import disparity
from scrutable_documents.report.options import ReportOptions
from scrutable_documents.report.performance import measure_parts
from scrutable_documents.report.subject import read_subject

DATA = make_credit(900, seed=2)
MODEL = create("learner", "scorecard", binner="quantile", favourable=0).fit(DATA.X, DATA.y).model_
GROUP = np.where(np.arange(900) < 12, "few", np.where(np.arange(900) % 3 > 0, "<b>most", "some"))


def test_each_ratio_has_a_picture_on_one_scale_and_the_reference_none() -> None:
    applicants = DATA.X.assign(default=DATA.y, group=GROUP)
    options = ReportOptions(data=applicants, target="default", protected=["group"])
    with pytest.warns(SmallGroupWarning):
        subject = read_subject(MODEL, None, options)
    section = disparity(subject, measure_parts(subject))
    tables = [each for each in section.blocks if isinstance(each, Table) and "Adverse impact ratio" in each.headers]
    assert len(tables) == 2  # at the cutoff, and at an approval rate
    for table in tables:
        place = table.headers.index("As picture")
        assert table.bars == {place}
        drawn = {str(row[0]).split(" (")[0]: str(row[place]) for row in table.rows}
        ratios = {str(row[0]).split(" (")[0]: row[table.headers.index("Adverse impact ratio")] for row in table.rows}
        assert drawn["<b>most"] == ""  # the reference
        assert drawn["some"].count("<circle") == drawn["few"].count("<circle") == 1
        assert [drawn[name].count("<rect") for name in ("some", "few")] == [1, 0]  # an interval, or none
        low, *marks = (float(each) for each in re.findall(r'd="M([\d.]+) 0V10"', drawn["some"]))
        value = float(str(ratios["some"]).split(" ")[0])
        [dot] = re.findall(r'cx="([\d.]+)"', drawn["some"])
        assert float(dot) == pytest.approx(low + (value - 0.8) * (marks[0] - low) / 0.2, abs=0.2)
    assert any("four fifths" in each.text for each in section.blocks if isinstance(each, Paragraph))


def test_what_lies_off_the_scale_is_cut_and_what_is_undefined_is_not_drawn() -> None:
    drawn = str(pictures.ratio(9.0, (0.1, 12.0), 0.5, 2.0))
    [left, width] = map(float, re.findall(r'x="([\d.]+)".* width="([\d.]+)" height="1.2"', drawn)[0])
    assert (left, left + width) == (0.0, 100.0)
    assert 'cx="100.00"' in drawn
    assert pictures.ratio(float("nan"), None, 0.5, 2.0) == ""
