"""`python -m scrutable.testing.contract.elsewhere`: reads a component as JSON, and writes what it makes as JSON."""

from __future__ import annotations

import json
import sys
import warnings
from typing import Any

from scrutable.component import Component
from scrutable.registry import Listing
from scrutable.testing.contract.calling import fresh_calls
from scrutable.testing.contract.results import results
from scrutable.testing.contract.subject import Subject


def main() -> None:
    """Answer on the last line of the output, whatever a component prints before."""
    asked = json.load(sys.stdin)
    warnings.simplefilter("ignore")
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in asked["component"].items()
    }
    component = Component(**given)
    make = results if asked["what"] == "results" else fresh_calls
    print(json.dumps(make(Subject(Listing(component, component.name, "", "")))))


if __name__ == "__main__":
    main()
