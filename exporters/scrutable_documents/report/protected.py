"""Protected groups of the applicants that a document measures on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from scrutable.data import Probabilities, check_columns, read_groups

if TYPE_CHECKING:
    import pandas as pd

    from scrutable.fairness import Groups


def protected_groups(
    data: pd.DataFrame | None,
    protected: Sequence[str],
    probabilities: Probabilities,
    reference: Mapping[str, str],
    cuts: Mapping[str, Sequence[float]],
) -> Groups | list[str] | None:
    """What the option `protected` of the exporter is: names of columns, or groups of which some are not known.

    Without data these are names, too, for the exporter to refuse.

    Parameters
    ----------
    protected, probabilities : columns of labels, and columns of membership probabilities by attribute and group.
    reference : group to compare with by attribute; the largest where none is named.
    cuts : where attributes of numbers are cut into groups, by name.

    Raises
    ------
    InputError : a column that is not there, or as in `read_groups`.
    """
    if not probabilities and not reference and not cuts:
        return list(protected) or None
    if data is None:
        return [*protected, *probabilities]
    check_columns(data, protected, probabilities)
    return read_groups(data, protected, probabilities, reference=reference, cuts=cuts)
