"""How long the commands take, as whole processes; the yardstick is an interpreter that does nothing.

Run: python benchmarks/commands.py [--quick] [--json FILE]
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time

from report import Row, options, show


def seconds(command: list[str], runs: int) -> float:
    """Median wall time of a command after one run to warm up."""
    taken = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        taken.append(time.perf_counter() - start)
    return statistics.median(taken[1:])


def main() -> None:
    """Time `scrutable plugins` and `scrutable demo`."""
    chosen = options(__doc__ or "")
    runs = 5 if chosen.quick else 15
    python, scrutable = [sys.executable, "-c", "pass"], [sys.executable, "-m", "scrutable.cli"]
    nothing = seconds(python, runs)
    note = f"median of {runs}; peer: python -c pass"
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            Row(
                name="scrutable plugins",
                value=seconds([*scrutable, "plugins"], runs),
                unit="s",
                relation="<=",
                bound=1.0,
                peer=nothing,
                note=note,
            ),
            Row(
                name="scrutable demo",
                value=seconds([*scrutable, "demo", "--output", folder], 1 if chosen.quick else 5),
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
