"""The evaluator: the one definition of what a model computes, over whole columns.

Learners predict with it, explainers read it, and exporters are proven against it.
"""

from scrutable.model.evaluator.evaluate import evaluate, read_inputs
from scrutable.model.evaluator.outputs import Evaluation, OutputFrame, differences

__all__ = ["Evaluation", "OutputFrame", "differences", "evaluate", "read_inputs"]
