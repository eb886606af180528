"""One fit, as a process of its own: `python -m growing.fit LEARNER[:SELECTOR] ROWS COLUMNS`; `drawn` fits nothing."""

from __future__ import annotations

import sys
import warnings

from growing.data import applicants
from scrutable import create


def main() -> None:
    """Draw the applicants and fit; what is measured twice says so itself."""
    warnings.simplefilter("ignore")
    name, rows, columns = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    drawn = applicants(rows, columns)
    if name != "drawn":
        fit(name, drawn.X, drawn.y, drawn.groups)


def fit(name: str, X: object, y: object, groups: object) -> object:
    """A learner with the bound that it is made for, on (n, columns) inputs and their outcomes.

    A selector may follow its name, such as `scorecard:stepwise`; `scorecard:none` keeps all.
    """
    name, _, selector = name.partition(":")
    if selector:
        chosen = None if selector == "none" else selector
        return create("learner", name, select=chosen).fit(X, y)
    if name == "lda-xgb1":
        bound = create("constraint", "fairness-information-value", bound=0.05)
        return create("learner", name, constraints=[bound]).fit(X, y, sensitive_features=groups)
    if name == "segmented":
        return create("learner", name, segments={"low": "x0 < 0", "others": "else"}).fit(X, y)
    return create("learner", name).fit(X, y)


if __name__ == "__main__":
    main()
