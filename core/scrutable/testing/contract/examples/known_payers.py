"""Small data of which it is known who pays, and what an estimator makes of a value: scores have to move with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.testing.contract.examples.data import TrainingSample, learns_quantities, quantile
from scrutable.testing.contract.subject import Subject

#: Rows of each value.
EACH = 60
#: The column that tells who pays.
X = "x"
#: The class that pays stands second.
LABELS: tuple[Any, Any] = ("bad", "good")


def rows_with(subject: Subject, shares: Mapping[Any, float], *, labels: tuple[Any, Any] = LABELS) -> TrainingSample:
    """`EACH` rows of each value of a column x, the share of them that is good being known exactly; values take turns.

    Parameters
    ----------
    shares : share of good rows by value; None and NaN are missing.
    labels : the bad class and the good one; a learner of quantities gets 0 and 1.
    """
    values = list(shares)
    good = [place < round(share * EACH) for place in range(EACH) for share in shares.values()]
    return sample_of(subject, {X: values * EACH}, good, labels=labels)


def sample_of(
    subject: Subject, columns: Mapping[str, Sequence[Any]], good: Any, *, labels: tuple[Any, Any] = LABELS
) -> TrainingSample:
    """Rows of these columns and outcomes; their sex says nothing of either."""
    rows = len(good)
    ends = (0.0, 1.0) if learns_quantities(subject) else labels
    y = pd.Series([ends[each] for each in np.asarray(good, dtype=int)], name="outcome")
    sex = np.array(["f", "m"], dtype=object)[np.random.default_rng(0).permutation(rows) % 2]
    return TrainingSample(X=frame_of(columns), y=y, sensitive_features=pd.DataFrame({"sex": sex}))


def frame_of(columns: Mapping[str, Sequence[Any]]) -> pd.DataFrame:
    """A frame of doubles and texts."""
    return pd.DataFrame({name: _column(values) for name, values in columns.items()})


def worth(estimator: Any, values: Sequence[Any], name: str = X) -> list[float]:
    """What an estimator that reads one column says of each value: the score, or of a binner the weight of evidence."""
    return worths(estimator, frame_of({name: values}))


def worths(estimator: Any, rows: pd.DataFrame) -> list[float]:
    """What an estimator says of each row: the score, or of a binner the sum of weights of evidence."""
    if hasattr(estimator, "binning_"):
        values: NDArray[np.float64] = np.asarray(estimator.transform(rows), dtype=float).sum(axis=1)
    else:
        values = np.asarray(estimator.evaluate(rows).score, dtype=float)
    return [float(each) for each in values]


def options_for(subject: Subject, **wanted: Any) -> dict[str, Any] | None:
    """Options of the component's own, or of the binner that it takes; None if it has a place for neither."""
    own = subject.parameters
    given = {name: value for name, value in wanted.items() if name in own}
    of_binner = {name: value for name, value in wanted.items() if name not in own}
    if of_binner and "binner" not in own:
        return None
    return {**given, "binner": quantile(**of_binner)} if of_binner else given


def has_option(subject: Subject, name: str) -> bool:
    """Whether its constructor has an option of this name."""
    return name in subject.parameters


def finds_no_cuts(subject: Subject) -> bool:
    """Whether it is a binner that has to be given its cuts."""
    return "cuts" in subject.component.enforces


def cuts_for(subject: Subject, *cuts: Any, of: Iterable[str] = (X,)) -> dict[str, Any]:
    """These cuts of columns as an option of a binner that finds none by itself; nothing where one is a text."""
    by_hand = finds_no_cuts(subject) and not any(isinstance(cut, str) for cut in cuts)
    return {"cuts": {name: list(cuts) for name in of}} if by_hand else {}


def cutting(subject: Subject, cut: Any = 2.0, **options: Any) -> Any:
    """The component, with a cut by hand of the column x where it finds none by itself."""
    return subject.make(**options, **cuts_for(subject, cut))


def _column(values: Sequence[Any]) -> pd.Series[Any]:
    texts = any(isinstance(value, str) for value in values)
    return pd.Series(list(values), dtype=object if texts else float)
