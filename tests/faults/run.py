"""Plant drawn faults one by one and see which the suite catches: `run.py RESULTS.json --covered FOLDER`.

First which tests run which lines, once for the code as it is:

    COVERED=folder python -m pytest -p coverage_of_tests -m "not reproduce and not deep"   # PYTHONPATH=tests/faults

Then each fault: the tests that run its line, the quick ones first, until one fails or all passed; what takes more than
the time allowed is caught, if it is far more than the tests take. It changes the files of the clone that it lies in.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from faults import ROOT, Fault, drawn

#: Seconds of tests that are run for one fault, and in one process.
MOST, PART = 240.0, 60.0
#: How much longer than usual means that it hangs.
HANGS = 6.0


def main() -> int:
    """0 when all faults were tried."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--covered", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=23)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--part", default="0/1", help="which of how many parts, so that several clones share the work")
    parser.add_argument("--faults", type=Path, help="a file of faults to plant instead")
    asked = parser.parse_args()
    part, parts = (int(number) for number in asked.part.split("/"))
    faults = drawn(asked.seed, asked.count)
    if asked.faults:
        faults = [Fault(**given) for given in json.loads(asked.faults.read_text())]
    seconds, lines = _covered(asked.covered)
    results = json.loads(asked.results.read_text()) if asked.results.exists() else {}
    for number, fault in enumerate(faults):
        if number % parts == part and str(number) not in results:
            results[str(number)] = {"fault": asdict(fault), "outcome": _outcome(fault, seconds, lines)}
            asked.results.write_text(json.dumps(results, indent=1) + "\n")
            print(number, results[str(number)]["outcome"], fault.path, fault.line, fault.kind, flush=True)
    caught = sum(each["outcome"].startswith("caught") for each in results.values())
    print(f"{caught} of {len(results)} caught")
    return 0


def _covered(folder: Path) -> tuple[dict[str, float], dict[str, dict[str, list[str]]]]:
    seconds: dict[str, float] = {}
    lines: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for path in folder.glob("*.json"):
        read = json.loads(path.read_text())
        seconds |= read["seconds"]
        for file, of_file in read["lines"].items():
            for line, tests in of_file.items():
                lines[file][line] += tests
    return seconds, lines


def _outcome(fault: Fault, seconds: Mapping[str, float], lines: Mapping[str, Mapping[str, list[str]]]) -> str:
    running = lines.get(fault.path, {})
    tests = {test for line in range(fault.line, fault.end_line + 1) for test in running.get(str(line), ()) if test}
    if not tests:
        return "missed: no test runs it"
    path = ROOT / fault.path
    source = path.read_text()
    path.write_text(fault.planted(source))
    try:
        return _tried(sorted(tests, key=lambda test: seconds.get(test, 1.0)), seconds)
    finally:
        path.write_text(source)


def _tried(tests: list[str], seconds: Mapping[str, float]) -> str:
    """Run tests in parts, each of which begins where the last ended."""
    spent = 0.0
    while tests and spent < MOST:
        part, usual = [], 0.0
        while tests and (not part or usual < PART):
            usual += seconds.get(tests[0], 1.0)
            part.append(tests.pop(0))
        spent += usual
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider"]
        listed = ROOT / ".faults-tests"
        listed.write_text("\n".join(part))
        try:
            done = subprocess.run(
                [*command, f"@{listed}"],
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=False,
                timeout=60 + HANGS * usual,
                env=os.environ | {"CI": "true"},
            )
        except subprocess.TimeoutExpired:
            return "caught: it hangs"
        finally:
            listed.unlink()
        if done.returncode:
            failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
            return f"caught: {failed[0][:150] if failed else 'error'}"
    return "missed: the rest of the tests takes too long" if tests else "missed"


if __name__ == "__main__":
    sys.exit(main())
