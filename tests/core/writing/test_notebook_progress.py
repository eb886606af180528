"""The line that tells a notebook how far a call is, in a real kernel and outside of one."""

from __future__ import annotations

from typing import Any

import pytest

from scrutable.writing import told_in_notebooks, tracked_in_notebooks

CELL = """
from scrutable.writing import told_in_notebooks, tracked_in_notebooks
seen = list(tracked_in_notebooks(["a", "b"], 2, "Reading <b>"))
with told_in_notebooks("Searching") as say:
    say("Searching: 1")
seen
"""


def test_nothing_is_shown_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(tracked_in_notebooks("abc", 3)) == ["a", "b", "c"]
    with told_in_notebooks("Searching") as say:
        say("Searching: 1")
    assert capsys.readouterr() == ("", "")


def test_a_kernel_shows_one_line_that_changes_and_goes() -> None:
    pytest.importorskip("ipykernel")
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    heard: list[tuple[str, Any]] = []

    class Listening(nbclient.NotebookClient):  # type: ignore[misc,name-defined]  # no types
        def process_message(self, msg: Any, cell: Any, cell_index: int) -> Any:
            if msg["msg_type"] in ("display_data", "update_display_data"):
                heard.append((msg["msg_type"], msg["content"]["data"]))
            return super().process_message(msg, cell, cell_index)

    Listening(notebook, timeout=120, kernel_name="python3").execute()
    texts = [data["text/plain"] for _, data in heard]
    assert texts == [
        "Reading <b> …",
        "Reading <b>: 1 of 2 …",
        "Reading <b>: 2 of 2 …",
        "",
        "Searching …",
        "Searching: 1 …",
        "",
    ]
    assert [kind for kind, _ in heard].count("display_data") == 2
    assert all(list(data) == ["text/plain"] for _, data in heard)
