"""Checks of binners: tables count what they say, and what the user fixes is honoured and set down."""

from __future__ import annotations

import inspect
import itertools
from typing import Any

import numpy as np

from scrutable.binning.tables import Binning, BinTable
from scrutable.model import Categories, Interval
from scrutable.model.characteristics import check_partition
from scrutable.plugins.bases import Binner
from scrutable.testing.contract.check import check, deciding, enforcing, require, said
from scrutable.testing.contract.examples.data import fit, sample_for, weights
from scrutable.testing.contract.examples.known_payers import X, rows_with
from scrutable.testing.contract.subject import Subject

_CUTS = [1500.0, 2500.5]
#: Cuts between values of which some are good always, or bad.
_PURE, _ALL_CUTS = {1.0: 1.0, 2.0: 1.0, 3.0: 0.5, 4.0: 0.0, 5.0: 0.0}, [2.0, 3.0, 4.0, 5.0]
_MERGED = ["rented", "with family"]
_HINT = "leave cuts, merges, trends and edits to the base class: override find_cuts and find_groups, or propose"


@check("binner", hint="decorate the class with @estimator, or hand them to super().__init__")
def it_takes_the_options_of_every_binner(subject: Subject) -> None:
    """Its constructor has the options that every binner has: trends, cuts, merges and the others."""
    wanted, own = inspect.signature(Binner).parameters, inspect.signature(subject.load()).parameters
    missing = [name for name in wanted if name not in own]
    require(not missing, "options of every binner that its constructor lacks", got=", ".join(missing))


@deciding("binner", hint="leave transform and the tables to the base class")
def tables_match_a_group_by(subject: Subject) -> None:
    """Each table partitions its feature, and its statistics are those of the rows that transform puts there."""
    sample = sample_for(subject)
    for weight in (np.ones(len(sample.y)), weights()):
        binner = fit(subject.make(encoding="index"), sample, sample_weight=weight)
        places, good = binner.transform(sample.X), (sample.y == "good").to_numpy()
        for column, table in enumerate(binner.binning_.tables):
            try:
                check_partition(table.feature, table.conditions)
            except ValueError as error:
                require(False, f"the attributes of {table.feature.name!r} are no partition", got=said(error))
            _counts_match(table, places[:, column], good, weight)


@deciding("binner", hint=_HINT)
def fixed_cuts_are_honoured(subject: Subject) -> None:
    """Cuts that the user fixes are the cuts, and the audit trail says so."""
    binning = _binning(subject, cuts={"income": _CUTS})
    made = [c for c in binning["income"].conditions if isinstance(c, Interval)]
    wanted = [Interval(*ends) for ends in itertools.pairwise([-np.inf, *_CUTS, np.inf])]
    require(made == wanted, f"the cuts {_CUTS} that the user fixes are not kept", got=[c.describe() for c in made])
    _is_audited(binning, "income", "cuts")
    for given in ({"cuts": {X: _ALL_CUTS}}, {"edits": [{"feature": X, "action": "cuts", "cuts": _ALL_CUTS}]}):
        [table] = fit(subject.make(**given), rows_with(subject, _PURE)).binning_.tables
        left = [c.lower for c in table.conditions if isinstance(c, Interval)][1:]
        fault = f"of the cuts {_ALL_CUTS} some are lost where all of a value are good, or all bad"
        require(left == _ALL_CUTS, fault, got=left)


@deciding("binner", hint=_HINT)
def merges_are_honoured(subject: Subject) -> None:
    """Categories that the user merges are in one attribute, and the audit trail says so."""
    binning = _binning(subject, merges={"housing": [_MERGED]})
    groups = [c.values for c in binning["housing"].conditions if isinstance(c, Categories)]
    require(set(_MERGED) in [set(group) for group in groups], f"{_MERGED} are not in one attribute", got=groups)
    _is_audited(binning, "housing", "merges")


@deciding("binner", of=enforcing("trend"), hint=_HINT)
def trends_hold(subject: Subject) -> None:
    """Where it enforces trends, the favourable rates of the bins that it finds follow them."""
    for trend in ("ascending", "descending"):
        table = _binning(subject, trends={"income": trend})["income"]
        seen = [table.statistics[i] for i in table.ordered if table.statistics[i].count]
        rates = [each.good / each.count for each in seen]
        require(rates == sorted(rates, reverse=trend == "descending"), f"the rates are not {trend}", got=rates)
    _is_audited(_binning(subject, trends={"income": "ascending"}), "income", "trend")


@deciding(
    "binner",
    of=enforcing("max-bins", "min-share"),
    hint="keep to the limit, or take its name out of enforces in the Component",
)
def limits_on_bins_hold(subject: Subject) -> None:
    """Where it enforces `max-bins` or `min-share`, every numeric feature keeps to max_bins=2 and min_share=0.3."""
    if "max-bins" in subject.component.enforces:
        for name, shares in _shares(_binning(subject, max_bins=2)).items():
            require(len(shares) <= 2, f"{name!r} has more bins than max_bins=2", got=len(shares))
    if "min-share" in subject.component.enforces:
        for name, shares in _shares(_binning(subject, min_share=0.3)).items():
            few = [round(share, 3) for share in shares if share < 0.3]
            require(not few or len(shares) == 1, f"a bin of {name!r} has a smaller share than min_share=0.3", got=few)


def _counts_match(table: BinTable, places: Any, good: Any, weight: Any) -> None:
    """Require that statistics are sums of weights by the attribute that each row is put in."""
    for position, statistics in enumerate(table.statistics):
        inside = places == position
        counted = (float(weight[inside & good].sum()), float(weight[inside & ~good].sum()))
        fault = f"attribute {position} of {table.feature.name!r} counts other good and bad rows than {counted}"
        right = (statistics.good, statistics.bad) == counted
        require(right, f"{fault}, their weights summed", got=(statistics.good, statistics.bad))


def _binning(subject: Subject, **options: Any) -> Binning:
    binning: Binning = fit(subject.make(**options), sample_for(subject)).binning_
    return binning


def _shares(binning: Binning) -> dict[str, list[float]]:
    """The share of each interval among rows with ordinary values, by numeric feature."""

    def of(table: BinTable) -> list[float]:
        counts = [table.statistics[i].count for i in table.ordered]
        return [count / sum(table.counts_seen) for count in counts]

    return {table.feature.name: of(table) for table in binning.tables if table.feature.kind == "numeric"}


def _is_audited(binning: Binning, feature: str, action: str) -> None:
    edited = [(edit.feature, edit.action) for edit in binning.audit]
    require((feature, action) in edited, f"the audit trail does not say that {feature!r} was edited", got=edited)
