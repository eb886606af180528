"""Programs as people read them."""

from __future__ import annotations

from pathlib import Path

from drawn import of_every_kind

from scrutable.model.program import kept, listed, lowered
from scrutable.testing.contract.examples.models import models_named

PAGE = Path(__file__).parents[4] / "docs" / "program.md"


def test_every_node_and_output_has_a_line() -> None:
    for model in of_every_kind(3):
        program = lowered(model)
        assert len(listed(program).split("\n")) == len(program.nodes) + len(program.outputs)


def test_the_page_shows_what_is_listed_today_and_names_every_node() -> None:
    page = PAGE.read_text()
    names = ["score", "probability", "approved", "knock_out", "reason_1", "reason_2"]
    assert listed(kept(lowered(models_named()["stumps"]), names)) in page
    nodes = {type(node).__name__ for model in models_named().values() for node in lowered(model).nodes}
    assert [name for name in nodes if f"`{name}`" not in page] == []
