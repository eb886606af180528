"""Models of every kind as programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from scrutable.model.contents import features_read
from scrutable.model.program.lowering.asking import Asking
from scrutable.model.program.lowering.declined import declined
from scrutable.model.program.lowering.rule_sets import rule_set
from scrutable.model.program.lowering.scorecards import regression_scorecard, scorecard
from scrutable.model.program.lowering.segments import segmented_model
from scrutable.model.program.lowering.tree_ensembles import tree_ensemble
from scrutable.model.program.lowering.unusual import unusual
from scrutable.model.program.lowering.watching import WatchedPart, watching
from scrutable.model.program.program import Builder, Output, Program
from scrutable.model.regression import RegressionScorecard
from scrutable.model.rules import RuleSet
from scrutable.model.scorecard import Scorecard
from scrutable.model.segments import DecisionModel, Model, SegmentedModel
from scrutable.model.trees import TreeEnsemble


def lowered(model: Model, *, words: bool = True) -> Program:
    """Everything that a model says of a row, as a program.

    Its outputs are those of `Evaluation.frame()`, and after them details. Engines return on request
    `attribute_<characteristic>`, the position of a scorecard's attribute, and `adjusting_<code>`, the points of a score
    adjustment; `declined_reason_<rank>` and `declined_short_<rank>`, which approved rows lack; `status`,
    `unseen_inputs` and `out_of_range_inputs`. None returns `votes_<class index>` of rules, `shortfall_<feature>`, and
    by feature the truths behind the counts, `unseen_in_<feature>` and `out_of_range_in_<feature>`.

    Parameters
    ----------
    words : whether nodes get the titles that people read, which take most of the time.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> lowered(models_named()["scorecard"]).names[:4]
    ('score', 'probability', 'approved', 'knock_out')
    """
    builder = Builder(words)
    outputs = _lower(model, builder)
    asking = Asking.of(builder, model.features)
    outputs += [*declined(outputs, asking), *unusual(model, asking)]
    return builder.program(features_read(model), outputs)


def watched(model: DecisionModel, parts: Sequence[WatchedPart], codes: Mapping[str | None, int]) -> Program:
    """What is watched of the rows that a model decides about, as a program.

    Its outputs are `approved`; `segment`, the segment's number; of each part, by its number i, `band_<i>` of the score,
    `attribute_<i>_<characteristic>`, `cell_<i>_<feature>` and `rule_<i>_<rule>`, the last of which is the fallback;
    `reason_<rank>`, the number of the code; and of each feature `missing_in_<feature>` and `unseen_in_<feature>`. Rows
    of other segments have nothing of a part, and approved ones no reason.

    Parameters
    ----------
    parts : what is told apart in the model, or in that of each segment.
    codes : the number of each reason code, and that of None, which no reason has.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> part = WatchedPart(cuts=(540.0,), declined_anyway=True, cells={})
    >>> watched(models_named()["stumps"], [part], {"K1": 0, "R1": 1, "R2": 2, None: 3}).names[:2]
    ('approved', 'band_0')
    """
    builder = Builder()
    return builder.program(features_read(model), watching(model, parts, codes, builder, _lower))


def _lower(model: Model, builder: Builder) -> list[Output]:
    asking = Asking.of(builder, model.features)
    match model:
        case Scorecard():
            return scorecard(model, asking)
        case RegressionScorecard():
            return regression_scorecard(model, asking)
        case TreeEnsemble():
            return tree_ensemble(model, asking)
        case RuleSet():
            return rule_set(model, asking)
        case SegmentedModel():
            return segmented_model(model, builder, _lower)
        case _:
            assert_never(model)
