"""The plan of a statement: what is wanted of a model's program, as steps and results."""

from __future__ import annotations

from collections.abc import Sequence

from scrutable.model import Model, RegressionScorecard, number_of_reasons
from scrutable.model.program import Column, Program, added_up, lowered, needed
from scrutable_sql import checks
from scrutable_sql.common import Plan
from scrutable_sql.options import SQLOptions
from scrutable_sql.packing import packings
from scrutable_sql.rendering import Rendering


def plan(model: Model, options: SQLOptions) -> Plan:
    """The plan of a model.

    Raises
    ------
    UnsupportedModel : names that an engine could mix up or not have, more reasons than the model gives, or more codes
        than keys can tell.
    """
    program = lowered(model)
    made = plan_of(program, _wanted(program, _reasons(model, options), options), options)
    checks.names(model, made, options)
    return made


def plan_of(program: Program, wanted: Sequence[str], options: SQLOptions) -> Plan:
    """The plan of some outputs of a program."""
    if "rules" not in wanted:  # whose votes are read more easily one by one
        asked = needed(program, [program.output(name).of for name in wanted])
        program = added_up(program, packings(program, asked, options.target))
    outputs = [program.output(name) for name in wanted]
    rendering = Rendering.of(program, outputs, options.target)
    results = tuple(map(rendering.result, outputs))
    return Plan(rendering.steps.in_order(), results, _laddered(rendering))


def _reasons(model: Model, options: SQLOptions) -> int:
    """How many reasons are wanted."""
    policies = [part.reasons for part in model.parts if not isinstance(part, RegressionScorecard) and part.reasons]
    return number_of_reasons(max(policies, key=lambda policy: policy.k, default=None), options.reasons)


def _wanted(program: Program, reasons: int, options: SQLOptions) -> tuple[str, ...]:
    def is_wanted(name: str) -> bool:
        what, _, place = name.partition("_")
        if what in ("reason", "short"):
            return int(place) <= reasons and (options.shortfalls or what == "reason")
        return options.points or what not in ("points", "rules")

    return options.names(program, filter(is_wanted, program.results))


def _laddered(rendering: Rendering) -> frozenset[str]:
    """The features that nothing but ladders asks for, which take NaN for missing themselves."""
    nodes = map(rendering.program.__getitem__, rendering.expressions.asked)
    asked = {node.name for node in nodes if isinstance(node, Column)}
    return frozenset(feature.name for feature in rendering.program.features) - asked
