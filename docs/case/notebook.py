"""Writes `taiwan.ipynb` from `taiwan.py`: the same cells, run, without the clock's time and with ids that stay.

Run by `make notebook`; it needs the folder of data sets that the environment variable SCRUTABLE_DATA names.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jupytext
from nbclient import NotebookClient

from scrutable.writing import write_whole

HERE = Path(__file__).parent
SCRIPT, NOTEBOOK = HERE / "taiwan.py", HERE / "taiwan.ipynb"


def made() -> Any:
    """The notebook of the script, not run yet."""
    notebook = jupytext.read(SCRIPT)
    for number, cell in enumerate(notebook.cells, 1):
        cell.id = f"cell-{number}"
    return notebook


def run(notebook: Any, folder: Path) -> Any:
    """The notebook with its outputs; paths in it start from the folder.

    Raises
    ------
    CellExecutionError : a cell failed.
    """
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=900, record_timing=False, coalesce_streams=True, resources=resources).execute()
    notebook.metadata.pop("language_info", None)
    return notebook


def main() -> None:
    notebook = run(made(), Path.cwd())
    write_whole(NOTEBOOK, jupytext.writes(notebook, fmt="ipynb") + "\n", overwrite=True)


if __name__ == "__main__":
    main()
