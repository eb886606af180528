"""How long the commands take, as whole processes; the yardstick is an interpreter that does nothing.

Run: python benchmarks/commands.py [--quick] [--json FILE]
"""

from __future__ import annotations

import sys
import tempfile

from clock import wall_seconds
from report import Row, options, show


def main() -> None:
    """Time `scrutable plugins` and `scrutable demo`."""
    chosen = options(__doc__ or "")
    runs = 5 if chosen.quick else 15
    python, scrutable = [sys.executable, "-c", "pass"], [sys.executable, "-m", "scrutable.cli"]
    nothing = wall_seconds(python, runs)
    note = f"median of {runs}; peer: python -c pass"
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            Row(
                name="scrutable plugins",
                value=wall_seconds([*scrutable, "plugins"], runs),
                unit="s",
                relation="<=",
                bound=1.0,
                peer=nothing,
                note=note,
            ),
            Row(
                name="scrutable demo",
                value=wall_seconds([*scrutable, "demo", "--overwrite", "--output", folder], 1 if chosen.quick else 5),
                unit="s",
                relation="<=",
                bound=60.0,
                peer=nothing,
                note="after installation; peer: python -c pass",
            ),
        ]
    show("Commands", rows, chosen.json)


if __name__ == "__main__":
    main()
