"""How often each attribute, cell and rule of a model occurs, by period: counted as rows come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data import ExactSums, Floats, Limbs
from scrutable.data.frames import Table, select
from scrutable.model import Cells, Feature, RuleSet, Scorecard, SingleModel, cells_of, clauses_of
from scrutable.model.evaluator import Counted
from scrutable.model.rulesets import hits_of

Places = NDArray[np.integer[Any]]
#: An attribute's characteristic or interaction, or the feature of a cell.
Key = tuple[str, str]


def idle_features(model: SingleModel) -> set[str]:
    """Features whose characteristic gives everybody the same points, and that no interaction has."""
    if not isinstance(model, Scorecard):
        return set()
    in_tables = {name for table in model.interactions for name in table.features}
    return {each.feature for each in model.characteristics if each.is_constant} - in_tables


class Watched:
    """What is distributed in a model besides the score: a scorecard's attributes, and what else is told apart.

    Parameters
    ----------
    cells : by feature without points, the cells that the model tells apart.
    sizes : of each distribution, how many attributes or cells it has.
    rules : how many rules there are, the fallback among them; 0 of other models.
    """

    def __init__(self, model: SingleModel) -> None:
        self._model = model
        card = model if isinstance(model, Scorecard) else None
        axes = [axis for table in card.interactions for axis in table.axes] if card is not None else ()
        self.cells: Mapping[str, Cells] = cells_of(_unscored(model), axes, clauses_of(model))
        self.terms = {} if card is None else {name: term for name, term in card.terms.items() if not term.is_constant}
        self.rules = len(model.rules) + 1 if isinstance(model, RuleSet) else 0
        self.sizes: dict[Key, int] = {("term", name): len(term.cells) for name, term in self.terms.items()}
        self.sizes |= {("cells", name): len(cells.witnesses.values) for name, cells in self.cells.items()}

    def places(self, table: Table, said: Counted) -> Iterator[tuple[Key, Places]]:
        """(n,) the attribute or cell of each row, of every distribution."""
        for name in self.terms:
            yield ("term", name), said.attribute[name]
        for name, cells in self.cells.items():
            column = select(table, [(name, cells.feature.kind)])[name]
            yield ("cells", name), cells.locate(column)

    def hits(self, table: Table) -> tuple[Places, Places]:
        """Rows and the rules that apply to them, pair by pair; the fallback, the last one, where no other does."""
        assert isinstance(self._model, RuleSet)
        hits = hits_of(self._model.rules, self._model, table)
        rows, rules = np.nonzero(np.column_stack([hits, ~hits.any(axis=1)]))
        return rows, rules


class Distributions:
    """The weighted numbers of rows in each attribute or cell, by period, and of those that each rule applies to."""

    def __init__(self, model: SingleModel) -> None:
        self._watched = Watched(model)
        self._sums = {key: ExactSums() for key in self._watched.sizes}
        self._rules = ExactSums()

    def add(self, table: Table, said: Counted, weight: Floats | None, period: Places | None) -> None:
        """Add a block.

        Parameters
        ----------
        weight : (n,) weight of each row; 1 each if None.
        period : (n,) place of its period; None where there are none.
        """
        limbs = None if weight is None else Limbs.of(weight)
        for key, places in self._watched.places(table, said):
            size = self._watched.sizes[key]
            index = places if period is None else period.astype(np.intp) * size + places
            if limbs is None:
                self._sums[key].add(index)
            else:
                self._sums[key].add_limbs(index, limbs)
        if self._watched.rules:
            rows, rules = self._watched.hits(table)
            self._rules.add(rules, None if weight is None else weight[rows])

    def finished(self, order: NDArray[np.intp]) -> Distributed:
        """What was counted, with the periods in this order."""
        return Distributed(self._watched, self._sums, self._rules, order)


class Distributed:
    """What `Distributions` counted of a sample.

    Parameters
    ----------
    order : places at which periods were counted, in their order; one without dates.
    """

    def __init__(
        self, watched: Watched, sums: Mapping[Key, ExactSums], rules: ExactSums, order: NDArray[np.intp]
    ) -> None:
        self.watched, self._sums, self._rules, self._order = watched, sums, rules, order
        self._by_period: dict[Key, Floats] = {}

    def sizes(self, key: Key, period: int | None = None) -> Floats:
        """(cells,) the weighted number of applicants in each attribute or cell, of all or of a period."""
        cells = self.watched.sizes[key]
        if period is None:
            return self._sums[key].folded(cells).rounded(cells)
        if key not in self._by_period:
            made = self._sums[key].rounded(len(self._order) * cells)
            self._by_period[key] = made.reshape(-1, cells)[self._order]
        sizes: Floats = self._by_period[key][period]
        return sizes

    @cached_property
    def rules(self) -> list[Fraction]:
        """(rules,) the weighted number of applicants that each rule applies to."""
        return self._rules.exact(self.watched.rules)


def _unscored(model: SingleModel) -> list[Feature]:
    """Features that decide and have no points; among them those of the same points that a knock-out reads."""
    told = model.characteristics if isinstance(model, Scorecard) else ()
    moving = {each.feature for each in told if not each.is_constant}
    unread = idle_features(model) - model.policy.features
    return [feature for feature in model.features if feature.name not in moving | unread]
