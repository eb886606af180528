"""Random models of every kind, drawn once: what is checked on them is checked on scores, decisions and reasons."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pandas as pd

from scrutable.model import Model, Outcome, Policy
from scrutable.proof.edges import edge_rows
from scrutable.proof.rows import VerificationRows
from scrutable.testing.contract.examples.card_drawer import CardDrawing
from scrutable.testing.contract.examples.drawer import SEED, Drawing, Link
from scrutable.testing.contract.examples.drawing import COLUMNS, LINES, frame_of, rows_of
from scrutable.testing.contract.examples.extended_drawer import ExtendedDrawing
from scrutable.testing.plain import reading_no_more, without_extras

#: Rows that models are run on.
_ROWS = 250
#: How the names of models end that have every part their kind may have.
WHOLE = "with all parts"


@functools.cache
def drawn_models() -> Mapping[str, Model]:
    """Random models by name; some of every kind, with either class the favourable one.

    Several knock-outs apply to one row; clauses are negated, ask for missing values, and hold special codes inside
    their intervals; linear predictors go beyond ±36; scores equal the cutoff, and shortfalls and votes tie. Some
    attributes were nobody's; trees stand twice; segments have other numbers of reasons and other codes; one card has
    twenty lines, and points of one are nearly alike.

    >>> list(drawn_models())[:2], drawn_models()["scorecard 1"].reasons.k
    (['scorecard 1', 'scorecard 2'], 3)
    """
    outcomes = (Outcome(classes=("bad", "good"), favourable="good"), Outcome(classes=(0, 1), favourable=0))
    third = Outcome(classes=(False, True), favourable=True)
    models: dict[str, Model] = {}
    for number, outcome in enumerate((*outcomes, third), 1):
        link: Link = "logit" if number < 3 else "identity"
        models[f"scorecard {number}"] = Drawing(f"scorecard {number}", link, near=number == 2).scorecard(outcome)
    for number, outcome in enumerate(outcomes, 1):
        link = "logit" if number < 2 else "identity"
        models[f"stumps {number}"] = Drawing(f"stumps {number}", link).trees(outcome, alone=True)
        models[f"tree ensemble {number}"] = Drawing(f"trees {number}", link).trees(outcome)
        models[f"rule set {number}"] = Drawing(f"rules {number}", link).rules(outcome)
        models[f"segmented model {number}"] = Drawing(f"segments {number}", link).segments(outcome)
    for classes in (("a", "b", "c"), (3, 1, 2, 0)):
        several = Outcome(classes=classes, favourable=classes[1])
        models[f"rule set of {len(classes)} classes"] = Drawing(f"{len(classes)} classes").rules(several)
    models["regression scorecard"] = Drawing("regression").regression_scorecard()
    models["scorecard of whole points"] = Drawing("whole points").whole_scorecard(third)
    models["wide scorecard"] = Drawing("wide").wide_scorecard(third)
    return models


@functools.cache
def large_models() -> Mapping[str, Model]:
    """Models of which some part is more than ten, or than a number has bits, or of which many parts are alike.

    >>> list(large_models())  # doctest: +ELLIPSIS
    ['rule set of 70 rules', 'deep tree', 'model of 12 segments', 'scorecard of long lists', ...]
    """
    outcome = Outcome(classes=("bad", "good"), favourable="good")
    rules = Drawing("many rules").rules(outcome, 70)
    return {
        f"rule set of {len(rules.rules)} rules": replace(rules, reasons=None),
        "deep tree": Drawing("deep").deep_trees(outcome),
        "model of 12 segments": Drawing("many segments").many_segments(outcome),
        "scorecard of long lists": CardDrawing("long lists", pool=LINES).listing_scorecard(outcome),
        "scorecard of equal points": CardDrawing("equal points").equal_scorecard(outcome),
    }


@functools.cache
def extended_models() -> Mapping[str, Model]:
    """Models with interactions, score adjustments, overrides and grades; rules hold for some of the rows each.

    One has all parts, others one part each, for exporters that refuse some of them.

    >>> list(extended_models())  # doctest: +ELLIPSIS
    ['scorecard with all parts', 'scorecard with a table', 'scorecard with adjustments', ...]
    """
    outcome = Outcome(classes=("bad", "good"), favourable="good")
    drawing = ExtendedDrawing("all parts")
    card = drawing.extended_scorecard(outcome)
    return {
        f"scorecard {WHOLE}": card,
        "scorecard with a table": reading_no_more(card, Policy()),
        **{f"scorecard with {part}": without_extras(card, but=part) for part in ("adjustments", "overrides", "grades")},
        f"trees {WHOLE}": drawing.extended_trees(outcome),
        f"rules {WHOLE}": drawing.extended_rules(outcome),
        "regression with a table": drawing.extended_regression(),
    }


def drawn_rows(model: Model, count: int = _ROWS) -> pd.DataFrame:
    """(count, features) rows of the values that conditions of drawn models name; the same each time."""
    return _drawn_rows(frozenset(feature.name for feature in model.features), count).copy()


@functools.cache
def _drawn_rows(names: frozenset[str], count: int) -> pd.DataFrame:
    columns = [column for column in (*COLUMNS, *LINES) if column.feature.name in names]
    return frame_of(rows_of(Random(SEED), columns, count), columns)


def rows_to_run(model: Model) -> VerificationRows:
    """Those rows, and every edge value of the model."""
    edge, drawn = edge_rows(model, n_random=0), drawn_rows(model)
    whole = pd.concat([drawn, edge], ignore_index=True)
    return VerificationRows(frame=whole, edge=len(edge), drawn=len(drawn), data=0, seed=SEED)
