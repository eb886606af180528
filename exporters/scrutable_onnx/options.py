"""What the user chooses about the graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scrutable.errors import InputError
from scrutable.plugins.bases import ResultOptions


@dataclass(frozen=True, kw_only=True)
class ONNXOptions(ResultOptions):
    """Options of the exporter `onnx`, and those of `ResultOptions`; one object, checked once.

    Parameters
    ----------
    columns : name of the graph's input by feature, where it is not the feature's name.
    reasons : how many of the model's reasons to return, each with its shortfall; None for as many as its reason policy
        gives, 0 for none.
    points : whether to return the points of every characteristic.

    Raises
    ------
    InputError : an option has a value that it cannot have.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    reasons: int | None = None
    points: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        named = isinstance(self.columns, Mapping) and all(
            isinstance(text, str) and text for text in (*self.columns, *self.columns.values())
        )
        if not named:
            raise _impossible("columns", self.columns, "the name of an input by the name of a feature")
        reasons = self.reasons
        if reasons is not None and (not isinstance(reasons, int) or isinstance(reasons, bool) or reasons < 0):
            raise _impossible("reasons", reasons, "None, or an integer from 0")
        if not isinstance(self.points, bool):
            raise _impossible("points", self.points, "True or False")
        object.__setattr__(self, "columns", dict(self.columns))

    def column(self, feature: str) -> str:
        """The input that a feature is read from."""
        return self.columns.get(feature, feature)


def _impossible(option: str, got: object, allowed: str) -> InputError:
    return InputError("not a value that the option can have", where=f"option {option}", got=got, allowed=allowed)
