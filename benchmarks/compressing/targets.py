"""What the figures are held against."""

from __future__ import annotations

import tomllib
from pathlib import Path

TARGETS = tomllib.loads((Path(__file__).parents[1] / "targets" / "fcca.toml").read_text())
