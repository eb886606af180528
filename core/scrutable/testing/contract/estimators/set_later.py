"""Checks of binners and learners whose options are set later: what counts is what is set when fit runs."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from scrutable.errors import ScrutableError
from scrutable.model import Scaling
from scrutable.plugins.registry import registry
from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.examples.data import CODE, fit, quantile, sample_for
from scrutable.testing.contract.examples.known_payers import has_option
from scrutable.testing.contract.results import content
from scrutable.testing.contract.subject import Subject

#: Values of options that many components have.
_VALUES: dict[str, Any] = {
    "special_codes": {"bureau_score": [CODE]},
    "categorical": ["late_payments"],
    "trends": {"income": "descending"},
    "cuts": {"income": [1500.0, 2500.0]},
    "merges": {"housing": [["rented", "with family"]]},
    "edits": [{"feature": "income", "action": "cuts", "cuts": [2000.0]}],
    "approval_rate": 0.3,
    "cutoff": 512.5,
    "max_bins": 2,
    "favourable": "bad",
    "scaling": Scaling(pdo=40.0),
    "binner": "quantile",
}
_CONSTRAINTS: dict[str, tuple[str, dict[str, Any]]] = {
    "rate": ("demographic-parity", {"slack": 0.01}),
    "divergence": ("fairness-information-value", {"bound": 0.01}),
}


@deciding(
    "binner", "learner", hint="read every option in fit and what it calls, and derive nothing from options in __init__"
)
def options_set_later_count(subject: Subject) -> None:
    """An option that `set_params` sets after a fit counts in the next one as one that the constructor is given."""
    sample = sample_for(subject)
    groups = {"sensitive_features": sample.sensitive_features}
    usual = fit(subject.make(), sample, **groups)
    waiting = list(values_of_options(subject))
    while waiting:
        options = waiting.pop()
        try:
            wanted = content(fit(subject.make(**options), sample, **groups))
        except (ScrutableError, TypeError, ValueError):  # one of them is refused
            waiting += [{name: value} for name, value in options.items() if len(options) > 1]
            continue
        later = content(fit(copy.deepcopy(usual).set_params(**options), sample, **groups))
        require(later == wanted, "set by set_params, options do not count as in the constructor", got=options)
    if not has_option(subject, "binner"):
        return
    later = content(fit(subject.make(binner=quantile()).set_params(binner__max_bins=2), sample))
    wanted = content(fit(subject.make(binner=quantile(max_bins=2)), sample))
    require(later == wanted, "an option of its binner, set later, does not count")


def values_of_options(subject: Subject) -> Iterator[dict[str, Any]]:
    """Options of its constructor, each with another value than its default; its own numbers together, to save fits."""
    numbers: dict[str, Any] = {}
    for name, option in subject.parameters.items():
        default = subject.options.get(name, option.default)
        if name in _VALUES:
            yield {name: _VALUES[name]}
        elif name == "constraints":
            yield from ({name: [each]} for each in _constraints(subject))
        elif isinstance(default, int | float) and not isinstance(default, bool):
            numbers[name] = default + 1 if isinstance(default, int) else default / 2
    if numbers:
        yield numbers


def _constraints(subject: Subject) -> Iterator[Any]:
    for kind in subject.component.accepts:
        name, options = _CONSTRAINTS[kind]
        yield registry().create("constraint", name, **options)
