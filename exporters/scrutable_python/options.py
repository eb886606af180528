"""What the user chooses about the file: the names that others call it by."""

from __future__ import annotations

import builtins
import keyword
import re
import sys
from dataclasses import dataclass

from scrutable.errors import InputError
from scrutable.plugins.bases import ResultOptions

#: Names that the file itself uses.
_TAKEN = {
    "Any",
    "Decimal",
    "Iterable",
    "Iterator",
    "Mapping",
    "Real",
    "annotations",
    "bisect_right",
    "main",
    "row",
    "rows",
}


@dataclass(frozen=True, kw_only=True)
class PythonOptions(ResultOptions):
    """Options of the exporter `python`, and those of `ResultOptions`.

    Parameters
    ----------
    module : the file's name without `.py`.
    function : the function that scores one row; `<function>_rows` scores several.

    Raises
    ------
    InputError : a name that Python does not take, or that something else has already.
    """

    module: str = "score"
    function: str = "score"

    def __post_init__(self) -> None:
        super().__post_init__()
        _check("module", self.module, sys.stdlib_module_names)
        _check("function", self.function, _TAKEN | set(dir(builtins)) | {"argparse", "csv", "math", "os", "re", "sys"})


def _check(option: str, value: object, taken: frozenset[str] | set[str]) -> None:
    if not isinstance(value, str) or not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", value) or keyword.iskeyword(value):
        raise InputError(
            "not a name that Python takes",
            where=f"option {option}",
            got=value,
            allowed="a letter, then letters, digits and underscores; no keyword",
            fix=f"for example {option}='credit_score'",
        )
    if value in taken:
        raise InputError(
            "Python or the file itself has something else of this name",
            where=f"option {option}",
            got=value,
            fix=f"for example {option}='credit_score'",
        )
