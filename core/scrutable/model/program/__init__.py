"""The program of a model: few kinds of node, lowered once, that every evaluator and exporter renders."""

from scrutable.model.program.adding_up import added_up
from scrutable.model.program.ladders import Ladder
from scrutable.model.program.lowering import lowered
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
from scrutable.model.program.passes import kept
from scrutable.model.program.program import Output, Program

__all__ = [
    "All",
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
    "Node",
    "Output",
    "Pair",
    "Points",
    "Program",
    "Rank",
    "Ref",
    "Share",
    "Short",
    "Sum",
    "Test",
    "Text",
    "Words",
    "added_up",
    "kept",
    "lowered",
    "refs",
]
