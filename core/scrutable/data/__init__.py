"""Applicants as they come: files and frames, columns, outcomes, weights, protected groups, dates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.data.arrays import Outcomes, classes_of, favourable, share, weights
    from scrutable.data.cohort import Cohort
    from scrutable.data.cohort_file import read_cohort, weights_of
    from scrutable.data.config import DataConfig, SplitConfig
    from scrutable.data.disclosure.groups import pooled_groups
    from scrutable.data.disclosure.least import min_cell
    from scrutable.data.exact import exact_bincount
    from scrutable.data.grouped import FLAG, Probabilities, check_columns, read_groups
    from scrutable.data.masking import Masked
    from scrutable.data.orientation import favourable_class, said_or_asked
    from scrutable.data.separation import LEAK_ENTRY, leaks_in_words, separating, warn_of_leaks
    from scrutable.data.sizes import MIN_GROUP_SIZE, MIN_OUTCOMES, is_small
    from scrutable.data.splits import split_known
    from scrutable.data.training import (
        QuantityData,
        SpecialCodes,
        TrainingData,
        TrainingRows,
        is_nominal,
        read_training,
        refuse_reordered,
        refuse_unfitted,
    )

__all__ = [
    "FLAG",
    "LEAK_ENTRY",
    "MIN_GROUP_SIZE",
    "MIN_OUTCOMES",
    "Cohort",
    "DataConfig",
    "Masked",
    "Outcomes",
    "Probabilities",
    "QuantityData",
    "SpecialCodes",
    "SplitConfig",
    "TrainingData",
    "TrainingRows",
    "check_columns",
    "classes_of",
    "exact_bincount",
    "favourable",
    "favourable_class",
    "is_nominal",
    "is_small",
    "leaks_in_words",
    "min_cell",
    "pooled_groups",
    "read_cohort",
    "read_groups",
    "read_training",
    "refuse_reordered",
    "refuse_unfitted",
    "said_or_asked",
    "separating",
    "share",
    "split_known",
    "warn_of_leaks",
    "weights",
    "weights_of",
]

__getattr__ = lazily(__name__)
