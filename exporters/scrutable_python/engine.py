"""Running the file in a Python of its own."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from scrutable.data.frames import Column
from scrutable.errors import PluginError
from scrutable.model.evaluator import OutputFrame, kind_of
from scrutable.proof import run_program
from scrutable.writing import temporary_folder

_DRIVER = Path(__file__).with_name("driver.py")


def run(
    text: str, module: str, function: str, names: tuple[str, ...], columns: Mapping[str, Column], n_rows: int
) -> OutputFrame:
    """The results `names` of n rows; doubles go in and come back in hexadecimal, so that none changes; None is NaN.

    Raises
    ------
    PluginError : the file stopped with an error.
    """
    inputs = {"function": function, "names": names, "n_rows": n_rows, "columns": _written(columns)}
    with temporary_folder() as folder:
        file = folder / f"{module}.py"
        file.write_text(text, encoding="ascii", newline="\n")
        done = run_program(
            "Python",
            sys.executable,
            ["-I", str(_DRIVER), str(file)],
            files=[file],
            input=json.dumps(inputs),
            encoding="ascii",
        )
    if done.returncode != 0:
        last = done.stderr.strip().rpartition("\n")[2]
        raise PluginError("the file stopped with an error", where=f"file {module}.py", got=last)
    results = json.loads(done.stdout)
    return OutputFrame({name: _read(name, results[name]) for name in names})


def _written(columns: Mapping[str, Column]) -> dict[str, list[Any]]:
    return {
        name: [value.hex() for value in column.values.tolist()] if column.kind == "numeric" else column.values.tolist()
        for name, column in columns.items()
    }


def _read(name: str, values: list[Any]) -> np.ndarray[Any, Any]:
    kind = kind_of(name)
    if kind is np.float64:
        return np.array([np.nan if value is None else float.fromhex(value) for value in values])
    return np.array(values, dtype=kind)
