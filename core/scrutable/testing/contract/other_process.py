"""`python -m scrutable.testing.contract.other_process`: reads a component as JSON, and writes what it makes as JSON."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from typing import Any

from scrutable.plugins.component import Component
from scrutable.plugins.registry import Listing
from scrutable.testing.contract.calling import fresh_calls
from scrutable.testing.contract.estimators.repeated_fits import fits, learned_in_order
from scrutable.testing.contract.results import results
from scrutable.testing.contract.subject import Subject

_MAKERS: dict[str, Callable[[Subject], Any]] = {
    "results": results,
    "calls": fresh_calls,
    "fits": lambda subject: learned_in_order(subject, list(fits(subject))),
}


def made(asked: dict[str, Any]) -> dict[str, str]:
    """What a component makes; both are told by values of JSON."""
    warnings.simplefilter("ignore")
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in asked["component"].items()
    }
    component = Component(**given)
    answer: dict[str, str] = _MAKERS[asked["what"]](Subject(Listing(component, component.name, "", "")))
    return answer


if __name__ == "__main__":
    print(json.dumps(made(json.load(sys.stdin))))  # on the last line, whatever a component prints before
