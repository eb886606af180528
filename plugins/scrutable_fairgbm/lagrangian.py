"""The proxy-Lagrangian of the paper: multipliers of at least 0, ascent on true rates, descent on convex proxies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from scrutable_fairgbm.families import Family
from scrutable_fairgbm.gradients import Floats, Singles, add_proxies, proxy_losses, weigh_rows
from scrutable_fairgbm.players import View
from scrutable_fairgbm.rates import RateRows

Proxy = Literal["cross-entropy", "hinge", "quadratic"]

PROXIES: tuple[Proxy, ...] = ("cross-entropy", "hinge", "quadratic")


class ProxyLagrangian:
    """Algorithm 1 as printed, so with all that it may do: with a slack of 0 the multiplier of the group with the
    highest rate can never fall, since its violation is never below 0, and scores can run away.

    Losses are means over rows, the proxies of a group means over its rows. Hessians are those of the logistic loss.

    Parameters
    ----------
    rows : cells of the training rows.
    constraints : families of constraints on them.
    rate : by which violations are multiplied, eta of lambda in the paper.
    proxy : what stands for an error or a favourable decision in the descent: "cross-entropy" log(1 + e^z), "hinge"
        max(0, 1 + z) or "quadratic" max(0, 1 + z)^2 / 2, where z is the score, or for a good payer minus the score.
    start : multipliers to start from.
    base : (K,) by which losses are multiplied: class weights.
    """

    def __init__(
        self,
        rows: RateRows,
        constraints: Sequence[Family],
        *,
        rate: float,
        proxy: Proxy,
        start: Floats | None = None,
        base: Floats,
    ) -> None:
        self._rows, self._families, self._rate, self._base = rows, constraints, rate, base
        self._proxy = PROXIES.index(proxy)
        self._gradient, self._hessian = np.empty((2, len(rows.cell)), np.float32)
        self._errors, self._of_errors, self._of_positives = np.empty((3, len(rows.total)))
        n = sum(len(family.names) for family in constraints)
        self.values: Floats = np.zeros(n) if start is None else start.copy()
        self.measured: Floats = np.zeros(n)

    def gradients(self, view: View) -> tuple[Singles, Singles]:
        rows = self._rows
        weigh_rows(
            view.score,
            rows.cell,
            rows.good,
            self._base,
            rows.weight,
            view.threshold,
            0.0,
            self._gradient,
            self._hessian,
            self._errors,
        )
        if self._families:
            self._descend(view.score)
            self.measured = np.concatenate([family.violations(self._errors, rows) for family in self._families])
            self.values = np.maximum(self.values + self._rate * self.measured, 0.0)
        return self._gradient, self._hessian

    def _descend(self, score: Floats) -> None:
        """Add the gradients of the proxies to those of the loss."""
        rows, at = self._rows, 0
        proxy_losses(score, rows.cell, rows.good, rows.weight, self._proxy, self._of_errors, self._of_positives)
        on_errors, on_positives = np.zeros((2, len(rows.total)))
        for family in self._families:
            own = self.values[at : at + len(family.names)]
            at += len(family.names)
            if family.positives:
                on_positives += family.weights(own, self._of_positives)
            else:
                on_errors += family.weights(own, self._of_errors)
        n = rows.total.sum()
        add_proxies(
            score, rows.cell, rows.good, rows.weight, self._proxy, n * on_errors, n * on_positives, self._gradient
        )
