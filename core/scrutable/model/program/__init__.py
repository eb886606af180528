"""The program of a model: few kinds of node, lowered once, that every evaluator and exporter renders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.model.program.adding_up import added_up
from scrutable.model.program.ladders import Ladder
from scrutable.model.program.listing import listed
from scrutable.model.program.lowering import lowered, watched
from scrutable.model.program.lowering.unusual import named_values
from scrutable.model.program.lowering.watching import MISSING_IN, WatchedPart
from scrutable.model.program.nodes import (
    All,
    AtLeast,
    Bucket,
    Choice,
    Clamp,
    Code,
    Column,
    First,
    Largest,
    Linear,
    Logistic,
    Node,
    Pair,
    Points,
    Rank,
    Ref,
    Share,
    Short,
    Sum,
    Test,
    Text,
    Words,
    refs,
)
from scrutable.model.program.passes import kept, needed
from scrutable.model.program.program import DECLINED, DETAILS, INPUTS, OUT_OF_RANGE_IN, UNSEEN_IN, Output, Program
from scrutable.model.program.sorts import Sort, is_truth, ranks_read, size_of, sort_of
from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.model.program.asked import Asked
    from scrutable.model.program.buckets import bucket
    from scrutable.model.program.names import Names, columns_alone, hints, titles
    from scrutable.model.program.reference import Rows, Texts
    from scrutable.model.program.running import run
    from scrutable.model.program.uses import Scope, Uses

__all__ = [
    "DECLINED",
    "DETAILS",
    "INPUTS",
    "MISSING_IN",
    "OUT_OF_RANGE_IN",
    "UNSEEN_IN",
    "All",
    "Asked",
    "AtLeast",
    "Bucket",
    "Choice",
    "Clamp",
    "Code",
    "Column",
    "First",
    "Ladder",
    "Largest",
    "Linear",
    "Logistic",
    "Names",
    "Node",
    "Output",
    "Pair",
    "Points",
    "Program",
    "Rank",
    "Ref",
    "Rows",
    "Scope",
    "Share",
    "Short",
    "Sort",
    "Sum",
    "Test",
    "Text",
    "Texts",
    "Uses",
    "WatchedPart",
    "Words",
    "added_up",
    "bucket",
    "columns_alone",
    "hints",
    "is_truth",
    "kept",
    "listed",
    "lowered",
    "named_values",
    "needed",
    "ranks_read",
    "refs",
    "run",
    "size_of",
    "sort_of",
    "titles",
    "watched",
]

__getattr__ = lazily(__name__)
