"""`python -m contract_planted [--all-checks] [KIND ...]`: which planted faults the contract suite catches.

Run it with this folder's parent on PYTHONPATH. `--all-checks` runs the whole suite on each, and names what fails.
"""

from __future__ import annotations

import sys

from contract_planted.fault import PlantedFault, faults


def main(arguments: list[str]) -> int:
    """Print a line for each fault, and how many are caught; 1 if any is not."""
    kinds = [each for each in arguments if not each.startswith("-")]
    chosen = [each for each in faults() if not kinds or each.component.kind in kinds]
    caught = sum(_told(each, whole="--all-checks" in arguments) for each in chosen)
    print(f"caught {caught} of {len(chosen)}")
    return int(caught < len(chosen))


def _told(fault: PlantedFault, *, whole: bool) -> bool:
    if whole:
        failing = fault.failing()
        caught, why = fault.check in failing, ", ".join(failing)
    else:
        outcome = fault.outcome()
        caught, why = outcome.status == "failed", f"{outcome.check}: {outcome.reason}"
    print(f"{'caught' if caught else 'MISSED'}  {fault.component.kind} {fault.component.name}: {why}")
    return caught


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
