"""What every selector is held to: lists hold, each that leaves has its reason, and only counts matter."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from scrutable.binning import intervals
from scrutable.binning.mean_binning import tabulate_means
from scrutable.binning.tables import tabulate
from scrutable.data.frames import as_table
from scrutable.data.training import QuantityData, TrainingData, read_quantity_training, read_training
from scrutable.errors import InputError
from scrutable.model import Evidence, FrozenMapping
from scrutable.plugins.bases import Candidates, Selector
from scrutable.plugins.selections import SELECTION, Selection

_ROWS, _COLUMNS, _TELLING = 1_200, 9, 4


def check_selector(make: Callable[..., Selector]) -> Selection:
    """Select among columns that tell and columns of noise, and hold the result to what every selector promises.

    Each characteristic that leaves has one entry that says so, with a step and a reason; what must stays, what never
    may leaves, of a group one stays at most; rows in another order give the same selection; a name that there is not is
    refused; and the log can be written and read back. A quantity is selected for alike, or refused.

    Parameters
    ----------
    make : makes the selector with options of the base class, such as `must`.

    Raises
    ------
    AssertionError : it is not so.
    """
    data = _drawn()
    candidates, names = _candidates(data), [feature.name for feature in data.features]
    chosen = make().select(candidates)
    _is_whole(chosen, names)
    order = np.random.default_rng(1).permutation(len(data.weight))
    assert make().select(_candidates(_taken(data, order))) == chosen, "rows in another order give another selection"
    assert make().select(candidates) == chosen, "a second selection differs"
    listed = make(must=names[-1:], never=names[:1], one_of=[names[1:3]]).select(candidates)
    _is_whole(listed, names)
    assert names[-1] in listed.kept, f"{names[-1]} must stay and left"
    assert names[0] not in listed.kept, f"{names[0]} never may and stays"
    assert len({*names[1:3]} & {*listed.kept}) <= 1, "two of a group stay"
    try:
        make(must=["no such"]).select(candidates)
    except InputError:
        pass
    else:
        raise AssertionError("a characteristic that there is not is taken for one")
    _of_quantity(make(), data, order)
    return chosen


def _of_quantity(selector: Selector, data: TrainingData, order: Any) -> None:
    """That a selector of quantities keeps to the same, and that another one refuses them."""
    quantity, names = _quantity(data), [feature.name for feature in data.features]
    try:
        chosen = selector.select(_candidates(quantity))
    except InputError:
        assert not selector.quantities, "a selector of quantities refuses one"
        return
    assert selector.quantities, "a quantity is taken by a selector that is not said to"
    _is_whole(chosen, names)
    again = selector.select(_candidates(_quantity(data, order)))
    assert again == chosen, "rows in another order give another selection of a quantity"


def _is_whole(chosen: Selection, names: list[str]) -> None:
    assert [name for name in names if name in chosen.kept] == [*chosen.kept], "the order of the inputs is lost"
    left = Counter(entry.feature for entry in chosen.dropped)
    assert left == Counter({*names} - {*chosen.kept}), f"entries of {dict(left)} for what left"
    assert all(entry.step and entry.reason for entry in chosen.log), "an entry without a step or a reason"
    assert chosen.considered == len(names), f"{chosen.considered} considered of {len(names)}"
    json.dumps(chosen.to_dict(), allow_nan=False)
    evidence = Evidence(model_sha256="", metrics=FrozenMapping({SELECTION: chosen.to_json()}))
    assert Selection.of(evidence) == chosen, "the log does not survive its file"


def _drawn() -> TrainingData:
    draw = np.random.default_rng(0)
    values = draw.integers(0, 5, size=(_ROWS, _COLUMNS)).astype(float)
    values[:, 1] = np.where(draw.random(_ROWS) < 0.8, values[:, 0], values[:, 1])
    odds = values[:, :_TELLING].sum(axis=1) - 2.0 * _TELLING
    good = draw.random(_ROWS) < 1 / (1 + np.exp(-0.5 * odds))
    weight = draw.integers(1, 3, _ROWS).astype(float)
    columns = {f"column {at}": values[:, at] for at in range(_COLUMNS)}
    return read_training(as_table(columns), good.astype(int), sample_weight=weight)


def _taken(data: TrainingData, rows: Any) -> TrainingData:
    columns = {name: column.values[rows] for name, column in data.columns.items()}
    return read_training(as_table(columns), data.label[rows], sample_weight=data.weight[rows])


def _quantity(data: TrainingData, order: Any = slice(None)) -> QuantityData:
    """The rows with an amount in place of the outcome."""
    columns = {name: column.values[order] for name, column in data.columns.items()}
    noise = np.random.default_rng(2).normal(size=len(data.weight))
    amount = sum(data.columns[f"column {at}"].values for at in range(_TELLING)) + noise
    return read_quantity_training(as_table(columns), amount[order], sample_weight=data.weight[order])


def _candidates(data: TrainingData | QuantityData) -> Candidates:
    conditions = {feature.name: intervals([1.0, 2.0, 3.0, 4.0], feature) for feature in data.features}
    known = [(feature, conditions[feature.name], data.columns[feature.name]) for feature in data.features]
    if isinstance(data, QuantityData):
        means = [tabulate_means(*each, data.values, data.weight) for each in known]
        rows = data.coded([table.coding for table in means])
        return Candidates.of(means, rows, [table.means_used for table in means], data)
    tables = [tabulate(*each, data.good, data.weight) for each in known]
    rows = data.coded([table.coding for table in tables])
    return Candidates.of(tables, rows, [table.woe for table in tables], data)
