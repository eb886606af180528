"""Reasons: the same in every engine, and fast; notices that are written in seconds.

Run: SCRUTABLE_DATA=... python benchmarks/reasons.py [--quick] [--json FILE]

Reasons are timed as CPU time on one thread, notices by the clock with two processes, since that is what people wait
for; the machine's yardstick stands beside them. Engines that are not on the machine fail their rows.
"""

from __future__ import annotations

from report import options, show
from threadpoolctl import threadpool_limits


def main() -> None:
    """Speed first, then equality."""
    chosen = options(__doc__ or "")
    # Here, since the processes that make PDF files import this file again, and need nothing of these.
    from reasoning.equality import rows_of_equality
    from reasoning.speed import rows_of_speed

    with threadpool_limits(1):
        rows = [*rows_of_speed(chosen.quick), *rows_of_equality(chosen.quick)]
    show("Reasons", rows, chosen.json)


if __name__ == "__main__":
    main()
