"""A table together with what each of its columns may be used for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scrutable.errors import InputError, did_you_mean

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Dataset:
    """Applicants, their outcome, and which columns are inputs and which are only for auditing.

    Keeping the roles beside the table makes it hard to feed a model a protected attribute by accident.

    Parameters
    ----------
    frame : one row an applicant, every column included.
    target : the outcome's column.
    favourable : the value of the target that is the good outcome for the applicant.
    inputs : columns that a model may use.
    protected : columns to audit group disparities by; never inputs.
    description, source, licence : what the data are, where they come from, what may be done with them.
    special_codes : by numeric column, the numbers in it that are codes and not amounts.

    Raises
    ------
    InputError : a named column is not in the frame, or the target or a protected attribute is among the inputs.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"income": [1800, 2600], "sex": ["female", "male"], "paid": ["yes", "no"]})
    >>> data = Dataset(frame, target="paid", favourable="yes", inputs=("income",), protected=("sex",))
    >>> data.X.columns.tolist(), data.y.tolist(), data.sensitive_features["sex"].tolist()
    (['income'], ['yes', 'no'], ['female', 'male'])
    """

    frame: pd.DataFrame
    target: str
    favourable: str | int
    inputs: tuple[str, ...]
    protected: tuple[str, ...]
    description: str = ""
    source: str = ""
    licence: str = ""
    special_codes: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        columns = list(self.frame.columns)
        for name in (self.target, *self.inputs, *self.protected, *self.special_codes):
            if name not in columns:
                raise InputError(
                    "the frame has no such column",
                    where="Dataset",
                    got=name,
                    allowed=did_you_mean(name, columns),
                    fix="correct the name, or add the column to the frame",
                )
        for name in (self.target, *self.protected):
            if name in self.inputs:
                raise InputError(
                    "is the target or a protected attribute, and also an input",
                    where=f"column {name!r}",
                    got=self.inputs,
                    allowed="inputs without the target and the protected attributes",
                    fix=f"leave {name!r} out of inputs",
                )

    @property
    def X(self) -> pd.DataFrame:
        """The inputs, as a new frame of shape (rows, inputs)."""
        return self.frame[list(self.inputs)].copy()

    @property
    def y(self) -> pd.Series:
        """The outcome, as a new series of one value a row."""
        return self.frame[self.target].copy()

    @property
    def sensitive_features(self) -> pd.DataFrame:
        """The protected attributes, as a new frame of shape (rows, protected)."""
        return self.frame[list(self.protected)].copy()
