"""Checks of binners' tables against plain counting: weights of evidence, the sides of cuts, texts, policies, trends."""

from __future__ import annotations

import copy
import itertools
import math
from typing import Any

import numpy as np

from scrutable.model import Categories, Interval, Missing, Otherwise, Special
from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.examples.data import (
    edge_applicants,
    fit,
    fitted,
    sample_for,
    weights,
    with_special_codes,
)
from scrutable.testing.contract.examples.known_payers import X, frame_of, rows_with, worth
from scrutable.testing.contract.subject import Subject

_CODE = -9.0
_NEAR = 1e-9
_HINT = "leave counting and transform to the base class, which does both by the conditions"


@deciding("binner", hint=_HINT)
def weights_of_evidence_are_those_of_the_counts(subject: Subject) -> None:
    """Share and weight of evidence of each attribute follow from its counts, and transform gives that weight."""
    sample = sample_for(subject)
    for weight in (None, weights()):
        binner = fit(subject.make(**with_special_codes(subject)), sample, sample_weight=weight)
        given = binner.transform(sample.X)
        places = binner.set_params(encoding="index").transform(sample.X)
        for column, table in enumerate(binner.binning_.tables):
            all_good, all_bad = (sum(getattr(each, side) for each in table.statistics) for side in ("good", "bad"))
            for place, each in enumerate(table.statistics):
                where = f"attribute {place} of {table.feature.name!r}"
                share = (each.good + each.bad) / (all_good + all_bad)
                require(abs(each.share - share) < _NEAR, f"the share of {where} is not that of its rows", got=each)
                if each.good and each.bad:
                    wanted = math.log(each.good / all_good) - math.log(each.bad / all_bad)
                    right = abs(each.woe - wanted) < _NEAR
                    require(right, f"the weight of evidence of {where} is not ln(good share / bad share)", got=each)
                elif not each.count:
                    require(each.woe == 0, f"nobody is in {where}, and its weight of evidence is not 0", got=each)
            same = np.array_equal(given[:, column], np.asarray(table.woe)[places[:, column]])
            require(same, f"transform gives other numbers than the weights of evidence of {table.feature.name!r}")


@deciding("binner", hint=_HINT)
def values_are_where_conditions_say(subject: Subject) -> None:
    """Values at a cut, just below and above it, special, missing, unseen and infinite are put where conditions say."""
    binner, rows = copy.copy(fitted(subject)).set_params(encoding="index"), edge_applicants()
    for table in binner.binning_.tables:
        name = table.feature.name
        ends = [c.lower for c in table.conditions if isinstance(c, Interval) and math.isfinite(c.lower)]
        near = [side for end in ends for side in (np.nextafter(end, -np.inf), end, np.nextafter(end, np.inf))]
        seen = [value for c in table.conditions if isinstance(c, Categories) for value in c.values]
        values = [*near, *seen, *rows[name].tolist(), None]
        frame = rows.iloc[[0] * len(values)].reset_index(drop=True).assign(**{name: frame_of({X: values})[X]})
        column = list(rows).index(name)
        places = np.asarray(binner.transform(frame))[:, column].tolist()
        wanted = [_place(table.conditions, value) for value in values]
        wrong = [value for value, ours, theirs in zip(values, wanted, places, strict=True) if ours != theirs]
        require(not wrong, f"a value of {name!r} is put elsewhere than its conditions say", got=wrong)


@deciding("binner", hint="return every text that is not rare in one of the groups of find_groups")
def frequent_texts_have_attributes(subject: Subject) -> None:
    """A text that a third of the rows have is in an attribute of its own or with others, not among the unseen."""
    binner = fit(subject.make(), rows_with(subject, {"a": 0.1, "b": 0.9, "c": 0.5}))
    held = {value for c in binner.binning_[X].conditions if isinstance(c, Categories) for value in c.values}
    require(held == {"a", "b", "c"}, "texts that a third of the rows have are treated as unseen", got=sorted(held))
    first, second, third = worth(binner, ["a", "b", "c"])
    require(first < second and first <= third <= second, "texts do not follow their rows", got=[first, second, third])


@deciding("binner", hint="leave edits to the base class: override find_cuts and find_groups, or propose")
def edits_of_a_review_are_replayed(subject: Subject) -> None:
    """Edits of a review are replayed: cuts, groups, trends, and how missing values and special codes are treated."""
    numbers = rows_with(subject, {1.0: 0.1, 2.0: 0.5, 3.0: 0.9, _CODE: 0.98, None: 0.98})
    edits: list[dict[str, Any]] = [{"feature": X, "action": "cuts", "cuts": [2.0, 3.0]}]
    edits += [{"feature": X, "action": "missing", "policy": "worst"}]
    edits += [{"feature": X, "action": "special", "policy": "with", "bin": 2.0}]
    binner = fit(subject.make(edits=edits, special_codes={X: [_CODE]}), numbers)
    cuts = [c.lower for c in binner.binning_[X].conditions if isinstance(c, Interval)]
    require(cuts == [-np.inf, 2.0, 3.0], "cuts of a review are not kept", got=cuts)
    first, second, third, special, missing = scores = worth(binner, [1.0, 2.0, 3.0, _CODE, None])
    require(missing == first == min(scores), "missing values that a review treats as the worst are not", got=scores)
    require(special == second, "special codes that a review counts with a bin are not worth what it is", got=scores)
    require(first < second < third, "with the cuts of a review values do not follow their rows", got=scores)
    noted = [edit.action for edit in binner.binning_.audit]
    require(noted == ["cuts", "missing", "special"], "the audit trail does not tell the edits", got=noted)


@deciding("binner", hint="leave trends to the base class, which hands them on in BinTable.trend")
def a_trend_is_handed_on(subject: Subject) -> None:
    """A trend that is asked for stands in the table, for learners, where cuts are fixed against it, too."""
    sample = rows_with(subject, {1.0: 0.1, 2.0: 0.5, 3.0: 0.9})
    for trend, cuts in itertools.product(("ascending", "descending"), (None, {X: [2.0, 3.0]})):
        options = {} if cuts is None else {"cuts": cuts}
        kept = fit(subject.make(trends={X: trend}, **options), sample).binning_[X].trend
        require(kept == trend, f"a trend that is {trend} is not in the table", got=kept)


def _place(conditions: Any, value: Any) -> int:
    """The position of the attribute of a value: special codes first, then intervals and texts, then missing."""
    missing = value is None or value != value
    kinds = (Missing,) if missing else (Special, (Interval, Categories), Otherwise)
    for kind in kinds:
        for place, condition in enumerate(conditions):
            if isinstance(condition, kind) and (missing or _holds(condition, value)):
                return place
    return -1


def _holds(condition: Any, value: Any) -> bool:
    if isinstance(condition, Interval):
        below = value <= condition.upper if condition.upper == math.inf else value < condition.upper
        return bool(condition.lower <= value and below)
    if isinstance(condition, Otherwise):
        return True
    return value in (condition.values if isinstance(condition, Categories) else condition.codes)
