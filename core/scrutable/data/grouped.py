"""Protected groups of the rows of a file: from columns of labels, and from columns of membership probabilities."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scrutable.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from scrutable.data.attribute import ProtectedAttribute
    from scrutable.data.groups import Groups

#: By protected attribute and group, the column of the probability that a row belongs to the group.
Probabilities = Mapping[str, Mapping[str, str]]
#: By protected attribute, the numbers at which its groups begin, but the first.
Cuts = Mapping[str, Sequence[float]]
#: How errors name the option of columns of probabilities.
FLAG = "--protected-probabilities"
#: How errors name a row.
_ROW = re.compile(r"\brow (\d+)")


def columns_of(probabilities: Probabilities) -> Iterator[str]:
    """The columns that hold probabilities, in the order given."""
    for groups in probabilities.values():
        yield from groups.values()


def read_both(
    frames: Sequence[pd.DataFrame],
    places: Sequence[str],
    protected: Sequence[str],
    probabilities: Probabilities,
    *,
    reference: Mapping[str, str],
    cuts: Cuts | None = None,
    counts: Sequence[NDArray[np.intp]] | None = None,
) -> list[Groups | None]:
    """Groups of the rows of several files or frames, made together: with the same labels, cuts and references.

    Parameters
    ----------
    places : how errors name each of them.
    cuts : as in `read_groups`.
    counts : of each of them, how many rows each row stands for; 1 each if None.

    Raises
    ------
    InputError, KindError : as `read_groups`; a row is named by its place and its number in there.
    """
    import numpy as np
    import pandas as pd

    columns = [*protected, *columns_of(probabilities)]
    together = pd.concat([frame[columns] for frame in frames], ignore_index=True)
    ends = np.cumsum([len(frame) for frame in frames]).tolist()
    with rows_named(lambda row: _place_of(row, ends, places)):
        count = None if counts is None else np.concatenate(counts)
        groups = read_groups(together, protected, probabilities, reference=reference, cuts=cuts, count=count)
    if groups is None:
        return [None for _ in frames]
    return [groups.subset(np.arange(start, end)) for start, end in zip([0, *ends], ends, strict=False)]


def check_columns(frame: pd.DataFrame, protected: Sequence[str], probabilities: Probabilities) -> None:
    """Refuse columns that the frame does not have.

    Raises
    ------
    InputError : names the option and the closest column.
    """
    from scrutable.data.frames.names import known_column

    for name in protected:
        known_column(name, frame.columns, "--protected")
    for name in columns_of(probabilities):
        known_column(name, frame.columns, FLAG)


@contextmanager
def rows_named(name: Callable[[int], str]) -> Iterator[None]:
    """Errors about rows that were taken from elsewhere name them as they are named there.

    >>> with rows_named(lambda row: f"row {row + 10}"):
    ...     raise InputError("a date is missing", where="dates, row 2")
    Traceback (most recent call last):
    scrutable.errors.InputError: dates, row 12: a date is missing.
    """
    try:
        yield
    except InputError as error:
        for part in ("where", "allowed"):
            if (text := getattr(error, part)) is not None:
                setattr(error, part, _ROW.sub(lambda match: name(int(match[1])), text))
        raise


def read_groups(
    frame: pd.DataFrame,
    protected: Sequence[str],
    probabilities: Probabilities,
    *,
    reference: Mapping[str, str] | None = None,
    cuts: Cuts | None = None,
    min_group_size: int = 30,
    count: NDArray[np.intp] | None = None,
) -> Groups | None:
    """The groups of the rows, known ones first; None where no attribute is named, or none has two groups to tell of.

    Groups of few rows are counted with others, see `scrutable.data.disclosure`.

    Parameters
    ----------
    protected : columns of labels.
    probabilities : columns of probabilities; rows in which all of an attribute's are missing are "(missing)".
    reference : group to compare with by attribute, of either kind; the largest where none is named.
    cuts : where columns of numbers among `protected` are cut into groups, by name; others are passed over.
    min_group_size : smaller groups bring a warning.
    count : (n,) how many rows each of these stands for; 1 each if None.

    Raises
    ------
    InputError, KindError : as in `Groups.from_frame` and `Groups.from_probabilities`.
    """
    from scrutable.data.disclosure.groups import pooled_groups
    from scrutable.data.groups import Groups

    named = dict(reference or {})
    of_probable = {name: named.pop(name) for name in list(named) if name in probabilities or not protected}
    attributes: tuple[ProtectedAttribute, ...] = ()
    if protected:
        columns = frame[list(protected)]
        bins = {name: own for name, own in (cuts or {}).items() if name in protected}
        known = Groups.from_frame(columns, reference=named, bins=bins, min_group_size=min_group_size, count=count)
        attributes = known.attributes
    if probabilities:
        shares = {name: {group: frame[column] for group, column in of.items()} for name, of in probabilities.items()}
        probable = Groups.from_probabilities(shares, reference=of_probable, min_group_size=min_group_size, count=count)
        attributes += probable.attributes
    return pooled_groups(Groups(attributes), count=count) if attributes else None


def _place_of(row: int, ends: Sequence[int], places: Sequence[str]) -> str:
    """A row of several places, by its place and its number in there."""
    at = next((at for at, end in enumerate(ends) if row < end), len(ends) - 1)
    return f"{places[at]}, row {row - (ends[at - 1] if at else 0)}"
