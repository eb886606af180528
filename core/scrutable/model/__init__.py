"""The model representation: immutable value objects, their JSON, and the evaluator that gives them their meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.data.features import Feature
from scrutable.data.outcome import Calibration, Outcome, Quantity
from scrutable.data.values import FrozenMapping, snap
from scrutable.model.characteristics import Attribute, Characteristic, MeanStatistics, Statistics
from scrutable.model.conditions import Categories, Clause, Conjunction, Interval, Missing, Otherwise, Special
from scrutable.model.evidence import Evidence
from scrutable.model.grades import Grade
from scrutable.model.interactions import Axis, Interaction
from scrutable.model.policy import Adjustment, KnockOut, Override, Policy
from scrutable.model.provenance import Provenance
from scrutable.model.reasons import ReasonPolicy
from scrutable.model.regression import RegressionScorecard
from scrutable.model.rules import Rule, RuleSet
from scrutable.model.scorecard import Scaling, Scorecard
from scrutable.model.segments import DecisionModel, Model, Segment, SegmentedModel
from scrutable.model.store import dump, dump_evidence, dumps, dumps_evidence, fingerprint, load, load_evidence, loads
from scrutable.model.trees import Leaf, Split, TreeEnsemble
from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.data.features import Kind, Value
    from scrutable.data.outcome import CLAMP, ClassLabel
    from scrutable.data.values import LIMIT, UNIT, Json, finite, freeze, rounded
    from scrutable.model.carried_evidence import carried_over, without_decisions
    from scrutable.model.cells import Cells, cells_of, cells_of_conditions, cells_of_ladders
    from scrutable.model.codec import encode
    from scrutable.model.condition_texts import read_conditions
    from scrutable.model.conditions import AttributeCondition, ClauseCondition, Closed, describe_alike, describe_all
    from scrutable.model.contents import (
        clauses_of,
        features_read,
        numbers_of,
        reasons_by_segment,
        results_of_segments,
        routing_in_words,
        texts_of,
        titles_of,
    )
    from scrutable.model.domain import clause_holds, codes_inside, holds, witnesses
    from scrutable.model.effects import LeafEffects
    from scrutable.model.extras import refuse_extras
    from scrutable.model.feature_labels import labelled, with_labels
    from scrutable.model.point_intervals import POINT_INTERVALS, CharacteristicIntervals, PointIntervals, Sides
    from scrutable.model.policy_words import exception_in_words, policy_in_words
    from scrutable.model.reason_texts import refuse_generic
    from scrutable.model.reasons import number_of_reasons
    from scrutable.model.schema import json_schema
    from scrutable.model.scorer_types import Scorer
    from scrutable.model.scoring import scorer_of
    from scrutable.model.segments import SingleModel
    from scrutable.model.stepwise import ReasonedTrees, StepFunctions, reasoned_trees, scorecard_of, step_functions
    from scrutable.model.thresholds import at_most, below
    from scrutable.model.trees import Node, Path, features_of, leaves, paths, splits
    from scrutable.model.trends import PointTrend
    from scrutable.model.unfit_texts import TextFault, text_faults

__all__ = [
    "CLAMP",
    "LIMIT",
    "POINT_INTERVALS",
    "UNIT",
    "Adjustment",
    "Attribute",
    "AttributeCondition",
    "Axis",
    "Calibration",
    "Categories",
    "Cells",
    "Characteristic",
    "CharacteristicIntervals",
    "ClassLabel",
    "Clause",
    "ClauseCondition",
    "Closed",
    "Conjunction",
    "DecisionModel",
    "Evidence",
    "Feature",
    "FrozenMapping",
    "Grade",
    "Interaction",
    "Interval",
    "Json",
    "Kind",
    "KnockOut",
    "Leaf",
    "LeafEffects",
    "MeanStatistics",
    "Missing",
    "Model",
    "Node",
    "Otherwise",
    "Outcome",
    "Override",
    "Path",
    "PointIntervals",
    "PointTrend",
    "Policy",
    "Provenance",
    "Quantity",
    "ReasonPolicy",
    "ReasonedTrees",
    "RegressionScorecard",
    "Rule",
    "RuleSet",
    "Scaling",
    "Scorecard",
    "Scorer",
    "Segment",
    "SegmentedModel",
    "Sides",
    "SingleModel",
    "Special",
    "Split",
    "Statistics",
    "StepFunctions",
    "TextFault",
    "TreeEnsemble",
    "Value",
    "at_most",
    "below",
    "carried_over",
    "cells_of",
    "cells_of_conditions",
    "cells_of_ladders",
    "clause_holds",
    "clauses_of",
    "codes_inside",
    "describe_alike",
    "describe_all",
    "dump",
    "dump_evidence",
    "dumps",
    "dumps_evidence",
    "encode",
    "exception_in_words",
    "features_of",
    "features_read",
    "fingerprint",
    "finite",
    "freeze",
    "holds",
    "json_schema",
    "labelled",
    "leaves",
    "load",
    "load_evidence",
    "loads",
    "number_of_reasons",
    "numbers_of",
    "paths",
    "policy_in_words",
    "read_conditions",
    "reasoned_trees",
    "reasons_by_segment",
    "refuse_extras",
    "refuse_generic",
    "results_of_segments",
    "rounded",
    "routing_in_words",
    "scorecard_of",
    "scorer_of",
    "snap",
    "splits",
    "step_functions",
    "text_faults",
    "texts_of",
    "titles_of",
    "with_labels",
    "without_decisions",
    "witnesses",
]

__getattr__ = lazily(__name__)
