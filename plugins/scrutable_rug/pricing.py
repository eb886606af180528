"""Candidate rules: what trees that are grown on the duals offer to the master problem.

A rule that covers some rows and votes for class k has the reduced cost λ c − Σ β_i â_i over these rows (equation (5) of
the paper), where â is 1 for rows of class k and, for others, -1 / (K - 1) in the paper and -1 in the variant "unit".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import InputError
from scrutable.errors.checks import check_number
from scrutable.model import Conjunction
from scrutable_rug.bodies import Body, clauses, covered, length
from scrutable_rug.coding import CodedTable
from scrutable_rug.costs import RuleCost, RuleFacts, check_cost, cost_of
from scrutable_rug.rows import Floats, Rows
from scrutable_rug.trees import Tree

Loss = Literal["paper", "unit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PricingOptions:
    """What a rule is worth.

    Parameters
    ----------
    penalty : λ, by which the cost of a rule is multiplied.
    cost : what a rule costs: "one", "length" (number of conditions), "features", "coverage" (share of the rows), or a
        function of `RuleFacts`.
    loss : what a wrong vote counts: -1 / (K - 1) in the paper, -1 with "unit"; the same with two classes.
    nodes : whether only the leaves of a tree are candidates, or all its nodes but the root.
    tolerance : a reduced cost counts as negative below minus this.

    Raises
    ------
    InputError : a value out of range.
    """

    penalty: float = 1.0
    cost: RuleCost = "length"
    loss: Loss = "unit"
    nodes: Literal["leaves", "all"] = "leaves"
    tolerance: float = 1e-6

    def __post_init__(self) -> None:
        check_cost(self.cost)
        check_number(self.penalty, "penalty", "0 or more, and finite")
        check_number(self.tolerance, "tolerance", "0 or more, and finite")
        if self.loss not in ("paper", "unit"):
            raise InputError("unknown loss", where="loss", got=self.loss, allowed="'paper' or 'unit'")
        if self.nodes not in ("leaves", "all"):
            raise InputError("unknown choice of nodes", where="nodes", got=self.nodes, allowed="'leaves' or 'all'")

    def wrong(self, n_classes: int) -> float:
        """What a wrong vote takes away: 1, or 1 / (K - 1)."""
        return 1.0 / (n_classes - 1) if self.loss == "paper" else 1.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """A rule that may enter the master problem.

    Parameters
    ----------
    body : what it asks for, in codes.
    when : the same as clauses of the model.
    label : number of its class.
    length : number of its conditions.
    cost : c, before it is multiplied by the penalty.
    reduced_cost : λ c − Σ β_i â_i.
    cover : (n,) rows that it covers.
    """

    body: Body
    when: Conjunction
    label: int
    length: int
    cost: float
    reduced_cost: float
    cover: NDArray[np.bool_]


def offer(
    tree: Tree, rows: Rows, dual: Floats, options: PricingOptions, *, below: float | None = None
) -> list[Candidate]:
    """The rules that a tree offers, by rising reduced cost, each with the class for which it is least.

    Parameters
    ----------
    dual : (n,) duals β >= 0 of the rows.
    below : only rules with a smaller reduced cost; minus the tolerance where it is not given.

    Examples
    --------
    >>> from scrutable.data.frames import as_table
    >>> from scrutable.model import Feature, describe_all
    >>> from scrutable_rug.coding import code_table
    >>> from scrutable_rug.trees import TreeOptions, grow
    >>> column = as_table({"age": [20.0, 30.0, 40.0, 50.0]}).column("age")
    >>> table = code_table([Feature(name="age", kind="numeric")], {"age": column})
    >>> rows = Rows.of(table, np.array([0, 1, 1, 0]), 2)
    >>> tree = grow(rows, np.ones(4), TreeOptions(max_depth=2))
    >>> offered = offer(tree, rows, np.ones(4), PricingOptions(penalty=0.25, cost="length"))
    >>> [(describe_all(each.when), each.label, each.reduced_cost) for each in offered]
    [('age in [25, 45)', 1, -1.5), ('age < 25', 0, -0.75), ('age >= 45', 0, -0.75)]
    """
    limit = -options.tolerance if below is None else below
    leaf = tree.leaf_of_rows()
    covers, weights = _node_totals(tree, leaf, rows, dual)
    bodies = tree.bodies()
    candidates = []
    for node in tree.leaves.tolist() if options.nodes == "leaves" else range(1, len(weights)):
        label, gain = best_vote(weights[node], options)
        facts = facts_of(bodies[node], rows.table, covers[node] / len(leaf))
        cost = cost_of(options.cost, facts)
        if options.penalty * cost - gain < limit:
            inner = tree.nodes.split[node, 0] >= 0
            candidates.append(
                Candidate(
                    body=bodies[node],
                    when=facts.when,
                    label=label,
                    length=facts.length,
                    cost=cost,
                    reduced_cost=options.penalty * cost - gain,
                    cover=covered(bodies[node], rows.table) if inner else leaf == node,
                )
            )
    return distinct(candidates)


def candidate(body: Body, label: int, rows: Rows, dual: Floats, options: PricingOptions) -> Candidate:
    """The rule of this body and class."""
    cover = covered(body, rows.table)
    facts = facts_of(body, rows.table, float(np.mean(cover)))
    cost = cost_of(options.cost, facts)
    vote = np.where(rows.label == label, 1.0, -options.wrong(rows.n_classes))
    return Candidate(
        body=body,
        when=facts.when,
        label=label,
        length=facts.length,
        cost=cost,
        reduced_cost=options.penalty * cost - float(dual[cover] @ vote[cover]),
        cover=cover,
    )


def distinct(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Candidates by rising reduced cost; of those with one class and cover only the first, that is the cheapest."""
    kept: dict[tuple[int, bytes], Candidate] = {}
    for each in sorted(candidates, key=lambda each: each.reduced_cost):
        kept.setdefault((each.label, np.packbits(each.cover).tobytes()), each)
    return list(kept.values())


def best_vote(weight: Floats, options: PricingOptions) -> tuple[int, float]:
    """The class for which a rule gains most, the lowest of equals, and its gain Σ β_i â_i.

    Parameters
    ----------
    weight : (K,) weight of each class among the rows covered.
    """
    label = int(np.argmax(weight >= weight.max() * (1 - 1e-12)))
    wrong = weight.sum() - weight[label]
    return label, float(weight[label] - options.wrong(len(weight)) * wrong)


def facts_of(body: Body, table: CodedTable, coverage: float) -> RuleFacts:
    """What the cost of a body depends on."""
    when = clauses(body, table.features)
    return RuleFacts(when=when, length=length(body, table.features), n_features=len(body), coverage=coverage)


def _node_totals(tree: Tree, leaf: NDArray[np.int32], rows: Rows, dual: Floats) -> tuple[Floats, Floats]:
    """(nodes,) number of rows, and (nodes, K) dual weight of each class, in each node."""
    children = tree.nodes.children
    place = leaf.astype(np.int64) * rows.n_classes + rows.label
    weights = np.bincount(place, weights=dual, minlength=len(children) * rows.n_classes).astype(np.float64)
    weights = weights.reshape(len(children), rows.n_classes)
    count = np.bincount(leaf, minlength=len(children)).astype(np.float64)
    for node in reversed(np.flatnonzero(children[:, 0] >= 0)):
        weights[node] = weights[children[node]].sum(axis=0)
        count[node] = count[children[node]].sum()
    return count, weights
