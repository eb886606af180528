"""Reasons that only declined applicants get, whatever others fall short of."""

from __future__ import annotations

from collections.abc import Sequence

from scrutable.model.program.lowering.asking import Asking
from scrutable.model.program.nodes import Choice
from scrutable.model.program.program import DECLINED, Output

_WHY = ("reason_", "short_")


def declined(outputs: Sequence[Output], asking: Asking) -> list[Output]:
    """For each reason, and by how much it falls short, an output that has it where the decision is to decline."""
    by_name = {output.name: output for output in outputs}
    why = [output for output in outputs if output.name.startswith(_WHY)]
    return [
        Output(
            f"{DECLINED}{each.name}",
            asking.add(Choice(by_name["approved"].of, (each.of, None))),
            f"{each.about}; none where the decision is to approve",
        )
        for each in why
    ]
