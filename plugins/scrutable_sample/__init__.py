"""Plugin: a sample to develop a card on, from accounts and their payment history.

Names are imported when they are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.plugins import Command, hookimpl
from scrutable.writing import lazily

if TYPE_CHECKING:
    from scrutable_sample.columns import SampleColumns
    from scrutable_sample.definition import OutcomeDefinition
    from scrutable_sample.drawing import DrawnClass
    from scrutable_sample.monthly_rolls import MonthlyRolls, MonthRow
    from scrutable_sample.performance import performance_sample
    from scrutable_sample.result import PartCounts, PerformanceSample
    from scrutable_sample.roll_rates import RollRates, RollRow
    from scrutable_sample.table_options import TableOptions
    from scrutable_sample.vintages import Cohort, Vintages

__all__ = [
    "Cohort",
    "DrawnClass",
    "MonthRow",
    "MonthlyRolls",
    "OutcomeDefinition",
    "PartCounts",
    "PerformanceSample",
    "RollRates",
    "RollRow",
    "SampleColumns",
    "TableOptions",
    "Vintages",
    "performance_sample",
]

__getattr__ = lazily(__name__)


@hookimpl
def scrutable_commands() -> list[Command]:
    """What comes before a fit."""
    return [
        Command(
            name="sample",
            path="scrutable_sample.commands.sample:sample",
            summary="Make a sample to fit on: good, bad or indeterminate by payment history, roll rates, vintages.",
            order=15,
        ),
    ]
