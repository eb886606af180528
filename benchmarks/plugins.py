"""How long listing takes with many plugins installed; the yardstick is an interpreter that does nothing.

Run: python benchmarks/plugins.py [--quick] [--json FILE]

Fifty distributions are written into a folder on the path, each with a plugin that offers one component; kinds take
turns. All of them are listed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from clock import wall_seconds
from report import Row, options, show

COUNT = 50

_CODE = '''"""A plugin that a benchmark made."""

from scrutable.plugins.component import Component
from scrutable.plugins.hookspecs import hookimpl

SCRUTABLE_HOOKS = 1


@hookimpl
def scrutable_{kind}s():
    return [Component(name="{name}", kind="{kind}", path="{package}.code:Code", summary="One of many")]
'''


def install(folder: Path, number: int) -> None:
    """A package and the metadata of its distribution, as an installer leaves them."""
    from scrutable.plugins.component import KINDS

    name = f"many-{number:02d}"
    package = f"scrutable_many_{number:02d}"
    (folder / package).mkdir()
    kind = KINDS[number % len(KINDS)]
    (folder / package / "__init__.py").write_text(_CODE.format(name=name, package=package, kind=kind))
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[scrutable]\n{name} = {package}\n")


def main() -> None:
    """Time `scrutable plugins list` with and without fifty plugins of others."""
    chosen = options(__doc__ or "")
    runs = 5 if chosen.quick else 15
    plain = dict(os.environ)
    listing = [sys.executable, "-m", "scrutable.cli", "plugins", "list"]
    with tempfile.TemporaryDirectory() as folder:
        for number in range(COUNT):
            install(Path(folder), number)
        many = plain | {"PYTHONPATH": folder}
        found = json.loads(subprocess.run([*listing, "--json"], check=True, capture_output=True, env=many).stdout)
        assert sum(each["name"].startswith("many-") for each in found["components"]) == COUNT
        nothing = wall_seconds([sys.executable, "-c", "pass"], runs)
        rows = [
            Row(
                name=f"scrutable plugins list, {what}",
                value=wall_seconds(listing, runs, environment),
                unit="s",
                relation="<=",
                bound=0.5,
                peer=nothing,
                note=f"median of {runs} by the clock, warm; peer: python -c pass",
            )
            for what, environment in ((f"{COUNT} plugins of others", many), ("none of others", plain))
        ]
    show("Plugins", rows, chosen.json)


if __name__ == "__main__":
    main()
