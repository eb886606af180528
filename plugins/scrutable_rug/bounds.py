"""How far the master problem can still be from its optimum over all rules.

Let z̄ be the value of dual solutions β, μ of the restricted master problem, μ those of its fairness rows, and δ <= 0 a
number below no reduced cost λ c_j − Σ_i β_i â_ij of any rule j, priced in or not. Then z*, the optimum over all rules,
is bounded from below in two ways. Fairness rows may be there or not: they hold slacks v only, so that no rule's reduced
cost has a μ in it.

*By the weights.* Take an optimum w*, v* over all rules and add to its value the rows, each times its dual, which only
lowers it: z* >= z̄ + Σ_j (λ c_j − Σ_i β_i â_ij) w*_j + Σ_i (s_i − β_i − Σ_r μ_r q_ri) v*_i. The last bracket is a
constraint of the dual problem, so it is not negative, and the first is not below δ: z* >= z̄ + δ Σ_j w*_j.

*By scaling (Farley).* Let 0 < θ <= 1 be such that θ Σ_i β_i â_ij <= λ c_j for every rule. Then θβ, θμ is feasible in
the dual problem over all rules: the constraints of the rules hold by choice of θ, and those of the slacks because
θ (β_i + Σ_r μ_r q_ri) <= θ s_i <= s_i. Its value is θ z̄, since every term of the value has one dual in it. So
z* >= θ z̄. As Σ_i β_i â_ij <= λ c_j − δ, the choice θ = p / (p − δ) will do, where p > 0 is the least λ c_j. No larger
one does where all rules cost the same and the least reduced cost is δ itself.

Scaling is never worse than the weights when all that is known of these is that Σ_j w*_j <= z̄ / p.

Proposition 3.1 of the paper, z̄ + δ without the sum of the weights, follows only where that sum is at most 1. A
counter-example: x = 1, 2, 3, 4 with classes 0, 1, 0, 1, and the leaves of the tree that splits at 1.5 as rules. With
λ = 1/4 and rules that cost their length, z̄ = 5/2; by the optimal duals β = (1/4, 1, 1, 1/4) the best rule gains 1/2, so
the proposition puts z* at 2 or more. But a rule for each value, all of weight 1 and six conditions long together,
classifies everything: z* = 6 λ = 3/2. Scaling gives 5/6. Likewise with rules of cost 1 and λ = 1/2: z̄ = 3, the
proposition says 5/2, z* = 4 λ = 2, and scaling gives 3/2.
"""

from __future__ import annotations

from scrutable.errors import InputError


def farley_bound(dual_value: float, reduced_cost: float, least_price: float) -> float:
    """z̄ p / (p − δ), a lower bound of the optimum over all rules.

    Parameters
    ----------
    dual_value : z̄, value of the duals.
    reduced_cost : δ, no more than the reduced cost of any rule.
    least_price : p, no more than λ c of any rule; above 0.

    Raises
    ------
    InputError : a price of 0, from which no bound follows.

    Examples
    --------
    >>> farley_bound(3.0, -0.5, 0.5)
    1.5
    """
    if not least_price > 0:
        raise InputError(
            "a bound needs rules that cost something", where="least_price", got=least_price, allowed="above 0"
        )
    return dual_value * least_price / (least_price - min(reduced_cost, 0.0))


def gap(value: float, bound: float) -> float:
    """The share of the value that an optimum could save at most; 0 where value and bound meet.

    Examples
    --------
    >>> gap(3.0, 1.5)
    0.5
    """
    return max(value - bound, 0.0) / value if value > 0 else 0.0
