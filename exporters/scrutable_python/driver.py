"""Runs an exported file on rows in JSON; a program of its own, for `python -I`, that imports nothing of Scrutable."""

from __future__ import annotations

import json
import runpy
import sys
from typing import Any


def main(path: str) -> None:
    """Score the rows of standard input with the file at `path`; write the results to standard output."""
    request = json.load(sys.stdin)
    exported = runpy.run_path(path, run_name="exported")
    score_rows = exported[request["function"] + "_rows"]
    kinds = dict(exported["_FEATURES"])
    columns = {name: _values(values, kinds[name]) for name, values in request["columns"].items()}
    rows = ({name: values[i] for name, values in columns.items()} for i in range(request["n_rows"]))
    results: dict[str, list[Any]] = {name: [] for name in request["names"]}
    for result in score_rows(rows):
        assert list(result) == request["names"], "other results than were exported"
        for name, value in result.items():
            results[name].append(value.hex() if type(value) is float else value)
    json.dump(results, sys.stdout)


def _values(values: list[Any], kind: str) -> list[Any]:
    return [float.fromhex(value) for value in values] if kind == "numeric" else values


if __name__ == "__main__":
    main(sys.argv[1])
