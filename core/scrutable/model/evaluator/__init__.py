"""The evaluator: the one definition of what a model computes, over whole columns.

Learners predict with it, explainers read it, and exporters are proven against it.
"""

from scrutable.model.evaluator.assign import ClauseMasks, assign
from scrutable.model.evaluator.counting import Counted, counted
from scrutable.model.evaluator.evaluate import evaluate, probability, read_inputs
from scrutable.model.evaluator.margins import margins
from scrutable.model.evaluator.outputs import Evaluation, OutputFrame, RegressionEvaluation, differences, kind_of
from scrutable.model.evaluator.paths import satisfied
from scrutable.model.evaluator.results import results
from scrutable.model.evaluator.shortfalls import shortfalls_by_feature

__all__ = [
    "ClauseMasks",
    "Counted",
    "Evaluation",
    "OutputFrame",
    "RegressionEvaluation",
    "assign",
    "counted",
    "differences",
    "evaluate",
    "kind_of",
    "margins",
    "probability",
    "read_inputs",
    "results",
    "satisfied",
    "shortfalls_by_feature",
]
