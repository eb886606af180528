"""Abstract base classes of the kinds of component; each is imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.plugins.bases.alternative import BASELINE, Alternative
    from scrutable.plugins.bases.answers import engine_of, exported, policy_by
    from scrutable.plugins.bases.binding import bound_by
    from scrutable.plugins.bases.binner import Binner, Cuts, Edits, Merges, Proposal, check_binner
    from scrutable.plugins.bases.candidates import (
        MOST_LEVELS,
        Candidate,
        Candidates,
        ClassTallies,
        Likelihood,
        Tallies,
    )
    from scrutable.plugins.bases.capable import ALTERNATIVES, producers, such_as
    from scrutable.plugins.bases.constraint import FairnessConstraint
    from scrutable.plugins.bases.constructors import estimator
    from scrutable.plugins.bases.dialect import Bits, Calling, Catalogue, Dialect, Reading
    from scrutable.plugins.bases.explainer import Explainer
    from scrutable.plugins.bases.explanation import Agreement
    from scrutable.plugins.bases.exporter import Export, Exporter, Progress
    from scrutable.plugins.bases.importer import Finding, FindingKind, Imported, Importer, ImportReport, rows_said
    from scrutable.plugins.bases.learner import Learner, RegressionLearner, add_reasons
    from scrutable.plugins.bases.learner_by_name import recorded_learner
    from scrutable.plugins.bases.observing import range_of_many
    from scrutable.plugins.bases.reason_explainers import explainer_of, reasons_explainer
    from scrutable.plugins.bases.result_options import ResultOptions
    from scrutable.plugins.bases.selection_pool import Pool
    from scrutable.plugins.bases.selector import Selector, selector_of
    from scrutable.plugins.bases.source import RowSource
    from scrutable.plugins.bases.varying import ALLOWANCES, allowing, costly_characteristics
    from scrutable.plugins.bases.watch import Distribution, Level, Watch, WatchedGroups, WatchedOutcome
    from scrutable.plugins.bases.where_rows_live import Needs

__all__ = [
    "ALLOWANCES",
    "ALTERNATIVES",
    "BASELINE",
    "MOST_LEVELS",
    "Agreement",
    "Alternative",
    "Binner",
    "Bits",
    "Calling",
    "Candidate",
    "Candidates",
    "Catalogue",
    "ClassTallies",
    "Cuts",
    "Dialect",
    "Distribution",
    "Edits",
    "Explainer",
    "Export",
    "Exporter",
    "FairnessConstraint",
    "Finding",
    "FindingKind",
    "ImportReport",
    "Imported",
    "Importer",
    "Learner",
    "Level",
    "Likelihood",
    "Merges",
    "Needs",
    "Pool",
    "Progress",
    "Proposal",
    "Reading",
    "RegressionLearner",
    "ResultOptions",
    "RowSource",
    "Selector",
    "Tallies",
    "Watch",
    "WatchedGroups",
    "WatchedOutcome",
    "add_reasons",
    "allowing",
    "bound_by",
    "check_binner",
    "costly_characteristics",
    "engine_of",
    "estimator",
    "explainer_of",
    "exported",
    "policy_by",
    "producers",
    "range_of_many",
    "reasons_explainer",
    "recorded_learner",
    "rows_said",
    "selector_of",
    "such_as",
]

__getattr__ = lazily(__name__)
