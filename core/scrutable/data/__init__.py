"""Applicants as they come: files and frames, columns, outcomes, weights, protected groups, dates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.data.array_checks import (
        Bools,
        Floats,
        Outcomes,
        classes_of,
        favourable,
        finite_number,
        outcomes,
        scores,
        share,
    )
    from scrutable.data.by_date import date_or_share, out_of_time
    from scrutable.data.class_weights import ClassWeight, class_factors
    from scrutable.data.coded_blocks import CodedBlock, CodedBlocks
    from scrutable.data.coded_rows import Chunk, CodedArrays, CodedRows, Coding
    from scrutable.data.cohort import Cohort
    from scrutable.data.cohort_file import (
        cohort_for,
        first_missing,
        groups_of,
        read_cohort,
        source_of,
        weight_of,
        weights_of,
    )
    from scrutable.data.config import STATED, DataConfig, ReadingConfig, SplitConfig
    from scrutable.data.dates import CalendarDate
    from scrutable.data.disclosure.groups import pooled_groups
    from scrutable.data.disclosure.smallest_count import min_cell, told_count
    from scrutable.data.exact import exact_bincount, exact_layers, exact_sum
    from scrutable.data.exact_sums import ExactSums, Limbs, exact_total
    from scrutable.data.grouped import FLAG, Probabilities, check_columns, columns_of, read_both, read_groups
    from scrutable.data.indeterminate import Positions, without_indeterminates
    from scrutable.data.labelling import label
    from scrutable.data.masking import Masked
    from scrutable.data.orientation import favourable_class, said_or_asked
    from scrutable.data.outcome_codes import codes_of_classes
    from scrutable.data.protected import refuse_protected
    from scrutable.data.reading import place_of, read_blocks, read_names, read_rows
    from scrutable.data.sample_weights import weights
    from scrutable.data.separation import LEAK_ENTRY, leaks_in_words, separating, warn_of_leaks
    from scrutable.data.sizes import MIN_GROUP_SIZE, MIN_OUTCOMES, is_small
    from scrutable.data.source import FrameSource, SomeColumns, Source
    from scrutable.data.splits import hold_out, rejects_before, split_known, split_rows
    from scrutable.data.training import (
        QuantityData,
        RowsInMemory,
        SpecialCodes,
        TrainingData,
        is_nominal,
        read_training,
        refuse_reordered,
        refuse_unfitted,
    )
    from scrutable.data.training_rows import AllRows, Batch, LabelledRows, RowsNeededError, TrainingRows
    from scrutable.data.value_counts import GroupCounts
    from scrutable.data.whole_sums import BinSums, PairSums, Sums, Total, Unit

__all__ = [
    "FLAG",
    "LEAK_ENTRY",
    "MIN_GROUP_SIZE",
    "MIN_OUTCOMES",
    "STATED",
    "AllRows",
    "Batch",
    "BinSums",
    "Bools",
    "CalendarDate",
    "Chunk",
    "ClassWeight",
    "CodedArrays",
    "CodedBlock",
    "CodedBlocks",
    "CodedRows",
    "Coding",
    "Cohort",
    "DataConfig",
    "ExactSums",
    "Floats",
    "FrameSource",
    "GroupCounts",
    "LabelledRows",
    "Limbs",
    "Masked",
    "Outcomes",
    "PairSums",
    "Positions",
    "Probabilities",
    "QuantityData",
    "ReadingConfig",
    "RowsInMemory",
    "RowsNeededError",
    "SomeColumns",
    "Source",
    "SpecialCodes",
    "SplitConfig",
    "Sums",
    "Total",
    "TrainingData",
    "TrainingRows",
    "Unit",
    "check_columns",
    "class_factors",
    "classes_of",
    "codes_of_classes",
    "cohort_for",
    "columns_of",
    "date_or_share",
    "exact_bincount",
    "exact_layers",
    "exact_sum",
    "exact_total",
    "favourable",
    "favourable_class",
    "finite_number",
    "first_missing",
    "groups_of",
    "hold_out",
    "is_nominal",
    "is_small",
    "label",
    "leaks_in_words",
    "min_cell",
    "out_of_time",
    "outcomes",
    "place_of",
    "pooled_groups",
    "read_blocks",
    "read_both",
    "read_cohort",
    "read_groups",
    "read_names",
    "read_rows",
    "read_training",
    "refuse_protected",
    "refuse_reordered",
    "refuse_unfitted",
    "rejects_before",
    "said_or_asked",
    "scores",
    "separating",
    "share",
    "source_of",
    "split_known",
    "split_rows",
    "told_count",
    "warn_of_leaks",
    "weight_of",
    "weights",
    "weights_of",
    "without_indeterminates",
]

__getattr__ = lazily(__name__)
