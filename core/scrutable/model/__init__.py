"""The model representation: immutable value objects, their JSON, and the evaluator that gives them their meaning."""

from scrutable.data.features import Feature
from scrutable.data.outcome import Calibration, Outcome, Quantity
from scrutable.data.values import FrozenMapping, snap
from scrutable.model.characteristics import Attribute, Characteristic, MeanStatistics, Statistics
from scrutable.model.conditions import Categories, Clause, Conjunction, Interval, Missing, Otherwise, Special
from scrutable.model.evidence import Evidence
from scrutable.model.policy import KnockOut, Policy
from scrutable.model.provenance import Provenance
from scrutable.model.reasons import ReasonPolicy
from scrutable.model.regression import RegressionScorecard
from scrutable.model.rules import Rule, RuleSet
from scrutable.model.scorecard import Scaling, Scorecard
from scrutable.model.segments import DecisionModel, Model, Segment, SegmentedModel
from scrutable.model.store import (
    dump,
    dump_evidence,
    dumps,
    dumps_evidence,
    fingerprint,
    load,
    load_evidence,
    loads,
)
from scrutable.model.trees import Leaf, Split, TreeEnsemble

__all__ = [
    "Attribute",
    "Calibration",
    "Categories",
    "Characteristic",
    "Clause",
    "Conjunction",
    "DecisionModel",
    "Evidence",
    "Feature",
    "FrozenMapping",
    "Interval",
    "KnockOut",
    "Leaf",
    "MeanStatistics",
    "Missing",
    "Model",
    "Otherwise",
    "Outcome",
    "Policy",
    "Provenance",
    "Quantity",
    "ReasonPolicy",
    "RegressionScorecard",
    "Rule",
    "RuleSet",
    "Scaling",
    "Scorecard",
    "Segment",
    "SegmentedModel",
    "Special",
    "Split",
    "Statistics",
    "TreeEnsemble",
    "dump",
    "dump_evidence",
    "dumps",
    "dumps_evidence",
    "fingerprint",
    "load",
    "load_evidence",
    "loads",
    "snap",
]
