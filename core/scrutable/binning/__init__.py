"""Bins: attributes of each feature with what they looked like in training, and the edits that made them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.binning.audit import Edit
    from scrutable.binning.bins import Bins
    from scrutable.binning.coded_likelihood import CodedLikelihood
    from scrutable.binning.coding import AttributeCoding, ends_of
    from scrutable.binning.counting import BinCounter, told_groups
    from scrutable.binning.edits import Action, BinEdit, PolicyName, Stays, numbered, read_edits, selected_by_hand
    from scrutable.binning.mean_binning import MeanBinning, MeanTable
    from scrutable.binning.missing_treatments import refuse_policies
    from scrutable.binning.mixed import warn_of_mixed
    from scrutable.binning.quantity_tallies import moments_of
    from scrutable.binning.replay import Replay
    from scrutable.binning.row_tallies import RowTallies
    from scrutable.binning.sample import Sample, SampleRows, distinct
    from scrutable.binning.scorecards import (
        build_regression_scorecard,
        build_scorecard,
        centred,
        refuse_unit,
        with_statistics,
    )
    from scrutable.binning.tables import (
        AttributeTable,
        BentTrend,
        Binning,
        BinTable,
        Trend,
        categories,
        information_by_attribute,
        intervals,
        table_of,
    )
    from scrutable.binning.trends import BentTrends, Trends, check_trends
    from scrutable.data.value_counts import summed

__all__ = [
    "Action",
    "AttributeCoding",
    "AttributeTable",
    "BentTrend",
    "BentTrends",
    "BinCounter",
    "BinEdit",
    "BinTable",
    "Binning",
    "Bins",
    "CodedLikelihood",
    "Edit",
    "MeanBinning",
    "MeanTable",
    "PolicyName",
    "Replay",
    "RowTallies",
    "Sample",
    "SampleRows",
    "Stays",
    "Trend",
    "Trends",
    "build_regression_scorecard",
    "build_scorecard",
    "categories",
    "centred",
    "check_trends",
    "distinct",
    "ends_of",
    "information_by_attribute",
    "intervals",
    "moments_of",
    "numbered",
    "read_edits",
    "refuse_policies",
    "refuse_unit",
    "selected_by_hand",
    "summed",
    "table_of",
    "told_groups",
    "warn_of_mixed",
    "with_statistics",
]

__getattr__ = lazily(__name__)
