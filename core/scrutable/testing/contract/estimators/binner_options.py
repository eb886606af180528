"""Checks of learners that take a binner: what is set in the binner counts as what is set in the learner."""

from __future__ import annotations

from typing import Any

from scrutable.errors import ScrutableError
from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.examples.data import CODE, fit, quantile, sample_for
from scrutable.testing.contract.examples.known_payers import has_option
from scrutable.testing.contract.results import content
from scrutable.testing.contract.subject import Subject

#: Options that binners have and learners may have.
_VALUES: dict[str, Any] = {
    "favourable": "bad",
    "special_codes": {"bureau_score": [CODE]},
    "categorical": ["late_payments"],
}


@deciding("learner", hint="read the data by the binner's options where the learner's own are left out")
def options_of_its_binner_count_as_its_own(subject: Subject) -> None:
    """Favourable class, special codes and categories that are set in its binner count as those set in the learner."""
    if not has_option(subject, "binner"):
        return
    sample = sample_for(subject)
    for name, value in _VALUES.items():
        try:
            within = content(fit(subject.make(binner=quantile(**{name: value})), sample))
            without = content(fit(subject.make(binner=quantile()), sample))
        except ScrutableError:
            continue
        require(within != without, f"{name}={value!r} of its binner does nothing")
        if has_option(subject, name):
            own = content(fit(subject.make(binner=quantile(), **{name: value}), sample))
            require(within == own, f"{name}={value!r} of its binner does not count as its own")
